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
  const { agent, sessions } = world;
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
  const begun = sessions.has(session);
  sessions.add(session);
  const context = { session_id: session, model: "test-model", platform: channel };
  if (!begun) await tell(agent, "on_session_start", context);
  const outcome = await answered(agent, gate, metadata as unknown as Record<string, unknown>);
  await tell(agent, "on_session_end", { ...context, completed: true });
  return { ...outcome, ...("reply" in outcome && gate !== step.content && { content_after: gate }) };
}

/** The message's text after the hooks; null when it was dropped. */
async function gateway(
  agent: TruthAgent,
  event: { content: unknown },
  session: string,
  world: World,
): Promise<string | null> {
  let text = event.content;
  let decided: { kind: string; text?: string } | undefined;
  for (const host of agent.listeners("pre_gateway_dispatch")) {
    const { decision, failures, ctx } = await host.hook("pre_gateway_dispatch", {
      session_id: session,
      event: { ...event, content: text },
      gateway: "channel" in event ? event.channel : "",
    });
    text = ctx.event?.content ?? text;
    decided ??= decision ?? undefined;
    if (failures.length > 0) world.guardFailed = true;
  }
  if (decided?.kind === "skip") return null;
  if (decided?.kind === "rewrite") return decided.text ?? "";
  return world.guardFailed && agent.guards === "block" ? null : String(text);
}

async function tell(agent: TruthAgent, event: string, context: Record<string, unknown>): Promise<void> {
  for (const host of agent.listeners(event)) await host.hook(event, context);
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
