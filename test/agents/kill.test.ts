import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SessionEntry } from "../../src/contract/index.ts";
import { toMessages } from "../../src/main/agents/turns/transcript.ts";
import { only, Workbench } from "./workbench.ts";

const RUNS = Number(process.env.PATCHBAY_KILL_RUNS ?? 8);

/** More steps than a run takes before it is killed. */
const STEPS = 60;

/** Runs the writer, kills it at a random moment, and answers what it had told of until then. */
async function writeAndKill(home: string, run: number, sessionId: string | undefined, afterMessages: number) {
  const child = fork(
    join(import.meta.dirname, "kill-writer.ts"),
    [home, String(STEPS * (run + 1)), sessionId ?? ""],
    {
      execArgv: ["--disable-warning=ExperimentalWarning"],
    },
  );
  const seen: string[] = [];
  const ended: string[] = [];
  let id = sessionId;
  let messages = 0;
  child.on("message", (message: { session?: string; seen?: string; ended?: string }) => {
    if (message.session) id = message.session;
    if (message.seen) seen.push(message.seen);
    if (message.ended) ended.push(message.ended);
    messages += 1;
    // At a random moment after that message, not always right behind one.
    if (messages === afterMessages) setTimeout(() => child.kill("SIGKILL"), Math.random() * 20);
  });
  const signal = await new Promise((resolve) => child.on("exit", (_code, name) => resolve(name)));
  expect(signal).toBe("SIGKILL");
  return { id: id ?? "", seen, ended };
}

/** Every tool call is answered before somebody speaks again, or a provider would refuse the conversation. */
function unanswered(entries: readonly SessionEntry[]): string[] {
  const open = new Set<string>();
  const wrong: string[] = [];
  for (const message of toMessages(entries)) {
    if (message.role === "toolResult") open.delete(message.toolCallId);
    else if (message.role !== "system") wrong.push(...open);
    if (message.role === "assistant") {
      for (const part of message.content) if (part.type === "toolCall") open.add(part.id);
    }
  }
  return [...wrong, ...open];
}

test(`after kill -9 during turns, ${RUNS} times, everything that was seen is there and the session goes on`, {
  timeout: 60_000 + RUNS * 15_000,
}, async () => {
  const home = await mkdtemp(join(tmpdir(), "patchbay-kill-"));
  const all = { seen: [] as string[], ended: [] as string[] };
  let id: string | undefined;
  for (let run = 0; run < RUNS; run += 1) {
    const told = await writeAndKill(home, run, id, 2 + Math.floor(Math.random() * 40));
    id = told.id;
    all.seen.push(...told.seen);
    all.ended.push(...told.ended);
  }
  const bench = await Workbench.open({ policy: [{ tool: "p__*", effect: "allow" }] }, home);
  try {
    const entries = await bench.agents.sessions.entries("a", id ?? "");
    const texts = new Set(entries.flatMap((entry) => ("text" in entry ? [entry.text] : [])));
    expect(all.seen.filter((text) => !texts.has(text))).toEqual([]);
    const ends = new Set(entries.flatMap((entry) => (entry.type === "turn_end" ? [entry.turnId] : [])));
    expect(all.ended.filter((turn) => !ends.has(turn))).toEqual([]);
    const begun = entries.flatMap((entry) => (entry.type === "user" ? [entry.turnId] : []));
    expect(begun.filter((turn) => !ends.has(turn))).toEqual([]);
    expect(unanswered(entries)).toEqual([]);
    await bench.script([{ say: "still here" }]);
    const events = await bench.prompt("are you there?", { sessionId: id });
    expect(only(events, "turn_ended").outcome).toBe("done");
  } finally {
    await bench.agents.close();
    await rm(home, { recursive: true, force: true });
  }
});
