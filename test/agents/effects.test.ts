import { expect, test } from "vitest";
import type { Effect, PluginSaid, SessionEntry, TurnEvent } from "../../src/contract/index.ts";
import type { CallScope } from "../../src/main/runtimes/plugin-call.ts";
import { message, next, only, Workbench } from "./workbench.ts";

const allowed = [{ tool: "p__*", effect: "allow" as const }];

/** A hook, a tool or a command that asks for these once, and then for nothing. */
function once(...effects: Effect[]) {
  let left = effects;
  return (_given: never, scope: CallScope) => {
    const now = left;
    left = [];
    if (now.length > 0) scope.effects?.(now);
    return undefined as never;
  };
}

/** The messages of each model call. */
function callsOf(bench: Workbench): string[][] {
  const calls: string[][] = [];
  bench.pool.on(
    "spy",
    "model.before@v1",
    ({ messages }: { messages: { role: string; text: string }[] }) =>
      void calls.push(messages.map(({ role, text }) => `${role}: ${text}`)),
    { priority: 1_000 },
  );
  return calls;
}

const saidIn = (list: readonly (SessionEntry | TurnEvent)[]): [string, PluginSaid][] =>
  list.flatMap((one) =>
    one.type === "plugin" || one.type === "plugin_said"
      ? [[one.owner, one.said] as [string, PluginSaid]]
      : [],
  );

async function entriesOf(bench: Workbench, events: readonly TurnEvent[]) {
  return bench.agents.sessions.entries("a", only(events, "turn_started").sessionId);
}

test("what a hook notifies, keeps and shows stands in the conversation, and the model is not sent it", async () => {
  await using bench = await Workbench.open();
  const effects: Effect[] = [
    { kind: "notify", text: "seen", level: "warn" },
    { kind: "entry", type: "todo", data: { open: 1 }, display: false },
    { kind: "customMessage", content: "hello", display: true, lines: [{ color: "red", text: "hello" }] },
  ];
  bench.pool.on("p", "turn.start@v1", once(...effects));
  const calls = callsOf(bench);
  await bench.script([{ say: "one" }, { say: "two" }]);

  const events = await bench.prompt("hi");
  const { sessionId } = only(events, "turn_started");
  await bench.prompt("again", { sessionId });

  const said = effects.map((effect) => ["p", effect]);
  expect(saidIn(events)).toEqual(said);
  expect(calls).toEqual([["user: hi"], ["user: hi", "assistant: one", "user: again"]]);
  // They are there when the conversation is opened anew.
  await bench.agents.sessions.close();
  expect(saidIn(await entriesOf(bench, events))).toEqual(said);
});

test("the trace and the audit say who asked for what", async () => {
  await using bench = await Workbench.open({ policy: allowed });
  const notify: Effect = { kind: "notify", text: "seen", level: "info" };
  const think: Effect = { kind: "thinkingLevel", level: "high" };
  bench.pool.on("p", "turn.start@v1", once(notify));
  bench.pool.tool("p", "p__go", (_input, scope) => {
    scope.effects?.([think]);
    return "gone";
  });
  await bench.script([{ call: { tool: "p__go" } }, { say: "done" }]);

  const events = await bench.prompt("hi");

  expect(only(events, "tool_ended").trace.effects).toEqual([think]);
  const trace = await bench.agents.sessions.trace("a", only(events, "turn_started").sessionId);
  expect(trace.flatMap((one) => (one.type === "hook" && one.hook.effects ? [one.hook] : []))).toMatchObject([
    { event: "turn.start@v1", owner: "p", decision: "ran", effects: [notify] },
  ]);
  await bench.agents.close();
  expect(bench.audit.filter(({ kind }) => kind === "plugin.asked")).toMatchObject([
    { pluginKey: "p", asked: ["thinkingLevel"] },
  ]);
});

