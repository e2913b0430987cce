import { expect, test } from "vitest";
import {
  type ComparedTurns,
  type ReplayWish,
  replayWishSchema,
  type TurnDifference,
} from "../../src/contract/index.ts";
import { recordedTurns } from "../../src/main/agents/traces/traces.ts";
import { busy, type Scene, scenes } from "./replay-scenes.ts";
import { Workbench } from "./workbench.ts";

const never = new AbortController().signal;
/** Nothing of the agent is left out or another. */
const asItIs = { without: [], versions: {}, model: "recorded" };
const wish = (some: Partial<ReplayWish>) => replayWishSchema.parse(some);

/** Every recorded turn of the agent. */
async function turnsOf(bench: Workbench) {
  const turns: { agentId: string; sessionId: string; turnId: string }[] = [];
  for (const { id: sessionId } of await bench.agents.sessions.list("a")) {
    const session = await bench.agents.sessions.open("a", sessionId);
    for (const { turnId } of await recordedTurns(session)) turns.push({ agentId: "a", sessionId, turnId });
  }
  return turns;
}

/** What differs, a line each: the stretch, what of it, and both sides. */
function told({ rows }: ComparedTurns, fits: (one: TurnDifference) => boolean = () => true): string[] {
  return rows.flatMap(({ left, right, differences }) => {
    const span = left ?? right;
    const of = [span?.kind, span?.name, span?.owner].filter(Boolean).join(" ");
    return differences
      .filter(fits)
      .map((one) => `${of}: ${one.kind} ${JSON.stringify(one.left)} → ${JSON.stringify(one.right)}`);
  });
}

async function replayed(
  bench: Workbench,
  of: Awaited<ReturnType<typeof turnsOf>>[number],
  some: Partial<ReplayWish>,
) {
  const { id } = await bench.replays.run(of, wish(some), never);
  const { sessionId, turnId } = of;
  return bench.replays.compare("a", { sessionId, turnId }, { replayId: id });
}

let played = 0;

test.each(scenes.map((scene): [string, Scene] => [scene.name, scene]))(
  "%s: run again, everything recorded or the plugins really asked, it is the same",
  async (_name, scene) => {
    await using bench = await Workbench.open(scene.agent);
    await scene.play(bench);
    const turns = await turnsOf(bench);
    expect(turns.length).toBeGreaterThan(0);
    const asked = bench.pool.calls.length;
    for (const turn of turns) {
      expect(told(await replayed(bench, turn, {}))).toEqual([]);
      expect(told(await replayed(bench, turn, { plugins: "live" }))).toEqual([]);
      played += 1;
    }
    expect(bench.pool.calls).toHaveLength(asked);
  },
);

test("those were at least twenty turns", () => {
  expect(played).toBeGreaterThanOrEqual(20);
});

/** A turn with many hooks, and what one of them says can be changed afterwards. */
async function changeable(bench: Workbench) {
  const say = { bye: "Goodbye.", loud: "" };
  busy(bench, say);
  await bench.script([{ call: { tool: "p__do", input: { words: "hello" } } }, { say: "All done." }]);
  await bench.prompt("hi");
  const [turn] = await turnsOf(bench);
  if (!turn) throw new Error("no turn was recorded");
  return { say, turn };
}

const own = ({ follows }: TurnDifference) => !follows;
const rules = { policy: [{ tool: "p__*", effect: "allow" as const }] };

test("a plugin that changes the answer otherwise is the difference, and only it", async () => {
  await using bench = await Workbench.open(rules);
  const { say, turn } = await changeable(bench);
  say.bye = "Farewell.";

  const compared = await replayed(bench, turn, { plugins: "live" });

  expect(told(compared, own)).toEqual([
    expect.stringMatching(/^hook message\.final@v1 warden: changes .*Goodbye.* → .*Farewell/),
  ]);
  expect(told(compared)).toContain('turn hi: text "All done. Goodbye." → "All done. Farewell."');
  expect(compared.own).toBe(1);
});

test("a plugin that rewrites arguments otherwise is the difference; the record has no answer to them, and says so", async () => {
  await using bench = await Workbench.open(rules);
  const { say, turn } = await changeable(bench);
  say.loud = "!";

  const compared = await replayed(bench, turn, { plugins: "live" });

  expect(told(compared, own)).toEqual([expect.stringMatching(/^hook tool\.before@v1 warden: changes/)]);
  expect(told(compared).join("\n")).toContain(
    "p__do was not run: the recorded turn has no answer of it to these arguments.",
  );
  expect(bench.pool.calls.map(({ input }) => input)).toEqual([{ words: "HELLO" }]);
});

test("with live tools the changed call is really made, and the person is asked about it as always", async () => {
  await using bench = await Workbench.open();
  bench.agents.approvals.changes.on("approval", ({ id, status }) => {
    if (status === "waiting") void bench.agents.approvals.decide(id, { decision: "allow", scope: "once" });
  });
  const { say, turn } = await changeable(bench);
  const questions: unknown[] = [];
  bench.agents.approvals.changes.on("approval", (asked) => {
    if (asked.status === "waiting") questions.push(asked.arguments);
  });

  await replayed(bench, turn, { plugins: "live", tools: "live" });
  expect(questions).toEqual([]);

  say.loud = "!";
  await replayed(bench, turn, { plugins: "live", tools: "live" });
  expect(questions).toEqual([{ words: "HELLO!" }]);
  expect(bench.pool.calls.map(({ input }) => input)).toEqual([
    { words: "HELLO" },
    { words: "HELLO" },
    { words: "HELLO!" },
  ]);
});

