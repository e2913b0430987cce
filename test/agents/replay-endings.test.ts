import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Effect, RecordEvent, TurnEvent } from "../../src/contract/index.ts";
import { replayTurn } from "../../src/main/agents/replay/replay.ts";
import type { CallScope } from "../../src/main/runtimes/plugin-call.ts";
import { blobsOf, filesOf } from "../support/record-blobs.ts";
import { modelServer, openaiStream } from "./model-server.ts";
import { next, only, Workbench } from "./workbench.ts";

const allowed = [{ tool: "p__*", effect: "allow" as const }];

/** The records of a session's turns as they stand on disk, a part each for a turn that was gone on with. */
async function recordOf(bench: Workbench, sessionId: string) {
  const folder = join(bench.home, "agents", "a", "sessions");
  const text = await readFile(join(folder, `${sessionId}.record.jsonl`), "utf8");
  const blobs = blobsOf(bench.home, "a", sessionId);
  const entries = await bench.agents.sessions.entries("a", sessionId);
  const turns: string[][] = [];
  for (const line of text.trim().split("\n")) {
    if ((JSON.parse(line) as RecordEvent).type === "turn_begun") turns.push([]);
    turns.at(-1)?.push(line);
  }
  const files = filesOf(bench.home, "a", sessionId);
  const replay = (lines: string[]) =>
    replayTurn({ lines, entries, files, getBlob: (address) => blobs.get(address) });
  return { turns, replay };
}

/** Plays every turn of a session again, and says which kinds of events each had. */
async function expectTheSameAgain(bench: Workbench, sessionId: string): Promise<string[][]> {
  const { turns, replay } = await recordOf(bench, sessionId);
  for (const lines of turns) {
    const { lines: again, difference } = await replay(lines);
    expect(difference).toBeNull();
    expect(again).toEqual(lines);
  }
  return turns.map((lines) => lines.map((line) => (JSON.parse(line) as RecordEvent).type));
}

/** Runs a prompt and stops it at the first event that fits. */
async function stopAt(bench: Workbench, fits: (event: TurnEvent) => boolean) {
  const { id } = await bench.agents.createSession("a");
  const events: TurnEvent[] = [];
  let stopping: Promise<void> | undefined;
  for await (const event of bench.agents.prompt("a", {
    text: "hi",
    sessionId: id,
    caller: { kind: "owner" },
  })) {
    events.push(event);
    if (!stopping && fits(event)) stopping = bench.agents.abort("a", id);
  }
  await stopping;
  expect(events.at(-1)).toMatchObject({ type: "turn_ended", outcome: "aborted" });
  return { id, events };
}

const forever = () => new Promise<never>(() => {});

const speech = { say: "one two three four five six seven eight nine ten", delayMs: 5_000 };
const silence = { call: { tool: "p__do" }, delayMs: 60_000 };

test.each([
  ["as it begins", silence, "turn_started"],
  ["while the model speaks", speech, "text_delta"],
])("a turn that is stopped %s is the same when it is run again", async (_when, step, type) => {
  await using bench = await Workbench.open();
  await bench.script([step]);
  const { id } = await stopAt(bench, (event) => event.type === type);
  const [kinds] = await expectTheSameAgain(bench, id);
  expect(kinds).toContain("stop_asked");
});

test.each<[string, () => unknown]>([
  ["drops", () => ({ drop: true, reason: "not today" })],
  ["drops without a word", () => ({ drop: true })],
  ["makes a command", () => ({ text: "/status" })],
])("a turn whose message a plugin %s is the same when it is run again", async (_how, hook) => {
  await using bench = await Workbench.open();
  bench.pool.command("p", "status", () => "all is well");
  bench.pool.on("p", "session.message.received@v1", hook);
  await bench.script([{ say: "Hello." }]);
  const { id } = await bench.agents.createSession("a");
  await bench.prompt("hi", { sessionId: id });
  const [kinds] = await expectTheSameAgain(bench, id);
  expect(kinds).toContain("message_received");
  expect(kinds).not.toContain("model_asked");
});

test("a turn that is stopped before the model says a word is the same when it is run again", async () => {
  await using bench = await Workbench.open();
  await bench.script([silence]);
  const { id } = await bench.agents.createSession("a");
  let stopping: Promise<void> | undefined;
  bench.pool.on("p", "model.before@v1", () => {
    setImmediate(() => {
      stopping = bench.agents.abort("a", id);
    });
  });
  const events = await bench.prompt("hi", { sessionId: id });
  await stopping;
  expect(events.at(-1)).toMatchObject({ type: "turn_ended", outcome: "aborted" });
  const [kinds] = await expectTheSameAgain(bench, id);
  expect(kinds).toEqual(expect.arrayContaining(["model_asked", "stop_asked", "model_answered"]));
  expect(kinds).not.toContain("model_speaking");
});

