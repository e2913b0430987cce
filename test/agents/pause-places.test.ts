import { afterEach, expect, test, vi } from "vitest";
import type {
  Approval,
  BreakpointInput,
  Pause,
  PauseAnswer,
  RecordEvent,
  TurnEvent,
} from "../../src/contract/index.ts";
import { breakpointInputSchema } from "../../src/contract/index.ts";
import { next, only, Workbench } from "./workbench.ts";

afterEach(() => void vi.useRealTimers());

const person = { kind: "owner" } as const;

/** Adds a breakpoint to the agent. */
function breakAt(bench: Workbench, input: BreakpointInput) {
  return bench.agents.pauses.add("a", breakpointInputSchema.parse(input));
}

/** The pause that is reached next, of those that are not known yet. */
async function reached(bench: Workbench, known: readonly string[] = []): Promise<Pause> {
  const { pauses, changes } = bench.agents;
  for (;;) {
    const found = pauses.list().find(({ id }) => !known.includes(id));
    if (found) return found;
    await next(changes, "pauses");
  }
}

function resume(bench: Workbench, { id }: Pause, answer: PauseAnswer): void {
  bench.agents.pauses.resume(id, answer, person);
}
const goOn: PauseAnswer = { action: "continue", step: false };
const step: PauseAnswer = { action: "continue", step: true };

/** Every event of the only turn of the only conversation. */
async function record(bench: Workbench, events: readonly TurnEvent[]): Promise<RecordEvent[]> {
  const { sessionId } = only(events, "turn_started");
  return (await bench.agents.sessions.open("a", sessionId)).events.readEvents();
}

test("the person's arguments are judged by every hook, asked about with the old ones, and run", async () => {
  await using bench = await Workbench.open();
  bench.pool.tool("p", "p__send", ({ to }) => `sent to ${to}`);
  const judged: unknown[] = [];
  bench.pool.on("meddler", "tool.before@v1", ({ final }: { final?: true }) =>
    final ? { allow: true } : { allow: true, payload: { args: { to: "b" } } },
  );
  bench.pool.on("guard", "tool.before@v1", ({ args, final }: { args: object; final?: true }) => {
    judged.push([args, final]);
    return { allow: true };
  });
  breakAt(bench, { where: "tool", tool: "p__*" });
  const asked = next<Approval>(bench.agents.changes, "approval");

  const pending = bench.call("p__send", { to: "a" });
  const pause = await reached(bench);
  expect(pause).toMatchObject({ where: "tool", title: "p.send", plugin: "p", canEdit: true, canSkip: true });
  expect(bench.agents.pauses.look(pause.id)).toMatchObject({
    subject: { where: "tool", arguments: { to: "b" } },
    schema: { type: "object" },
  });
  resume(bench, pause, { ...goOn, edit: { where: "tool", arguments: { to: "c" } } });
  const approval = await asked;
  expect(approval).toMatchObject({
    arguments: { to: "c" },
    changedBy: ["meddler"],
    editedByPerson: { before: { to: "b" } },
  });
  await bench.agents.approvals.decide(approval.id, { decision: "allow", scope: "once" });

  const { trace, output } = await pending;
  expect(output.content).toEqual([{ type: "text", text: "sent to c" }]);
  expect(trace).toMatchObject({
    arguments: { to: "a" },
    finalArguments: { to: "c" },
    changedBy: ["meddler"],
    editedByPerson: { before: { to: "b" } },
    outcome: "executed",
  });
  expect(judged).toEqual([
    [{ to: "b" }, undefined],
    [{ to: "c" }, true],
  ]);
});

test("a hook that refuses what the person made of the arguments stops the call", async () => {
  await using bench = await Workbench.open({ policy: [{ tool: "p__send", effect: "allow" }] });
  bench.pool.tool("p", "p__send", () => "sent");
  bench.pool.on("guard", "tool.before@v1", ({ args }: { args: { to: string } }) =>
    args.to === "stranger" ? { allow: false, reason: "no strangers" } : { allow: true },
  );
  breakAt(bench, { where: "tool" });

  const pending = bench.call("p__send", { to: "friend" });
  resume(bench, await reached(bench), { ...goOn, edit: { where: "tool", arguments: { to: "stranger" } } });

  expect((await pending).trace).toMatchObject({ outcome: "vetoed", problem: { code: "TOOL_VETOED" } });
  expect(bench.pool.calls).toEqual([]);
});

