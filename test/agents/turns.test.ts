import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Approval, TurnEvent } from "../../src/contract/index.ts";
import { next, only, Workbench } from "./workbench.ts";

const allowed = [{ tool: "p__*", effect: "allow" as const }];

async function linesOf(bench: Workbench, sessionId: string, kind = ""): Promise<Record<string, unknown>[]> {
  const path = join(bench.home, "agents", "a", "sessions", `${sessionId}${kind}.jsonl`);
  return (await readFile(path, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("a scripted turn calls a plugin's tool, streams what happens and stores it", async () => {
  await using bench = await Workbench.open({ policy: allowed });
  bench.pool.tool("p", "p__get", (input) => `page of ${input.url}`);
  await bench.script([
    { say: "Let me look.", call: { tool: "p__get", input: { url: "http://x" } } },
    { say: "It says hello to the whole wide world." },
  ]);

  const events = await bench.prompt("What is at x?");

  expect(events.map((event) => event.type)).toEqual([
    "turn_started",
    "text_delta",
    "text_delta",
    "model_call",
    "message",
    "tool_started",
    "tool_ended",
    "text_delta",
    "text_delta",
    "text_delta",
    "model_call",
    "message",
    "turn_ended",
  ]);
  expect(only(events, "tool_ended").trace).toMatchObject({
    tool: "p__get",
    owner: "p",
    outcome: "executed",
    result: { content: [{ type: "text", text: "page of http://x" }] },
  });
  expect(only(events, "turn_ended")).toMatchObject({
    outcome: "done",
    text: "It says hello to the whole wide world.",
    problem: null,
  });
  const { sessionId } = only(events, "turn_started");
  expect((await linesOf(bench, sessionId)).map((line) => line.type)).toEqual([
    "session",
    "user",
    "title",
    "assistant",
    "tool_result",
    "assistant",
    "turn_end",
  ]);
  expect((await bench.agents.sessions.trace("a", sessionId)).map((line) => line.type)).toEqual([
    "turn",
    "model",
    "tool",
    "model",
    "turn_end",
  ]);
  expect(await bench.agents.sessions.list("a")).toMatchObject([
    { id: sessionId, title: "What is at x?", messages: 3, status: "idle" },
  ]);
});

test("several calls of one step run in order, each through the whole pipeline", async () => {
  await using bench = await Workbench.open({ policy: allowed });
  const order: string[] = [];
  bench.pool.tool("p", "p__do", (input) => {
    order.push(`run ${input.n}`);
    return "done";
  });
  bench.pool.on("guard", "tool.before@v1", (payload: { args: { n: number } }) => {
    order.push(`ask ${payload.args.n}`);
    return payload.args.n === 2 ? { allow: false, reason: "not two" } : { allow: true };
  });
  await bench.script([{ call: [1, 2, 3].map((n) => ({ tool: "p__do", input: { n } })) }, { say: "Done." }]);

  const events = await bench.prompt("go");

  expect(order).toEqual(["ask 1", "run 1", "ask 2", "ask 3", "run 3"]);
  const ended = events.filter((event) => event.type === "tool_ended");
  expect(ended.map((event) => event.trace.outcome)).toEqual(["executed", "vetoed", "executed"]);
});

test("a call of a tool that does not exist is answered, and the turn goes on", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ call: { tool: "p__nothing" } }, { say: "I see." }]);

  const events = await bench.prompt("go");

  expect(only(events, "tool_ended").trace).toMatchObject({
    outcome: "failed",
    problem: { code: "TOOL_NOT_FOUND" },
  });
  expect(only(events, "turn_ended")).toMatchObject({ outcome: "done", text: "I see." });
});

test("the model's arguments are not coerced on their way to the pipeline", async () => {
  await using bench = await Workbench.open({ policy: allowed });
  bench.pool.tool("p", "p__n", () => "ran", {
    parameters: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
  });
  await bench.script([{ call: { tool: "p__n", input: { n: "3" } } }, { say: "Hm." }]);

  const events = await bench.prompt("go");

  expect(only(events, "tool_ended").trace).toMatchObject({
    outcome: "failed",
    problem: { code: "ARGUMENTS_INVALID" },
  });
});

test("the script goes on where it stopped, and says when it is over", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "one" }, { fail: "out of tokens" }, { say: "three" }]);

  const first = await bench.prompt("1");
  const { sessionId } = only(first, "turn_started");
  const rest = [];
  for (const text of ["2", "3", "4"]) rest.push(only(await bench.prompt(text, { sessionId }), "turn_ended"));

  expect(only(first, "turn_ended").text).toBe("one");
  expect(rest).toMatchObject([
    {
      outcome: "failed",
      problem: { code: "MODEL_FAILED", message: expect.stringContaining("out of tokens") },
    },
    { outcome: "done", text: "three" },
    { outcome: "done", text: "The script has no more steps." },
  ]);
});

