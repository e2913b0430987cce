import type { TruthAgent } from "./agent.ts";
import type { Outcome, Step } from "./record.ts";
import type { World } from "./steps.ts";

/** Commands that the agent takes itself, with whatever stands behind them. */
const ALWAYS = new Set([
  "compact",
  "help",
  "skills",
  "whoami",
  "status",
  "goal",
  "subgoal",
  "learn",
  "codex",
  "notools",
  "no-tools",
  "no_tools",
  "plan",
]);
/** Those that it takes only when nothing stands behind them. */
const ALONE = new Set(["new", "clear", "retry", "undo"]);

/** One message that comes in: hooks of the gateway, of the conversation, and slash commands. */
export async function message(step: Step, world: World): Promise<Outcome> {
  const { agent } = world;
  const {
    channel = "cli",
    chat = "c1",
    sender = "u1",
    metadata = {},
  } = step as unknown as Record<string, string>;
  if (channel === "system") return { builtin: true };
  const session = `${channel}:${chat}`;
  const event = { channel, sender_id: sender, chat_id: chat, content: step.content, metadata };
  const gate = await gateway(agent, event, session, world);
  if (gate === null) return { result: null };
  const turn = {
    sessionId: session,
    turnId: session,
    model: "test-model",
    caller: null,
    channel: { name: channel, group: false },
    text: gate,
  };
  for (const host of agent.listeners("on_session_start")) await host.event("turn.start@v1", turn);
  const outcome = await answered(agent, gate, metadata as unknown as Record<string, unknown>);
  for (const host of agent.listeners("on_session_end"))
    await host.event("turn.end@v1", { ...turn, outcome: "done" as const });
  return { ...outcome, ...("reply" in outcome && gate !== step.content && { content_after: gate }) };
}

interface Incoming {
  channel: string;
  sender_id: string;
  chat_id: string;
  content: unknown;
  metadata: unknown;
}

/** The message's text after the hooks; null when it was dropped. */
async function gateway(
  agent: TruthAgent,
  event: Incoming,
  session: string,
  world: World,
): Promise<string | null> {
  const listeners = agent.listeners("pre_gateway_dispatch");
  const [first] = listeners;
  if (first && listeners.length === 1) {
    const { channel, sender_id: userId, chat_id: conversation, metadata: more } = event;
    const text = String(event.content);
    const metadata = { ...(more as object), userId, conversation };
    const payload = { sessionId: session, channel, text, metadata };
    const { answer, failed } = await first.event("channel.message.in@v1", payload);
    if (failed) world.guardFailed = true;
    if (answer?.drop || (failed && agent.guards === "block")) return null;
    return answer?.text ?? text;
  }
  // Of several plugins the first that decides wins, and none sees what another decided.
  let text = event.content;
  let decided: { kind: string; text?: string } | undefined;
  for (const host of listeners) {
    const { decision, failures, ctx } = await host.hook("pre_gateway_dispatch", {
      session_id: session,
      event: { ...event, content: text },
      gateway: event.channel,
    });
    text = ctx.event?.content ?? text;
    decided ??= decision ?? undefined;
    if (failures.length > 0) world.guardFailed = true;
  }
  if (decided?.kind === "skip") return null;
  if (decided?.kind === "rewrite") return decided.text ?? "";
  return world.guardFailed && agent.guards === "block" ? null : String(text);
}

async function answered(
  agent: TruthAgent,
  content: string,
  metadata: Record<string, unknown>,
): Promise<Outcome> {
  const text = stripped(content);
  if (!text.startsWith("/")) return { to_model: content };
  const [, first = "", rest = ""] = /^(\S+)(?:\s+([\s\S]*))?$/u.exec(text) ?? [];
  const name = first.slice(1).toLowerCase();
  if (metadata.is_command) return { to_model: content };
  if (ALWAYS.has(name) || (ALONE.has(name) && rest === "")) return { builtin: true };
  const command = name.replace(/^\/+/, "");
  const host =
    ALONE.has(name) && !agent.owner("commands", name) ? undefined : agent.owner("commands", command);
  const offered = host && agent.stateOf(host).commands[command];
  if (!host || !offered || offered.handled === false) return { to_model: content };
  const reply = await host.command(command, rest);
  return reply === "" ? { result: null } : { reply };
}

/** Python's `strip`. */
function stripped(text: string): string {
  return text.replace(/^[\s\u0085]+|[\s\u0085]+$/gu, "");
}
