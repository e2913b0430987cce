import { isDeepStrictEqual } from "node:util";
import type { AgentEventPayloads, ResultPart } from "@patchbay/plugin-sdk";
import { PatchbayError } from "../../../../contract/index.ts";
import { isObject } from "../../../../contract/is-object.ts";
import { toOurs, toTheirs } from "../../hosted/foreign/messages.ts";
import { isDeepJson } from "../json-depth.ts";
import type { DirgeHook, FiringEvent } from "./event-map.ts";
import type { HookAnswer } from "./host-answer.ts";
import type { Sessions } from "./sessions.ts";

/** The context of a hook by its keys, without the colon. */
export type HookContext = Record<string, string | number>;

export interface HookWorld {
  /** The plugin's name, for sentences, and its key. */
  plugin: string;
  key: string;
  /** The hooks that the plugin has functions for. */
  registered: ReadonlySet<DirgeHook>;
  guards: "block" | "allow";
  sessions: Sessions;
  workspace: string;
  /** The name under which plugins of dirge know a tool. */
  toolName(name: string): string;
  /** Calls the plugin's function for a hook. What it asks for beside its answer goes its own way. */
  fire(hook: DirgeHook, ctx: HookContext): Promise<HookAnswer>;
  /** The arguments of a call of one of its own tools, as the tool prepares them; the same where it does not. */
  prepare(tool: string, args: Record<string, unknown>): Promise<Record<string, unknown>>;
}

type Payload<E extends FiringEvent> = AgentEventPayloads[E];

/**
 * Calls dirge's hooks for an event of the agent, and turns what they did into the answer of a handler of that event.
 * @throws PatchbayError HOOK_FAILED when a check of a tool call failed and the person did not let it fail open
 */
export function callHooks(event: FiringEvent, payload: unknown, world: HookWorld): Promise<unknown> {
  switch (event) {
    case "agent.started@v1":
      return agentStarted(payload as Payload<"agent.started@v1">, world);
    case "session.message.received@v1":
      return messageReceived(payload as Payload<"session.message.received@v1">, world);
    case "prompt.assemble@v1":
      return assemble(payload as Payload<"prompt.assemble@v1">, world);
    case "model.before@v1":
      return beforeModel(payload as Payload<"model.before@v1">, world);
    case "model.after@v1":
      return afterModel(payload as Payload<"model.after@v1">, world);
    case "message.delta@v1":
      return delta(payload as Payload<"message.delta@v1">, world);
    case "message.final@v1":
      return finalMessage(payload as Payload<"message.final@v1">, world);
    case "tool.before@v1":
      return beforeTool(payload as Payload<"tool.before@v1">, world);
    case "tool.result@v1":
      return toolResult(payload as Payload<"tool.result@v1">, world);
    case "run.prepare@v1":
      return endTurn(payload as Payload<"run.prepare@v1">, world);
    case "run.end@v1":
      return endRun(payload as Payload<"run.end@v1">, world);
    case "turn.end@v1":
      return turnEnded(payload as Payload<"turn.end@v1">, world);
    case "compact.before@v1":
      return beforeCompaction(payload as Payload<"compact.before@v1">, world);
    case "compact.summary@v1":
      return compact(payload as Payload<"compact.summary@v1">, world);
  }
}

async function agentStarted(
  { model }: Payload<"agent.started@v1">,
  { workspace, fire }: HookWorld,
): Promise<undefined> {
  const provider = model.includes("/") ? model.slice(0, model.indexOf("/")) : "";
  await fire("on-init", {
    model,
    provider,
    cwd: workspace,
    workspace,
    sandbox: "",
    "auto-confirm": "ask",
  });
}

async function messageReceived(
  { sessionId, text }: Payload<"session.message.received@v1">,
  world: HookWorld,
): Promise<unknown> {
  const state = world.sessions.of(sessionId);
  state.hint = null;
  const { returned, left } = await world.fire("on-prompt", { prompt: text });
  if (left.replacePrompt !== undefined) return { text: left.replacePrompt };
  state.hint = left.requestPrompt ?? returned;
  return undefined;
}

async function assemble(
  { sessionId, sections }: Payload<"prompt.assemble@v1">,
  world: HookWorld,
): Promise<unknown> {
  const added: { key: string; content: string }[] = [];
  if (world.registered.has("before-agent-start")) {
    const content = sections.map((section) => section.content).join("\n\n");
    const { left } = await world.fire("before-agent-start", { "system-prompt": content });
    const more = left.appendSystem?.trim() ?? "";
    if (more !== "") added.push({ key: world.key, content: more });
  }
  const state = world.sessions.of(sessionId);
  if (state.hint !== null) added.push({ key: `${world.key}:prompt`, content: state.hint });
  state.hint = null;
  return added.length > 0 ? { sections: [...sections, ...added] } : undefined;
}

