import { isDeepStrictEqual } from "node:util";
import type { AgentEventPayloads, ResultPart } from "@patchbay/plugin-sdk";
import { PatchbayError } from "../../../../contract/index.ts";
import { toOurs, toTheirs } from "../../hosted/foreign/messages.ts";
import { type FiringEvent, type FlowlyEvent, flowlyEventsAt } from "./event-map.ts";
import type { HookAnswer } from "./host-answer.ts";
import { type Injections, lastUserText } from "./injections.ts";

/** What is sent to the host with an event: the fields of the context object, and the tool call that it belongs to. */
export interface HookAsk {
  ctx: Record<string, unknown>;
  /** Id of the tool call: its three events get the same context object. */
  call?: string;
}

export interface HookWorld {
  /** The plugin's name, for sentences. */
  plugin: string;
  /** Flowly's events that the plugin has callbacks for. */
  registered(): ReadonlySet<string>;
  guards: "block" | "allow";
  injections: Injections;
  /** The name under which plugins of Flowly know a tool. */
  toolName(name: string): string;
  /** Runs the plugin's callbacks of one event. */
  fire(event: FlowlyEvent, ask: HookAsk): Promise<HookAnswer>;
}

type Payload<E extends FiringEvent> = AgentEventPayloads[E];

/**
 * Fires Flowly's hooks for an event of the agent, and turns what they did into the answer of a handler of that event.
 * @throws PatchbayError HOOK_FAILED when a guard failed and the person did not let it fail open
 */
export function callHooks(event: FiringEvent, payload: unknown, world: HookWorld): Promise<unknown> {
  switch (event) {
    case "tool.before@v1":
      return beforeTool(payload as Payload<"tool.before@v1">, world);
    case "tool.result@v1":
      return afterTool(payload as Payload<"tool.result@v1">, world);
    case "model.before@v1":
      return beforeModel(payload as Payload<"model.before@v1">, world);
    case "turn.start@v1":
      return startTurn(payload as Payload<"turn.start@v1">, world);
    case "turn.end@v1":
      return endTurn(payload as Payload<"turn.end@v1">, world);
    case "channel.message.in@v1":
      return fromChannel(payload as Payload<"channel.message.in@v1">, world);
    case "session.message.received@v1":
      return fromOwner(payload as Payload<"session.message.received@v1">, world);
  }
}

async function beforeTool(payload: Payload<"tool.before@v1">, world: HookWorld): Promise<unknown> {
  const { sessionId, toolName, toolCallId, args } = payload;
  const ctx = { session_id: sessionId, tool_name: world.toolName(toolName), params: args };
  const answer = await world.fire("pre_tool_call", { ctx, call: toolCallId });
  if (answer.decision?.kind === "block") return { allow: false, reason: answer.decision.message };
  refuseFailed(answer, world);
  const params = answer.ctx.params ?? args;
  return isDeepStrictEqual(params, args) ? { allow: true } : { allow: true, payload: { args: params } };
}

async function afterTool(payload: Payload<"tool.result@v1">, world: HookWorld): Promise<unknown> {
  const { sessionId, toolName, toolCallId, args, content, isError, durationMs } = payload;
  const result = textOf(content);
  const ctx = {
    session_id: sessionId,
    tool_name: world.toolName(toolName),
    params: args,
    result,
    duration_ms: durationMs,
    success: !isError && !result.startsWith("Error"),
  };
  let replaced: string | undefined;
  for (const event of flowlyEventsAt("tool.result@v1", world.registered())) {
    const { decision } = await world.fire(event, { ctx, call: toolCallId });
    if (decision?.kind === "replace") replaced = decision.text;
  }
  if (replaced === undefined) return undefined;
  return { content: [{ type: "text", text: replaced }, ...content.filter(({ type }) => type !== "text")] };
}

async function beforeModel(payload: Payload<"model.before@v1">, world: HookWorld): Promise<unknown> {
  const { sessionId, turnId, model, messages } = payload;
  const { injections } = world;
  const bare = injections.without(turnId, messages);
  const theirs = toTheirs(bare);
  const ctx = {
    session_id: sessionId,
    model,
    messages: theirs,
    user_message: lastUserText(bare) ?? "",
  };
  const { decision, ctx: left } = await world.fire("pre_llm_call", { ctx });
  const changed = left.messages && !isDeepStrictEqual(left.messages, theirs) ? toOurs(left.messages) : null;
  const texts = decision?.kind === "contexts" ? decision.texts : [];
  if (changed === null && texts.every((text) => text === "")) return undefined;
  return { messages: injections.with(turnId, messages, changed ?? bare, texts) };
}

async function startTurn(payload: Payload<"turn.start@v1">, world: HookWorld): Promise<undefined> {
  await world.fire("on_session_start", { ctx: sessionContext(payload) });
}

async function endTurn(payload: Payload<"turn.end@v1">, world: HookWorld): Promise<undefined> {
  const { outcome } = payload;
  const ended = { completed: outcome === "done", interrupted: outcome === "aborted" };
  await world.fire("on_session_end", { ctx: { ...sessionContext(payload), ...ended } });
}

type OfTurn = Pick<Payload<"turn.start@v1" | "turn.end@v1">, "sessionId" | "model" | "channel">;

function sessionContext({ sessionId, model, channel }: OfTurn): Record<string, unknown> {
  return { session_id: sessionId, model, platform: channel?.name ?? "cli" };
}

function fromChannel(payload: Payload<"channel.message.in@v1">, world: HookWorld): Promise<unknown> {
  const { sessionId, channel, text, metadata = {} } = payload;
  const { userId, conversation, ...rest } = metadata;
  const message = {
    channel,
    sender_id: typeof userId === "string" ? userId : "",
    chat_id: typeof conversation === "string" ? conversation : sessionId,
    content: text,
    metadata: rest,
  };
  return gateway(message, sessionId, world);
}

async function fromOwner(
  payload: Payload<"session.message.received@v1">,
  world: HookWorld,
): Promise<unknown> {
  const { sessionId, text, channel } = payload;
  if (channel) return undefined;
  const message = { channel: "cli", sender_id: "owner", chat_id: sessionId, content: text, metadata: {} };
  return gateway(message, sessionId, world);
}

async function gateway(
  event: { channel: string; content: string },
  sessionId: string,
  world: HookWorld,
): Promise<unknown> {
  const ctx = { session_id: sessionId, event, gateway: event.channel };
  const answer = await world.fire("pre_gateway_dispatch", { ctx });
  const { decision } = answer;
  if (decision?.kind === "skip")
    return { drop: true, ...(decision.reason !== "" && { reason: decision.reason }) };
  if (decision?.kind === "rewrite") return { text: decision.text };
  refuseFailed(answer, world);
  const content = answer.ctx.event?.content;
  return typeof content === "string" && content !== event.content ? { text: content } : undefined;
}

function refuseFailed({ failures: [failed] }: HookAnswer, { guards, plugin }: HookWorld): void {
  if (failed === undefined || guards === "allow") return;
  throw new PatchbayError("HOOK_FAILED", `a guard of ${plugin} failed (${failed.error})`, {
    details: { callback: failed.callback, error: failed.error },
  });
}

function textOf(content: readonly ResultPart[]): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