test("arguments that do not fit the schema are refused at their field, and the call stands still", async () => {
  await using bench = await Workbench.open({ policy: [{ tool: "p__count", effect: "allow" }] });
  const parameters = { type: "object", properties: { most: { type: "integer" } }, required: ["most"] };
  bench.pool.tool("p", "p__count", ({ most }) => `up to ${most}`, { parameters });
  breakAt(bench, { where: "tool" });

  const pending = bench.call("p__count", { most: 3 });
  const pause = await reached(bench);
  const edit = { where: "tool", arguments: { most: "many" } } as const;
  expect(() => resume(bench, pause, { ...goOn, edit })).toThrow(
    expect.objectContaining({
      code: "ARGUMENTS_INVALID",
      details: { problems: [expect.objectContaining({ field: "most" })] },
    }),
  );
  expect(bench.agents.pauses.list()).toEqual([pause]);
  resume(bench, pause, { ...goOn, edit: { where: "tool", arguments: { most: 5 } } });
  expect((await pending).output.content).toEqual([{ type: "text", text: "up to 5" }]);
});

test("a secret that the person does not see stays what it was when they change something else", async () => {
  await using bench = await Workbench.open({ policy: [{ tool: "p__send", effect: "allow" }] });
  bench.secrets.set("KEY", "swordfish");
  bench.pool.tool("p", "p__send", () => "sent");
  breakAt(bench, { where: "tool" });

  const pending = bench.call("p__send", { with: { key: "swordfish" }, to: ["a", "swordfish"] });
  const pause = await reached(bench);
  const { subject } = bench.agents.pauses.look(pause.id);
  expect(subject).toEqual({ where: "tool", arguments: { with: { key: "•••" }, to: ["a", "•••"] } });
  const edit = { where: "tool", arguments: { with: { key: "•••" }, to: ["b", "•••"] } } as const;
  resume(bench, pause, { ...goOn, edit: { ...edit, arguments: { ...edit.arguments, to: ["b", "•••"] } } });
  await pending;
  expect(bench.pool.calls).toEqual([
    { key: "p", tool: "p__send", input: { with: { key: "swordfish" }, to: ["b", "swordfish"] } },
  ]);
});

test("a call that is passed over does not run, and the model gets the person's result", async () => {
  await using bench = await Workbench.open({ policy: [{ tool: "p__send", effect: "allow" }] });
  bench.pool.tool("p", "p__send", () => "sent");
  bench.pool.on("guard", "tool.before@v1", () => ({ allow: true }));
  await bench.script([{ call: { tool: "p__send", input: {} } }, { say: "Done." }]);
  breakAt(bench, { where: "tool" });

  const prompted = bench.prompt("Send it");
  resume(bench, await reached(bench), { action: "skip", step: false, text: "It was sent by hand." });
  const events = await prompted;

  expect(bench.pool.calls).toEqual([]);
  const { trace } = only(events, "tool_ended");
  expect(trace).toMatchObject({ outcome: "executed", executeMs: null, givenByPerson: true });
  expect(trace.result?.content).toEqual([{ type: "text", text: "It was sent by hand." }]);
  expect(only(events, "turn_ended")).toMatchObject({ outcome: "done", text: "Done." });
  await expect
    .poll(() => bench.audit)
    .toContainEqual(
      expect.objectContaining({ kind: "turn.resumed", where: "tool", action: "skip", by: person }),
    );
});