async function beforeModel(
  { sessionId, turnId, messages }: Payload<"model.before@v1">,
  { registered, sessions, fire }: HookWorld,
): Promise<unknown> {
  const state = sessions.of(sessionId);
  state.index = state.turnId === turnId ? state.index + 1 : 0;
  state.turnId = turnId;
  if (registered.has("on-turn-start")) await fire("on-turn-start", { index: state.index });
  if (!registered.has("transform-context")) return undefined;
  const { left } = await fire("transform-context", { messages: JSON.stringify(toTheirs(messages)) });
  const replaced = left.replaceContext === undefined ? null : toOurs(parsed(left.replaceContext));
  return replaced === null ? undefined : { messages: replaced };
}

async function afterModel(
  { sessionId, message }: Payload<"model.after@v1">,
  { sessions }: HookWorld,
): Promise<undefined> {
  sessions.of(sessionId).said = { text: message.text, calls: (message.toolCalls ?? []).length > 0 };
}

async function delta(
  { sessionId, messageId, text }: Payload<"message.delta@v1">,
  { sessions, fire }: HookWorld,
): Promise<undefined> {
  const state = sessions.of(sessionId);
  const before = state.streamed.messageId === messageId ? state.streamed.text : "";
  state.streamed = { messageId, text: before + text };
  await fire("on-message-update", { index: Math.max(state.index, 0), partial: state.streamed.text });
}

async function finalMessage(
  { sessionId, text }: Payload<"message.final@v1">,
  { registered, sessions, fire }: HookWorld,
): Promise<unknown> {
  if (sessions.of(sessionId).said?.calls) return undefined;
  if (registered.has("on-response")) await fire("on-response", { response: text });
  if (!registered.has("message-end")) return undefined;
  const { left } = await fire("message-end", { message: text });
  return left.rewriteMessage === undefined ? undefined : { text: left.rewriteMessage };
}

async function beforeTool(payload: Payload<"tool.before@v1">, world: HookWorld): Promise<unknown> {
  const args = payload.final ? payload.args : await world.prepare(payload.toolName, payload.args);
  const unchanged = () =>
    isDeepStrictEqual(args, payload.args) ? { allow: true } : { allow: true, payload: { args } };
  if (!world.registered.has("on-tool-start")) return unchanged();
  const tool = world.toolName(payload.toolName);
  const { left, error } = await world.fire("on-tool-start", { tool, args: JSON.stringify(args) });
  if (left.block !== undefined) return { allow: false, reason: left.block };
  if (error !== null && world.guards === "block")
    throw new PatchbayError("HOOK_FAILED", `the check of ${world.plugin} failed (${error})`, {
      details: { hook: "on-tool-start", error },
    });
  const mutated = left.mutateInput === undefined ? undefined : parsed(left.mutateInput);
  if (!isObject(mutated)) return unchanged();
  return isDeepStrictEqual(mutated, payload.args)
    ? { allow: true }
    : { allow: true, payload: { args: mutated } };
}

async function toolResult(
  { toolName, args, content }: Payload<"tool.result@v1">,
  { toolName: theirs, fire }: HookWorld,
): Promise<unknown> {
  const command = typeof args.command === "string" ? args.command : "";
  const { left } = await fire("on-tool-end", { tool: theirs(toolName), output: textOf(content), command });
  if (left.replaceResult === undefined) return undefined;
  const others = content.filter(({ type }) => type !== "text");
  return { content: [{ type: "text", text: left.replaceResult }, ...others] };
}

/** After the results of tools are back, or after the last answer. Told once of each answer. */
async function endTurn(
  { sessionId }: Pick<Payload<"run.prepare@v1">, "sessionId">,
  { registered, sessions, fire }: HookWorld,
): Promise<undefined> {
  const state = sessions.of(sessionId);
  const { said } = state;
  state.said = null;
  if (said === null || !registered.has("on-turn-end")) return;
  await fire("on-turn-end", { index: Math.max(state.index, 0), message: said.text });
}

async function endRun(payload: Payload<"run.end@v1">, world: HookWorld): Promise<undefined> {
  await endTurn(payload, world);
  if (world.registered.has("on-complete")) await world.fire("on-complete", {});
  if (world.registered.has("prepare-next-run")) await world.fire("prepare-next-run", {});
}

async function turnEnded(
  { outcome, error = "" }: Payload<"turn.end@v1">,
  { fire }: HookWorld,
): Promise<undefined> {
  if (outcome !== "failed") return;
  await fire("on-error", { error });
}

async function beforeCompaction(
  { messages, tokens }: Payload<"compact.before@v1">,
  { fire }: HookWorld,
): Promise<undefined> {
  await fire("on-before-compact", { "message-count": messages, tokens });
}

/** What a summary must have at least one of to be taken, as headings. */
const headings = ["Active Task", "Goal", "Completed Actions", "Remaining Work"];

async function compact({ messages }: Payload<"compact.summary@v1">, { fire }: HookWorld): Promise<unknown> {
  const { left } = await fire("on-compact", { messages: JSON.stringify(toTheirs(messages)) });
  const summary = left.compactSummary?.trim() ?? "";
  return headings.some((heading) => summary.includes(heading)) ? { summary } : undefined;
}

function textOf(content: readonly ResultPart[]): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** Undefined for what is no JSON, or nested too deeply. */
function parsed(text: string): unknown {
  try {
    return isDeepJson(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