test("turns of one session run one after the other, those of several side by side", async () => {
  await using bench = await Workbench.open({ policy: allowed });
  const one = (await bench.agents.createSession("a")).id;
  const two = (await bench.agents.createSession("a")).id;
  const running: string[] = [];
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  bench.pool.tool("p", "p__wait", async (_input, { sessionId }) => {
    running.push(sessionId);
    if (sessionId === one) {
      begun.resolve();
      await gate.promise;
    }
    return "ok";
  });
  const call = { call: { tool: "p__wait" } };
  await bench.script([call, { say: "first" }, call, { say: "second" }]);

  const turns = [bench.prompt("1", { sessionId: one }), bench.prompt("2", { sessionId: one })];
  await begun.promise;
  const other = only(await bench.prompt("3", { sessionId: two }), "turn_ended");
  expect(other.text).toBe("first");
  expect(running).toEqual([one, two]);
  gate.resolve();
  const ends = (await Promise.all(turns)).map((events) => only(events, "turn_ended").text);

  expect(ends).toEqual(["first", "second"]);
  const entries = await bench.agents.sessions.entries("a", one);
  const order = entries.map((entry) => entry.type).filter((type) => type === "user" || type === "turn_end");
  expect(order).toEqual(["user", "turn_end", "user", "turn_end"]);
});

test("an abort while an approval waits ends the turn, cancels the question and leaves a whole conversation", async () => {
  await using bench = await Workbench.open();
  bench.pool.tool("p", "p__send", () => "sent");
  await bench.script([{ call: [{ tool: "p__send" }, { tool: "p__send" }] }, { say: "after" }]);
  const { id } = await bench.agents.createSession("a");
  const asked = next<Approval>(bench.agents.changes, "approval");
  const turn = bench.prompt("go", { sessionId: id });
  await asked;
  expect((await bench.agents.sessions.list("a"))[0]?.status).toBe("awaiting_approval");

  await bench.agents.abort("a", id);

  const events = await turn;
  expect(only(events, "approval_resolved").status).toBe("cancelled");
  expect(only(events, "turn_ended")).toMatchObject({ outcome: "aborted", problem: { code: "ABORTED" } });
  expect(bench.agents.approvals.list()).toMatchObject([{ status: "cancelled" }]);
  const entries = await bench.agents.sessions.entries("a", id);
  const results = entries.filter((entry) => entry.type === "tool_result");
  expect(results.map((result) => result.outcome)).toEqual(["rejected", "failed"]);
  expect(only(await bench.prompt("again", { sessionId: id }), "turn_ended")).toMatchObject({
    outcome: "done",
    text: "after",
  });
});

test("an abort in the middle of the model's answer keeps what was said", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "one two three four five six seven eight", delayMs: 400 }]);
  const { id } = await bench.agents.createSession("a");
  const seen: TurnEvent[] = [];
  for await (const event of bench.agents.prompt("a", {
    text: "go",
    sessionId: id,
    caller: { kind: "owner" },
  })) {
    seen.push(event);
    if (event.type === "text_delta" && event.text.includes("one")) void bench.agents.abort("a", id);
  }

  expect(only(seen, "turn_ended")).toMatchObject({ outcome: "aborted", text: "one two three four " });
  const entries = await bench.agents.sessions.entries("a", id);
  expect(entries.find((entry) => entry.type === "assistant")).toMatchObject({ text: "one two three four " });
});

test("an agent without a model says so, in the turn's end", async () => {
  await using bench = await Workbench.open();
  expect(only(await bench.prompt("hi"), "turn_ended")).toMatchObject({
    outcome: "failed",
    problem: { code: "MODEL_NOT_SET", message: "Ada has no model yet." },
  });
});

test("a turn ends when it has used all of its model calls", async () => {
  await using bench = await Workbench.open({ policy: allowed, maxSteps: 3 });
  bench.pool.tool("p", "p__again", () => "again");
  await bench.script(Array.from({ length: 9 }, () => ({ call: { tool: "p__again" } })));

  const events = await bench.prompt("go");

  expect(events.filter((event) => event.type === "model_call")).toHaveLength(3);
  expect(only(events, "turn_ended")).toMatchObject({ outcome: "failed", problem: { code: "TURN_LIMIT" } });
});

test("a turn ends when fifteen calls have failed one after the other", async () => {
  await using bench = await Workbench.open({ policy: allowed });
  bench.pool.tool("p", "p__bad", () => Promise.reject(new Error("no")));
  await bench.script(Array.from({ length: 30 }, () => ({ call: { tool: "p__bad" } })));

  const events = await bench.prompt("go");

  expect(events.filter((event) => event.type === "tool_ended")).toHaveLength(15);
  expect(only(events, "turn_ended")).toMatchObject({ outcome: "failed", problem: { code: "TURN_LIMIT" } });
});

