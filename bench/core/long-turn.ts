import { appendFile, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RecordEvent, RecordFact } from "../../src/contract/index.ts";

/** Events of one step of the turn: a model call, and the tool call that it asked for. */
const perStep = 12;

/**
 * Lets the record of an agent's only conversation end with a turn of so many events: model calls, and tool calls with
 * hooks, logs and results. No app may run on the home.
 */
export async function appendLongTurn(home: string, agentId: string, events: number): Promise<void> {
  const folder = join(home, "agents", agentId, "sessions");
  const name = (await readdir(folder)).find((file) => file.endsWith(".record.jsonl"));
  if (name === undefined) throw new Error("The agent has no record yet.");
  const file = join(folder, name);
  const first = JSON.parse((await readFile(file, "utf8")).split("\n")[0] ?? "") as RecordEvent;
  const begun = {
    ...first,
    turnId: "long",
    seq: 0,
    at: first.at + 60_000,
    text: "The long turn",
  } as RecordEvent;
  const lines = [begun, ...stepsOf(begun, Math.floor((events - 2) / perStep))];
  const place = { turnId: "long", seq: lines.length, spanId: "0", parentId: null };
  const at = (lines.at(-1)?.at ?? 0) + 1;
  lines.push({ ...place, at, type: "turn_ended", outcome: "done", text: "", problem: null });
  await appendFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

const owner = { kind: "owner" } as const;

function stepsOf({ at: begin }: RecordEvent, steps: number): RecordEvent[] {
  const events: RecordEvent[] = [];
  let at = begin;
  const add = (spanId: string, parentId: string, fact: RecordFact) => {
    at += 3;
    const seq = events.length + 1;
    // The fact is one of those that a span can have; the types of all of them are too many to be told apart.
    events.push({ turnId: "long", seq, spanId, parentId, at, ...fact } as RecordEvent);
  };
  for (let step = 0; step < steps; step += 1) {
    const [model, call, hook] = [`m${step}`, `c${step}`, `h${step}`];
    const args = { text: `line ${step}: ${"so it is ".repeat(6)}` };
    const about = { toolCallId: call, tool: "bench__echo" };
    const asked = { event: "tool.before@v1", owner: "bench-veto", hookId: "1" };
    add(model, "0", { type: "model_asked", index: step, messages: 2 * step + 1, tools: 1, request: null });
    add(model, "0", { type: "model_speaking" });
    const usage = { input: 900, output: 20, cacheRead: 0, cacheWrite: 0 };
    const answer = { model: "bench", stopReason: "toolUse", usage, problem: null, response: null };
    add(model, "0", { type: "model_answered", ...answer });
    const called = { ...about, title: "bench.echo", owner: "bench-echo", caller: owner, arguments: args };
    add(call, "0", { type: "tool_called", ...called });
    const rule = { owner: "bench-echo", effect: "allow", rule: "rule *: allow" } as const;
    add(call, "0", { type: "tool_judged", toolCallId: call, ...rule });
    add(hook, call, { type: "hook_asked", ...asked, payload: { toolName: "bench__echo", args } });
    const decision = step % 50 === 0 ? "rewrote" : "allowed";
    add(hook, call, { type: "hook_answered", ...asked, decision, ...(step % 50 === 0 && { after: {} }) });
    add(call, "0", { type: "tool_started", toolCallId: call });
    const line = { level: "info", origin: "plugin", text: `echoed ${step}` };
    add(call, "0", { type: "log", owner: "bench-echo", ...line });
    const result = { content: [{ type: "text", text: args.text }] };
    add(call, "0", { type: "tool_answered", toolCallId: call, output: result, problem: null });
    const end = { id: `e${step}`, ...about, outcome: "executed", result, problem: null } as const;
    add(call, "0", { type: "tool_ended", ...end });
    add(call, "0", { type: "tool_progress", toolCallId: call, text: "over" });
  }
  return events;
}