test("steering comes before the next model call, also the one whose hooks asked for it", async () => {
  await using bench = await Workbench.open({ policy: allowed });
  bench.pool.tool("p", "p__go", () => "gone");
  bench.pool.on("p", "turn.start@v1", once({ kind: "steer", text: "first" }));
  bench.pool.on("p", "tool.after@v1", once({ kind: "steer", text: "after the tool" }));
  let asked = 0;
  bench.pool.on("p", "model.before@v1", (_payload, scope) => {
    asked += 1;
    if (asked === 2) scope.effects?.([{ kind: "steer", text: "in the call itself" }]);
  });
  bench.pool.on("p", "message.final@v1", once({ kind: "steer", text: "after the answer" }));
  await bench.script([{ call: { tool: "p__go" } }, { say: "one" }, { say: "two" }]);

  const events = await bench.prompt("hi");

  const spoken = (await entriesOf(bench, events)).flatMap((entry) => {
    if (entry.type === "user" || entry.type === "steer") return [entry.text];
    return entry.type === "assistant" || entry.type === "tool_result" ? [entry.type] : [];
  });
  expect(spoken).toEqual([
    "hi",
    "first",
    "assistant",
    "tool_result",
    "after the tool",
    "in the call itself",
    "assistant",
    "after the answer",
    "assistant",
  ]);
  expect(events.flatMap((event) => (event.type === "steered" ? [event.text] : []))).toEqual([
    "first",
    "after the tool",
    "in the call itself",
    "after the answer",
  ]);
  expect(only(events, "turn_ended")).toMatchObject({ outcome: "done", text: "two" });
});

test("the model is sent steering at its place, in this turn and in later ones", async () => {
  await using bench = await Workbench.open();
  bench.pool.on("p", "model.before@v1", once({ kind: "steer", text: "be kind" }));
  const calls = callsOf(bench);
  await bench.script([{ say: "one" }, { say: "two" }]);
  const events = await bench.prompt("hi");
  const { sessionId } = only(events, "turn_started");
  await bench.prompt("again", { sessionId });
  expect(calls[1]).toEqual(["user: hi", "user: be kind", "assistant: one", "user: again"]);
});

test("a follow-up keeps a run going, and one that is asked for at its end begins another in the same turn", async () => {
  await using bench = await Workbench.open();
  const told: string[] = [];
  for (const event of ["run.end@v1", "run.prepare@v1", "turn.end@v1"] as const)
    bench.pool.on("spy", event, () => void told.push(event));
  bench.pool.on("p", "turn.start@v1", once({ kind: "followUp", text: "more" }));
  bench.pool.on("p", "run.prepare@v1", once({ kind: "followUp", text: "still more" }));
  const calls = callsOf(bench);
  await bench.script([{ say: "one" }, { say: "two" }, { say: "three" }]);

  const events = await bench.prompt("hi");

  expect(calls.at(-1)).toEqual([
    "user: hi",
    "assistant: one",
    "user: more",
    "assistant: two",
    "user: still more",
  ]);
  expect(only(events, "turn_ended")).toMatchObject({ outcome: "done", text: "three" });
  expect(told).toEqual(["run.end@v1", "run.prepare@v1", "run.end@v1", "run.prepare@v1", "turn.end@v1"]);
});

test("a plugin that always wants more is held to the agent's limit of model calls, and told so", async () => {
  await using bench = await Workbench.open({ maxSteps: 3 });
  bench.pool.on("p", "run.prepare@v1", (_payload, scope) => {
    scope.effects?.([{ kind: "followUp", text: "more" }]);
  });
  await bench.script([{ say: "one" }, { say: "two" }, { say: "three" }, { say: "four" }]);

  const events = await bench.prompt("hi");

  expect(events.filter(({ type }) => type === "model_call")).toHaveLength(3);
  expect(only(events, "turn_ended")).toMatchObject({ outcome: "done", text: "three" });
  expect(saidIn(events)).toEqual([["p", { kind: "refused", effect: "followUp", why: { kind: "run_over" } }]]);
});

test("a stop ends the run when the results of the tools are in, and follow-ups are refused", async () => {
  await using bench = await Workbench.open({ policy: allowed });
  bench.pool.tool("p", "p__go", (_input, scope) => {
    scope.effects?.([{ kind: "stopAfterTurn" }, { kind: "followUp", text: "more" }]);
    return "gone";
  });
  const call = { tool: "p__go" };
  await bench.script([{ call: [call, call] }, { say: "never" }]);

  const events = await bench.prompt("hi");

  expect(events.filter(({ type }) => type === "tool_ended")).toHaveLength(2);
  expect(events.filter(({ type }) => type === "model_call")).toHaveLength(1);
  expect(only(events, "turn_ended")).toMatchObject({ outcome: "done", problem: null });
  expect(saidIn(events).map(([, said]) => said.kind)).toEqual(["refused", "refused"]);
});