test("live tools are judged by the rules of now", async () => {
  await using bench = await Workbench.open(rules);
  const { turn } = await changeable(bench);
  bench.agent = { ...bench.agent, policy: [{ tool: "p__do", effect: "deny" }] };

  const compared = await replayed(bench, turn, { plugins: "live", tools: "live" });

  expect(told(compared, own)).toEqual([
    expect.stringMatching(/^model scripted: messages .*p__do/),
    expect.stringMatching(/^tool p\.do p: rule .*rule p__do: deny/),
  ]);
  expect(bench.pool.calls).toHaveLength(1);
});

test("a plugin that is left out is missing at each of its places, and asked nothing", async () => {
  await using bench = await Workbench.open(rules);
  const { turn } = await changeable(bench);

  const compared = await replayed(bench, turn, { plugins: "live", without: ["warden"] });

  const missing = told(compared, (one) => one.kind === "missing" && own(one));
  expect(missing.map((line) => line.split(":")[0])).toEqual([
    "hook session.message.received@v1 warden",
    "hook prompt.assemble@v1 warden",
    "hook tool.before@v1 warden",
    "hook tool.result@v1 warden",
    "hook message.final@v1 warden",
  ]);
  expect(compared.own).toBe(5);
});

test("another model is really asked", async () => {
  await using bench = await Workbench.open(rules);
  const { turn } = await changeable(bench);
  await bench.script([{ say: "I would rather talk." }]);

  const compared = await replayed(bench, turn, { plugins: "live", model: "own" });

  expect(told(compared, own)).toEqual([
    expect.stringMatching(/^model scripted: answer .*I would rather talk/),
  ]);
  expect(told(compared)).toContainEqual(expect.stringMatching(/^tool p\.do p: missing/));
});

test("a replay leaves the conversation and its record as they are, and the newest twenty are kept", async () => {
  await using bench = await Workbench.open(rules);
  const { turn } = await changeable(bench);
  const session = await bench.agents.sessions.open("a", turn.sessionId);
  const before = [session.entries.length, (await session.events.readEvents()).length];
  const ids: string[] = [];
  for (let count = 0; count < 22; count += 1)
    ids.push((await bench.replays.run(turn, wish({ plugins: "live" }), never)).id);
  const after = [session.entries.length, (await session.events.readEvents()).length];

  expect(after).toEqual(before);
  expect(JSON.stringify(bench.audit)).not.toContain("replay-");
  expect(bench.replays.list("a").map(({ id }) => id)).toEqual(ids.slice(2).reverse());
  const [newest] = bench.replays.list("a");
  const events = await bench.replays.turn("a", newest?.id ?? "");
  expect(events.at(-1)).toMatchObject({ type: "turn_ended", text: "All done. Goodbye." });
  bench.replays.discard("a", newest?.id ?? "");
  expect(bench.replays.list("a")).toHaveLength(19);
  expect(() => bench.replays.turn("a", newest?.id ?? "")).toThrow("There is no such replay any more.");
});

test("what is to be another than it was needs the plugins to be asked", async () => {
  await using bench = await Workbench.open(rules);
  const { turn } = await changeable(bench);
  for (const some of [{ without: ["warden"] }, { tools: "live" as const }, { model: "own" }])
    await expect(bench.replays.run(turn, wish(some), never)).rejects.toMatchObject({ code: "BAD_INPUT" });
});

/** A turn in which a hook asks the person whether it may go on, and was told yes. */
async function questioned(bench: Workbench) {
  const { agents, pool } = bench;
  const question = { kind: "confirm", message: "Go on?" } as const;
  const asked: string[] = [];
  pool.tool("p", "p__do", () => "done");
  pool.on("p", "tool.before@v1", async (_payload, { turnId, spanId, signal }) => {
    const during = { turnId, spanId };
    const isFine = await agents.dialogs.ask("a", "p", question, "a call", signal, { during });
    return isFine ? { allow: true } : { allow: false, reason: "the person said no" };
  });
  let answer: boolean | null = true;
  agents.dialogs.changes.on("dialog", ({ id }) => {
    asked.push(id);
    if (answer !== null) agents.dialogs.answer(id, answer);
  });
  await bench.script([{ call: { tool: "p__do" } }, { say: "All done." }]);
  await bench.prompt("hi");
  const [turn] = await turnsOf(bench);
  if (!turn) throw new Error("no turn was recorded");
  const say = (next: boolean | null) => {
    answer = next;
  };
  return { turn, asked, say };
}

test("what the person told a plugin then is told it again, in their own record alone, not out of a file", async () => {
  await using bench = await Workbench.open(rules);
  const { turn, say } = await questioned(bench);
  say(null);
  expect(told(await replayed(bench, turn, { plugins: "live" }))).toEqual([]);

  const { text: file } = await bench.replays.keep(turn);
  say(false);
  const { compared } = await bench.replays.judge("a", { file, ...asItIs }, never);
  expect(told(compared).join("\n")).toMatch(/dialog p: reply .*true.*false/);
  expect(told(compared).join("\n")).toContain("the person said no");
});