test("a result is changed before the hooks on it, and the model gets what they make of it", async () => {
  await using bench = await Workbench.open({ policy: [{ tool: "p__read", effect: "allow" }] });
  bench.pool.tool("p", "p__read", () => "the letter");
  bench.pool.on("polish", "tool.result@v1", ({ content }: { content: { text: string }[] }) => ({
    content: [{ type: "text", text: `${content[0]?.text}, polished` }],
  }));
  breakAt(bench, { where: "result", condition: 'result contains "letter"' });

  const pending = bench.call("p__read");
  const pause = await reached(bench);
  expect(bench.agents.pauses.look(pause.id).subject).toMatchObject({
    content: [{ type: "text", text: "the letter" }],
    isError: false,
  });
  const content = [{ type: "text" as const, text: "another letter" }];
  resume(bench, pause, { ...goOn, edit: { where: "result", content, isError: false } });

  expect((await pending).output.content).toEqual([{ type: "text", text: "another letter, polished" }]);
});

test("the model is sent the system text and messages that the person made, or says what they say", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "From the model." }]);
  breakAt(bench, { where: "model" });

  const first = bench.prompt("How are you?");
  const pause = await reached(bench);
  const { subject } = bench.agents.pauses.look(pause.id);
  if (subject.where !== "model") throw new Error(subject.where);
  expect(subject.system).toContain("Be brief.");
  expect(subject.messages).toEqual([{ role: "user", text: "How are you?" }]);
  const messages = [{ role: "user" as const, text: "Who are you?" }];
  resume(bench, pause, { ...goOn, edit: { where: "model", system: "Be long.", messages } });
  const asked = (await record(bench, await first)).find(({ type }) => type === "model_asked");
  expect(JSON.stringify(asked)).toContain("Who are you?");
  expect(JSON.stringify(asked)).toContain("Be long.");
  expect(JSON.stringify(asked)).not.toContain("How are you?");

  const second = bench.prompt("And now?");
  resume(bench, await reached(bench), { action: "skip", step: false, text: "From the person." });
  const events = await second;
  expect(only(events, "turn_ended")).toMatchObject({ outcome: "done", text: "From the person." });
  const types = (await record(bench, events)).map(({ type }) => type);
  expect(types).not.toContain("model_asked");
  expect(types).not.toContain("model_answered");
});

test("a hook is told of another payload or passed over, and a guard never is", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "Hello." }]);
  const told: string[] = [];
  for (const name of ["one", "two"])
    bench.pool.on(name, "message.final@v1", ({ text }: { text: string }) => {
      told.push(`${name}: ${text}`);
      return { text: `${text} ${name}` };
    });
  bench.pool.tool("p", "p__send", () => "sent");
  bench.pool.on("guard", "tool.before@v1", () => ({ allow: true }));
  breakAt(bench, { where: "hook", event: "message.final@v1" });

  const prompted = bench.prompt("Hi");
  const first = await reached(bench);
  expect(bench.agents.pauses.look(first.id).fields).toEqual(["text"]);
  const payload = { text: "Goodbye.", sessionId: "another" };
  resume(bench, first, { ...goOn, edit: { where: "hook", payload } });
  const second = await reached(bench, [first.id]);
  expect(second).toMatchObject({ plugin: "two", title: "message.final@v1" });
  resume(bench, second, { action: "skip", step: false, text: "" });

  expect(only(await prompted, "turn_ended").text).toBe("Goodbye. one");
  expect(told).toEqual(["one: Goodbye."]);

  breakAt(bench, { where: "hook", event: "tool.before@v1" });
  const pending = bench.call("p__send", { to: "a" });
  const guard = await reached(bench);
  expect(guard).toMatchObject({ plugin: "guard", canSkip: false, canEdit: true });
  expect(() => resume(bench, guard, { action: "skip", step: false, text: "" })).toThrow("left out");
  const asked = next<Approval>(bench.agents.changes, "approval");
  resume(bench, guard, { ...goOn, edit: { where: "hook", payload: { args: { to: "b" } } } });
  const approval = await asked;
  expect(approval).toMatchObject({ arguments: { to: "b" }, editedByPerson: { before: { to: "a" } } });
  await bench.agents.approvals.decide(approval.id, { decision: "deny" });
  expect((await pending).trace).toMatchObject({ editedByPerson: { before: { to: "a" } } });
});