test("a run of its own follows the turn, in the plugin's name, and a person's stop ends all of it", async () => {
  await using bench = await Workbench.open();
  bench.pool.on("p", "turn.end@v1", once({ kind: "run", text: "now test it" }));
  await bench.script([{ say: "one" }, { say: "two" }]);
  const { id } = await bench.agents.createSession("a");
  const session = await bench.agents.sessions.open("a", id);
  const ended = next<unknown>(bench.agents.changes, "session", () =>
    session.entries.some((entry) => entry.type === "assistant" && entry.text === "two"),
  );
  await bench.prompt("hi", { sessionId: id });
  await ended;
  const entries = await bench.agents.sessions.entries("a", id);
  expect(entries.filter(({ type }) => type === "user")).toMatchObject([
    { text: "hi" },
    { text: "now test it", by: "p", caller: { kind: "owner" } },
  ]);
});

test("plugins cannot begin runs for ever", async () => {
  await using bench = await Workbench.open();
  bench.pool.on("p", "turn.end@v1", (_payload, scope) => scope.effects?.([{ kind: "run", text: "again" }]));
  await bench.script(Array.from({ length: 40 }, () => ({ say: "yes" })));
  const { id } = await bench.agents.createSession("a");
  const session = await bench.agents.sessions.open("a", id);
  const refused = next<unknown>(bench.agents.changes, "session", () => saidIn(session.entries).length > 0);
  await bench.prompt("hi", { sessionId: id });
  await refused;
  expect(saidIn(session.entries)).toEqual([
    ["p", { kind: "refused", effect: "run", why: { kind: "too_many_runs" } }],
  ]);
  expect(session.entries.filter(({ type }) => type === "user")).toHaveLength(21);
});

test("a model that the provider does not know is told, and nothing is lost", async () => {
  await using bench = await Workbench.open();
  bench.pool.on("p", "run.prepare@v1", once({ kind: "nextModel", model: "giant" }));
  await bench.script([{ say: "one" }, { say: "two" }]);
  const first = await bench.prompt("hi");
  const second = await bench.prompt("again", { sessionId: only(first, "turn_started").sessionId });
  expect(saidIn(first)).toEqual([["p", { kind: "nextModel", model: "giant" }]]);
  expect(saidIn(second)).toEqual([
    ["p", { kind: "refused", effect: "nextModel", why: { kind: "unknown_model", model: "giant" } }],
  ]);
  expect(only(second, "turn_ended")).toMatchObject({ outcome: "done", text: "two" });
});

test("moves in the tree are made after the turn, and what is not there is told", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "one" }, { say: "two" }]);
  const first = await bench.prompt("hi");
  const { sessionId } = only(first, "turn_started");
  const user = (await entriesOf(bench, first)).find(({ type }) => type === "user");
  const id = user && "id" in user ? user.id : "";
  const moves: Effect[] = [
    { kind: "session", request: { op: "label", id, label: "start" } },
    { kind: "session", request: { op: "fork", id: "nothing", position: "at" } },
    { kind: "session", request: { op: "navigate", id } },
  ];
  bench.pool.on("p", "turn.start@v1", once(...moves));

  const second = await bench.prompt("again", { sessionId });

  const session = await bench.agents.sessions.open("a", sessionId);
  await session.serial(async () => {});
  expect(session.tree.nodes().find(({ entry }) => entry.id === id)).toMatchObject({ label: "start" });
  expect(session.path.filter(({ type }) => type === "user")).toEqual([]);
  expect(only(second, "turn_ended").outcome).toBe("done");
  expect(saidIn(session.entries)).toMatchObject([
    ["p", { effect: "session", why: { kind: "failed", problem: { code: "ENTRY_NOT_FOUND" } } }],
  ]);
});

test("a command's requests are done after it, and a run that it asks for begins", async () => {
  await using bench = await Workbench.open();
  bench.pool.command("p", "go", (_args, scope) => {
    scope.effects?.([
      { kind: "notify", text: "going", level: "info" },
      { kind: "run", text: "go on" },
      { kind: "session", request: { op: "new" } },
    ]);
    return "gone";
  });
  await bench.script([{ say: "one" }]);
  const { id } = await bench.agents.createSession("a");
  const session = await bench.agents.sessions.open("a", id);
  const events: TurnEvent[] = [];
  const stop = new AbortController();
  const left = (async () => {
    for await (const event of session.feed.read(stop.signal)) {
      events.push(event);
      const types = events.map(({ type }) => type);
      if (types.includes("session_left") && types.includes("turn_ended")) return;
    }
  })();

  await bench.prompt("/go", { sessionId: id });
  await left;

  const lines = session.entries.map(({ type }) => type);
  expect(lines.slice(0, 4)).toEqual(["session", "command", "plugin", "user"]);
  expect(session.entries.find(({ type }) => type === "user")).toMatchObject({ text: "go on", by: "p" });
});