test.each<[string, () => unknown]>([
  ["never ends", forever],
  ["answers the stop", () => "cut"],
])("a turn that is stopped during a tool that %s is the same when it is run again", async (_how, end) => {
  await using bench = await Workbench.open({ policy: allowed });
  bench.pool.tool("p", "p__wait", async (_input, scope) => {
    await new Promise((resolve) => scope.signal.addEventListener("abort", resolve, { once: true }));
    return (await end()) as string;
  });
  bench.pool.on("watch", "tool.after@v1", () => undefined);
  await bench.script([{ say: "I wait.", call: [{ tool: "p__wait" }, { tool: "p__wait" }] }]);
  const { id } = await stopAt(bench, (event) => event.type === "tool_started");
  const [kinds] = await expectTheSameAgain(bench, id);
  expect(kinds).toEqual(expect.arrayContaining(["stop_asked", "tool_answered", "tool_skipped"]));
});

test("a turn that is stopped during a hook is the same when it is run again", async () => {
  await using bench = await Workbench.open({ policy: allowed });
  bench.pool.tool("p", "p__do", () => "done");
  let asked: () => void = () => {};
  const asking = new Promise<void>((resolve) => {
    asked = resolve;
  });
  bench.pool.on("guard", "tool.before@v1", () => {
    asked();
    return forever();
  });
  await bench.script([{ call: { tool: "p__do" } }]);
  const { id } = await bench.agents.createSession("a");
  const turn = bench.prompt("hi", { sessionId: id });
  await asking;
  await bench.agents.abort("a", id);
  expect((await turn).at(-1)).toMatchObject({ type: "turn_ended", outcome: "aborted" });
  const [kinds] = await expectTheSameAgain(bench, id);
  expect(kinds).toContain("stop_asked");
});

test("a turn that is stopped while an approval waits is the same when it is run again", async () => {
  await using bench = await Workbench.open();
  bench.pool.tool("p", "p__do", () => "done");
  await bench.script([{ call: [{ tool: "p__do" }, { tool: "p__do" }] }]);
  const { id } = await stopAt(bench, (event) => event.type === "approval_requested");
  const [kinds] = await expectTheSameAgain(bench, id);
  expect(kinds).toEqual(expect.arrayContaining(["stop_asked", "approval_answered"]));
});

test("an approval that times out is the same when the turn is run again", async () => {
  await using bench = await Workbench.open();
  bench.limits.approvalMs = 30;
  bench.pool.tool("p", "p__do", () => "done");
  await bench.script([{ call: { tool: "p__do" } }, { say: "Then not." }]);
  const { id } = await bench.agents.createSession("a");

  const events = await bench.prompt("hi", { sessionId: id });

  expect(only(events, "tool_ended").trace).toMatchObject({
    outcome: "timed_out",
    approval: { status: "timed_out" },
  });
  expect(only(events, "turn_ended")).toMatchObject({ outcome: "done", text: "Then not." });
  await expectTheSameAgain(bench, id);
});

/** The home as a kill at this moment would leave it. */
async function afterKill(bench: Workbench): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "patchbay-killed-"));
  await cp(bench.home, home, { recursive: true });
  return home;
}

test.each(["killed", "closed"] as const)(
  "a turn goes on after the app was %s while an approval waited; both parts are the same when they are run again",
  async (how) => {
    const asks = { policy: [{ tool: "p__do", effect: "ask" as const, callers: [{ channel: "chat" }] }] };
    const before = await Workbench.open(asks);
    const script = [
      { say: "I need the tool.", call: { tool: "p__do" } },
      { say: "Once more.", call: { tool: "p__do" } },
      { say: "All done." },
    ];
    before.pool.tool("p", "p__do", () => "done");
    await before.script(script);
    const { signal } = new AbortController();
    const said = { conversation: "c", userId: "u", text: "go", messageId: "m1", signal, onDelta() {} };
    const waiting = next(before.agents.changes, "approval");
    const lost = before.agents.channels.of("a", "chat").prompt(said);
    lost.catch(() => {});
    await waiting;
    const [session] = await before.agents.sessions.list("a");
    const { id = "" } = session ?? {};
    // What was recorded up to the question is on disk.
    await before.agents.sessions.trace("a", id);
    if (how === "closed") await before.agents.close();
    const home = await afterKill(before);
    await before[Symbol.asyncDispose]();

    await using bench = await Workbench.open(asks, home);
    bench.pool.tool("p", "p__do", () => "done");
    await bench.script(script);
    bench.agents.approvals.changes.on("approval", ({ id: question, status }) => {
      if (status === "waiting")
        void bench.agents.approvals.decide(question, { decision: "allow", scope: "once" });
    });
    const answer = await bench.agents.channels.of("a", "chat").prompt(said);

    expect(answer.text).toBe("All done.");
    const [cut, rest] = await expectTheSameAgain(bench, id);
    expect(cut?.at(-1)).toBe("turn_ended");
    expect(rest).toEqual(expect.arrayContaining(["approval_asked", "approval_answered", "tool_answered"]));
    await rm(before.home, { recursive: true, force: true });
  },
);