test("every event of a turn is fired at its place", async () => {
  await using bench = await Workbench.open({ policy: allowed });
  bench.pool.tool("p", "p__x", () => "ok");
  const fired: string[] = [];
  for (const event of [
    "agent.started@v1",
    "session.opened@v1",
    "session.message.received@v1",
    "prompt.assemble@v1",
    "turn.start@v1",
    "model.before@v1",
    "model.after@v1",
    "message.delta@v1",
    "message.final@v1",
    "tool.result@v1",
    "tool.after@v1",
    "run.prepare@v1",
    "run.end@v1",
    "turn.end@v1",
    "session.closed@v1",
    "agent.stopped@v1",
  ] as const) {
    bench.pool.on("spy", event, () => void fired.push(event.replace("@v1", "")));
  }
  bench.pool.on("spy", "tool.before@v1", () => {
    fired.push("tool.before");
    return { allow: true };
  });
  await bench.script([{ call: { tool: "p__x" } }, { say: "Hello there." }]);

  const events = await bench.prompt("hi");
  await bench.agents.closeSession("a", only(events, "turn_started").sessionId);
  await bench.agents.deactivate("a");

  expect(fired).toEqual([
    "agent.started",
    "session.opened",
    "session.message.received",
    "turn.start",
    "prompt.assemble",
    "model.before",
    "model.after",
    "tool.before",
    "tool.result",
    "tool.after",
    "model.before",
    "message.delta",
    "model.after",
    "message.final",
    "run.end",
    "run.prepare",
    "turn.end",
    "session.closed",
    "agent.stopped",
  ]);
});

test("hooks change the message, the answer and what the model sees, and the stored conversation has its own", async () => {
  await using bench = await Workbench.open();
  bench.pool.on("p", "session.message.received@v1", () => ({ text: "please, hello" }));
  bench.pool.on("p", "message.final@v1", (payload: { text: string }) => ({
    text: payload.text.toUpperCase(),
  }));
  const seen: unknown[] = [];
  bench.pool.on("p", "model.before@v1", (payload: { messages: unknown[] }) => {
    seen.push(payload.messages);
    return { messages: [{ role: "user", text: "something else" }] };
  });
  await bench.script([{ say: "quiet" }]);

  const events = await bench.prompt("hello");

  expect(seen).toEqual([[{ role: "user", text: "please, hello" }]]);
  expect(only(events, "turn_ended").text).toBe("QUIET");
  const entries = await bench.agents.sessions.entries("a", only(events, "turn_started").sessionId);
  expect(entries.find((entry) => entry.type === "user")).toMatchObject({ text: "please, hello" });
  expect(entries.find((entry) => entry.type === "assistant")).toMatchObject({ text: "QUIET" });
});

test("a hook that must not fail ends the turn when it does, and is named", async () => {
  await using bench = await Workbench.open();
  bench.pool.on("censor", "message.final@v1", () => Promise.reject(new Error("ink")), {
    failureMode: "fail",
  });
  await bench.script([{ say: "something unspeakable" }]);

  const events = await bench.prompt("hi");

  expect(only(events, "turn_ended")).toMatchObject({
    outcome: "failed",
    problem: { code: "HOOK_BLOCKED", message: expect.stringContaining("censor") },
  });
  const entries = await bench.agents.sessions.entries("a", only(events, "turn_started").sessionId);
  expect(entries.some((entry) => entry.type === "assistant")).toBe(false);
});

test("a turn runs to its end although nobody reads its events", async () => {
  await using bench = await Workbench.open({ policy: allowed });
  const ended = new Promise<void>((resolve) => bench.pool.on("spy", "turn.end@v1", () => resolve()));
  await bench.script([{ say: "hello" }]);
  for await (const event of bench.agents.prompt("a", { text: "hi", caller: { kind: "owner" } })) {
    if (event.type === "turn_started") break;
  }
  await ended;
  const [session] = await bench.agents.sessions.list("a");
  await expect
    .poll(async () => (await bench.agents.sessions.entries("a", session?.id ?? "")).at(-1))
    .toMatchObject({ type: "turn_end", outcome: "done" });
});

test("what is stored, streamed and traced holds no stored secret", async () => {
  await using bench = await Workbench.open({ policy: allowed });
  bench.secrets.set("KEY", "hunter2hunter2");
  bench.pool.tool("p", "p__leak", () => "hunter2hunter2");
  await bench.script([
    { say: "I know hunter2hunter2", call: { tool: "p__leak", input: { key: "hunter2hunter2" } } },
    { say: "bye" },
  ]);

  const events = await bench.prompt("is it hunter2hunter2?");

  const { sessionId } = only(events, "turn_started");
  const files = JSON.stringify([await linesOf(bench, sessionId), await linesOf(bench, sessionId, ".record")]);
  expect(files).not.toContain("hunter2");
  expect(JSON.stringify(events)).not.toContain("hunter2");
});

test("a session is watched by several, each of whom sees everything from then on", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "hello" }]);
  const { id } = await bench.agents.createSession("a");
  const stop = new AbortController();
  const session = await bench.agents.sessions.open("a", id);
  const watchers = [session.feed.read(stop.signal), session.feed.read(stop.signal)];

  const events = await bench.prompt("hi", { sessionId: id });
  stop.abort();
  const first = await watchers[0]?.next();

  expect(first).toEqual({ value: undefined, done: true });
  expect(events.at(-1)?.type).toBe("turn_ended");
  await later(0);
  expect(session.feed.size).toBe(0);
});