test("a step stops at the next place of the turn, and not in the next turn", async () => {
  await using bench = await Workbench.open({ policy: [{ tool: "p__send", effect: "allow" }] });
  bench.pool.tool("p", "p__send", () => "sent");
  bench.pool.on("watcher", "turn.start@v1", () => undefined);
  await bench.script([{ call: { tool: "p__send", input: {} } }, { say: "Done." }]);
  bench.agents.pauses.next("a", true);
  expect(bench.agents.pauses.state.stepping).toEqual(["a"]);

  const prompted = bench.prompt("Go");
  const places: string[] = [];
  const known: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    const pause = await reached(bench, known);
    known.push(pause.id);
    places.push(`${pause.where} ${pause.title}`);
    expect(pause.breakpoint).toBeNull();
    resume(bench, pause, step);
  }
  expect(only(await prompted, "turn_ended").outcome).toBe("done");
  expect(places).toEqual([
    "hook turn.start@v1",
    "model script.json",
    "tool p.send",
    "result p.send",
    "model script.json",
  ]);
  expect(bench.agents.pauses.armed).toBe(false);
  expect(only(await bench.prompt("Again"), "turn_ended").outcome).toBe("done");
});

test("a condition decides, a breakpoint that is off does not stop, and hits are counted", async () => {
  await using bench = await Workbench.open({ policy: [{ tool: "p__run", effect: "allow" }] });
  bench.pool.tool("p", "p__run", () => "ran");
  const rm = breakAt(bench, { where: "tool", name: "rm", condition: 'args.command contains "rm"' });
  const off = breakAt(bench, { where: "tool", enabled: false });
  expect(() => breakAt(bench, { where: "tool", condition: "args. contains" })).toThrow(
    expect.objectContaining({
      code: "CONDITION_INVALID",
      details: { fault: "unknown_sign", at: 4, length: 1 },
    }),
  );

  expect((await bench.call("p__run", { command: "ls" })).outcome).toBe("executed");
  const pending = bench.call("p__run", { command: "rm -r build" });
  const pause = await reached(bench);
  expect(pause.breakpoint).toEqual({ id: rm.id, name: "rm" });
  // What is stopped stays stopped, and may go on, when its breakpoint is gone.
  bench.agents.pauses.remove("a", rm.id);
  expect(bench.agents.pauses.list()).toEqual([pause]);
  resume(bench, pause, goOn);
  expect((await pending).outcome).toBe("executed");
  expect(bench.agents.pauses.armed).toBe(false);
  expect(bench.agents.pauses.breakpoints("a")).toMatchObject([{ id: off.id, hits: 0 }]);
  expect(() => bench.agents.pauses.resume(pause.id, goOn, person)).toThrow("any more");
});

test("two conversations stand still at once, each by itself", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "One." }]);
  breakAt(bench, { where: "model" });
  const [one, two] = [bench.prompt("First"), bench.prompt("Second")];
  const first = await reached(bench);
  const second = await reached(bench, [first.id]);
  expect(first.sessionId).not.toBe(second.sessionId);

  resume(bench, second, { action: "stop" });
  const ended = only(await Promise.race([one, two]), "turn_ended");
  expect(ended).toMatchObject({ outcome: "aborted", problem: { code: "ABORTED" } });
  expect(bench.agents.pauses.list()).toEqual([first]);
  resume(bench, first, goOn);
  const outcomes = (await Promise.all([one, two])).map((events) => only(events, "turn_ended").outcome);
  expect(outcomes.sort()).toEqual(["aborted", "done"]);
});

test("stopping the turn from outside ends the pause, in a call and in a hook at the end", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "One." }]);
  bench.pool.on("watcher", "turn.end@v1", () => undefined);
  for (const input of [{ where: "model" }, { where: "hook", event: "turn.end@v1" }] as const) {
    const { id } = breakAt(bench, input);
    const prompted = bench.prompt("Go");
    const pause = await reached(bench);
    await bench.agents.abort("a", pause.sessionId);
    const events = await prompted;
    expect(only(events, "turn_ended").outcome).toBe(input.where === "model" ? "aborted" : "done");
    const resumed = (await record(bench, events)).find(({ type }) => type === "resumed");
    expect(resumed).toMatchObject({ action: "stop", by: null, why: "stopped" });
    bench.agents.pauses.remove("a", id);
  }
  expect(bench.agents.pauses.list()).toEqual([]);
});