test("a turn in which tools and hooks come and go is the same when it is run again", async () => {
  await using bench = await Workbench.open({ policy: [{ tool: "*", effect: "allow" }] });
  const { pool } = bench;
  pool.tool("p", "p__old", () => {
    pool.withdraw("p", "p__old");
    pool.tool("q", "q__new", () => "new");
    pool.on("late", "tool.before@v1", () => ({ allow: true, payload: { args: { changed: true } } }));
    return "gone from now on";
  });
  await bench.script([
    { call: [{ tool: "p__old" }, { tool: "p__old" }, { tool: "q__new" }] },
    { call: { tool: "q__new" } },
    { say: "Done." },
  ]);
  const { id } = await bench.agents.createSession("a");

  const events = await bench.prompt("hi", { sessionId: id });

  const traces = events.flatMap((event) => (event.type === "tool_ended" ? [event.trace] : []));
  expect(traces.map(({ tool, outcome }) => [tool, outcome])).toEqual([
    ["p__old", "executed"],
    ["p__old", "failed"],
    ["q__new", "executed"],
    ["q__new", "executed"],
  ]);
  const [kinds] = await expectTheSameAgain(bench, id);
  expect(kinds).toContain("offer_changed");
});

test("what a plugin offers may change while the model is asked and while a hook runs", async () => {
  await using bench = await Workbench.open({ policy: [{ tool: "*", effect: "allow" }] });
  const { pool } = bench;
  let count = 0;
  pool.tool("p", "p__do", () => "done");
  pool.on("changing", "model.before@v1", () => {
    count += 1;
    pool.tool("p", `p__extra${count}`, () => "extra");
  });
  pool.on("changing", "tool.before@v1", () => {
    pool.setRunning("p", false);
    return { allow: true };
  });
  await bench.script([{ call: { tool: "p__do" } }, { call: { tool: "p__extra1" } }, { say: "Done." }]);
  const { id } = await bench.agents.createSession("a");
  const events = await bench.prompt("hi", { sessionId: id });
  expect(events.at(-1)).toMatchObject({ type: "turn_ended", outcome: "done" });
  await expectTheSameAgain(bench, id);
});

test.each([
  ["at once", [{ fail: "no more credit" }]],
  ["in the middle of its answer", [{ say: "I was going to", fail: "the line broke" }]],
  ["after a tool call", [{ say: "Let me see.", call: { tool: "p__do" } }, { fail: "no more credit" }]],
])("a model that fails %s ends the turn, and it is the same when it is run again", async (_when, script) => {
  await using bench = await Workbench.open({ policy: allowed });
  bench.pool.tool("p", "p__do", () => "done");
  await bench.script(script);
  const { id } = await bench.agents.createSession("a");

  const events = await bench.prompt("hi", { sessionId: id });

  expect(events.filter(({ type }) => type === "turn_ended")).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({
    type: "turn_ended",
    outcome: "failed",
    problem: { code: "MODEL_FAILED" },
  });
  await expectTheSameAgain(bench, id);
});

test.each([
  ["refuses the key", { status: 401, json: { error: { message: "who are you?" } } }],
  ["breaks off", { events: openaiStream({ text: ["I was ", "going "] }).slice(0, 2) }],
])("a turn whose provider %s after a tool call is the same when it is run again", async (_how, answer) => {
  const call = { id: "call_1", name: "p__do", arguments: ["{}"] };
  await using server = await modelServer([
    { events: openaiStream({ text: ["Let me see."], calls: [call] }) },
    answer,
  ]);
  await using bench = await Workbench.open({
    policy: allowed,
    model: { kind: "openai-compatible", model: "m", baseUrl: `${server.url}/v1` },
  });
  bench.pool.tool("p", "p__do", () => "done");
  const { id } = await bench.agents.createSession("a");

  const events = await bench.prompt("hi", { sessionId: id });

  expect(events.at(-1)).toMatchObject({ type: "turn_ended", outcome: "failed" });
  await expectTheSameAgain(bench, id);
});