test("outside of a conversation a command's notices stand below its text", async () => {
  await using bench = await Workbench.open();
  bench.pool.command("p", "go", (_args, scope) => {
    scope.effects?.([{ kind: "notify", text: "going", level: "info" }]);
    return "gone";
  });
  const caller = { kind: "owner" as const };
  const signal = new AbortController().signal;
  const { output } = await bench.agents.commands.run("a", { text: "/go", session: null, caller, signal });
  expect(output).toBe("gone\n[p] going");
});

test("in a chat a plugin begins no runs and moves nothing, and its notices are not sent there", async () => {
  await using bench = await Workbench.open();
  bench.pool.on(
    "p",
    "turn.end@v1",
    once(
      { kind: "run", text: "more" },
      { kind: "session", request: { op: "new" } },
      { kind: "notify", text: "quiet", level: "info" },
    ),
  );
  await bench.script([{ say: "Hello." }]);
  const answer = await bench.agents.channels.prompt("a", "tele", message("hi"));
  expect(answer.text).toBe("Hello.");
  const entries = await bench.agents.sessions.entries("a", answer.sessionId);
  expect(saidIn(entries).map(([, said]) => said)).toEqual([
    { kind: "refused", effect: "run", why: { kind: "in_chat" } },
    { kind: "refused", effect: "session", why: { kind: "in_chat" } },
    { kind: "notify", text: "quiet", level: "info" },
  ]);
});

test("a hook fired by hand reaches only the conversation that it names", async () => {
  await using bench = await Workbench.open();
  bench.pool.on("p", "turn.end@v1", (_payload, scope) => {
    scope.effects?.([{ kind: "notify", text: "by hand", level: "info" }]);
  });
  const { id } = await bench.agents.createSession("a");
  const session = await bench.agents.sessions.open("a", id);
  const said = next<unknown>(bench.agents.changes, "session", () => saidIn(session.entries).length > 0);
  await bench.agents.fire("a", "turn.end@v1", { sessionId: id });
  await said;
  await bench.agents.fire("a", "turn.end@v1", { sessionId: "another-one" });
  await bench.agents.fire("a", "turn.end@v1", {});
  expect(saidIn(session.entries)).toEqual([["p", { kind: "notify", text: "by hand", level: "info" }]]);
});

test("stored secrets are taken out of what plugins ask for", async () => {
  await using bench = await Workbench.open();
  bench.secrets.set("KEY", "hunter2hunter2");
  bench.pool.on(
    "p",
    "turn.start@v1",
    once(
      { kind: "notify", text: "hunter2hunter2", level: "info" },
      { kind: "steer", text: "hunter2hunter2" },
    ),
  );
  const calls = callsOf(bench);
  await bench.script([{ say: "one" }]);
  const events = await bench.prompt("hi");
  expect(calls).toEqual([["user: hi", "user: •••"]]);
  expect(JSON.stringify(events)).not.toContain("hunter2");
});

test.each(["model.after@v1", "message.final@v1"] as const)(
  "what a hook leaves while it hears of an answer (%s) stands after it, live and stored alike",
  async (event) => {
    await using bench = await Workbench.open();
    bench.pool.on("p", event, once({ kind: "notify", text: "heard", level: "info" }));
    await bench.script([{ say: "one" }]);
    const events = await bench.prompt("hi");
    const kinds = (list: readonly { type: string }[], ...of: string[]) =>
      list.map(({ type }) => type).filter((type) => of.includes(type));
    expect(kinds(events, "message", "plugin_said")).toEqual(["message", "plugin_said"]);
    expect(kinds(await entriesOf(bench, events), "assistant", "plugin")).toEqual(["assistant", "plugin"]);
  },
);

test("what a hook leaves while it refuses an answer is not lost", async () => {
  await using bench = await Workbench.open();
  bench.pool.on(
    "p",
    "message.final@v1",
    (_given: never, scope: CallScope) => {
      scope.effects?.([{ kind: "notify", text: "never", level: "error" }]);
      throw new Error("no");
    },
    { failureMode: "fail" },
  );
  await bench.script([{ say: "one" }]);
  const events = await bench.prompt("hi");
  expect(only(events, "turn_ended").outcome).toBe("failed");
  expect(saidIn(await entriesOf(bench, events))).toMatchObject([["p", { text: "never" }]]);
});