test("Patchbay closes while a turn stands still: the turn ends as stopped, and its record is whole", async () => {
  const bench = await Workbench.open();
  await bench.script([{ say: "One." }]);
  breakAt(bench, { where: "model" });
  const prompted = bench.prompt("Go");
  const { sessionId, turnId } = await reached(bench);
  await bench.agents.close();
  await prompted;
  await using again = await Workbench.open({}, bench.home);
  const events = await (await again.agents.sessions.open("a", sessionId)).events.readEvents();
  expect(events.filter((event) => event.turnId === turnId).map(({ type }) => type)).toEqual([
    "turn_begun",
    "message_received",
    "prompt_made",
    "paused",
    "resumed",
    "stop_asked",
    "turn_ended",
  ]);
  expect(events.at(-1)).toMatchObject({ outcome: "aborted" });
  expect(events.at(-1)).not.toHaveProperty("cut");
});

test("time stands still: the approval has its whole time after the pause, and the calls around it as well", async () => {
  await using bench = await Workbench.open();
  bench.pool.tool("p", "p__inner", () => "inner");
  // A tool that calls another one in the same conversation, and waits for it.
  bench.pool.tool("p", "p__outer", async () => (await bench.call("p__inner")).output);
  // Loaded with the first call; a fake timer would not wait for that.
  await bench.call("p__inner", {}, { approved: true });
  breakAt(bench, { where: "tool", tool: "p__inner" });
  const stopWatching = new AbortController();
  const watching = bench.agents.pauses.watch(stopWatching.signal);
  await watching.next();
  vi.useFakeTimers();

  const outer = bench.call("p__outer", {}, { approved: true });
  await vi.advanceTimersByTimeAsync(1);
  const [pause] = bench.agents.pauses.list();
  if (!pause) throw new Error("nothing is stopped");
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  expect(bench.agents.pauses.list()).toEqual([pause]);
  resume(bench, pause, goOn);
  await vi.advanceTimersByTimeAsync(1);
  const [approval] = bench.agents.approvals.list();
  expect(approval?.status).toBe("waiting");
  expect(Date.parse(approval?.expiresAt ?? "") - Date.now()).toBeGreaterThan(119_000);
  // From here on it runs: the outer tool has its five seconds, of which nothing was used up.
  await vi.advanceTimersByTimeAsync(4_990);
  expect(bench.agents.approvals.list()[0]?.status).toBe("waiting");
  await vi.advanceTimersByTimeAsync(20);
  expect((await outer).outcome).toBe("timed_out");
  bench.agents.approvals.close();
  stopWatching.abort();
});

test("with nobody there it goes on after ten minutes, says so, and does not stop again until somebody looks", async () => {
  await using bench = await Workbench.open({ policy: [{ tool: "p__send", effect: "allow" }] });
  bench.pool.tool("p", "p__send", () => "sent");
  await bench.call("p__send");
  breakAt(bench, { where: "tool" });
  vi.useFakeTimers();

  const pending = bench.call("p__send");
  await vi.advanceTimersByTimeAsync(1);
  expect(bench.agents.pauses.list()[0]?.goesOnAt).toBe(new Date(Date.now() - 1 + 600_000).toISOString());
  // Somebody opens a screen: it waits for them, and anew when they leave.
  const leave = new AbortController();
  const watching = bench.agents.pauses.watch(leave.signal);
  expect((await watching.next()).value).toMatchObject({ pauses: [{ goesOnAt: null }] });
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  expect(bench.agents.pauses.list()).toHaveLength(1);
  leave.abort();
  await vi.advanceTimersByTimeAsync(599_999);
  expect(bench.agents.pauses.list()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect((await pending).outcome).toBe("executed");
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  await expect
    .poll(() => bench.audit)
    .toContainEqual(expect.objectContaining({ kind: "turn.resumed", action: "continue", why: "unwatched" }));

  expect((await bench.call("p__send")).outcome).toBe("executed");
  const back = new AbortController();
  await bench.agents.pauses.watch(back.signal).next();
  const stopped = bench.call("p__send");
  await reached(bench);
  bench.agents.pauses.close();
  expect((await stopped).outcome).toBe("failed");
  back.abort();
});