test("a turn whose model was waited for, and one whose wait was stopped, are the same when they are run again", async () => {
  const busy = { status: 503, json: { error: { message: "overloaded" } } };
  await using server = await modelServer([busy, { events: openaiStream({ text: ["Hello."] }) }, busy]);
  await using bench = await Workbench.open({
    model: { kind: "openai-compatible", model: "m", baseUrl: server.url },
  });
  const first = await bench.prompt("hi");
  expect(only(first, "turn_ended")).toMatchObject({ outcome: "done", text: "Hello." });
  const [waited] = await expectTheSameAgain(bench, only(first, "turn_started").sessionId);
  expect(waited?.filter((type) => /^model_/.test(type))).toEqual([
    "model_asked",
    "model_waiting",
    "model_again",
    "model_speaking",
    "model_answered",
  ]);
  const { id } = await stopAt(bench, ({ type }) => type === "model_waiting");
  const [stopped] = await expectTheSameAgain(bench, id);
  expect(stopped).toContain("stop_asked");
  expect(stopped).not.toContain("model_again");
});

test("a turn whose model's key is not stored is the same when it is run again", async () => {
  await using bench = await Workbench.open({
    model: {
      kind: "openai-compatible",
      model: "m",
      baseUrl: "http://127.0.0.1:9/v1",
      apiKey: "${NOT_THERE}",
    },
  });
  const { id } = await bench.agents.createSession("a");
  const events = await bench.prompt("hi", { sessionId: id });
  expect(events.at(-1)).toMatchObject({ type: "turn_ended", problem: { code: "MISSING_SECRET" } });
  await expectTheSameAgain(bench, id);
});

test("turns in which plugins asked for everything beside their answers play again to the byte", async () => {
  const call = { id: "c", name: "p__go", arguments: ["{}"] };
  const answers = [
    { events: openaiStream({ text: ["a word ", "and another ", "one. "], calls: [call] }) },
    { events: openaiStream({ text: ["two"] }) },
    { status: 200, json: { data: [{ id: "small" }] } },
    { events: openaiStream({ text: ["three"] }) },
    { status: 200, json: { data: [{ id: "small" }] } },
    { events: openaiStream({ text: ["four"] }) },
  ];
  await using server = await modelServer(answers);
  const model = { kind: "openai-compatible" as const, model: "large", baseUrl: `${server.url}/v1` };
  await using bench = await Workbench.open({ policy: allowed, model });
  const once = (...effects: Effect[]) => {
    let left = effects;
    return (_payload: never, scope: CallScope) => {
      if (left.length > 0) scope.effects?.(left);
      left = [];
    };
  };
  bench.pool.tool("p", "p__go", (_input, scope) => {
    scope.effects?.([
      { kind: "steer", text: "look again" },
      { kind: "entry", type: "big", data: "x".repeat(60_000), display: true },
    ]);
    return "gone";
  });
  bench.pool.on("p", "turn.start@v1", once({ kind: "thinkingLevel", level: "low" }));
  bench.pool.on("p", "message.delta@v1", once({ kind: "notify", text: "it speaks", level: "info" }));
  bench.pool.on(
    "p",
    "run.prepare@v1",
    once({ kind: "nextModel", model: "small" }, { kind: "followUp", text: "once more" }),
  );
  bench.pool.on("p", "turn.end@v1", once({ kind: "nextModel", model: "giant" }));
  const { id } = await bench.agents.createSession("a");
  await bench.prompt("hi", { sessionId: id });
  const last = await bench.prompt("again", { sessionId: id });
  expect(only(last, "turn_ended")).toMatchObject({ outcome: "done", text: "four" });
  await bench.agents.sessions.close();

  const [first, second] = await expectTheSameAgain(bench, id);

  expect(first?.filter((type) => type === "effects_asked")).toHaveLength(5);
  expect(first?.filter((type) => type === "steered")).toHaveLength(2);
  expect(second).toContain("plugin_said");
  const asked = server.requests.filter(({ path }) => path.endsWith("completions"));
  expect(asked.map(({ body }) => body.model)).toEqual(["large", "large", "small", "large"]);
});
