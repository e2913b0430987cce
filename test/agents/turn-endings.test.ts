import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TurnEvent } from "../../src/contract/index.ts";
import { PatchbayError } from "../../src/contract/index.ts";
import { next, only, Workbench } from "./workbench.ts";

/** The last event of a stream, and how often the turn's end was told. */
function endOf(events: readonly TurnEvent[]) {
  const ends = events.filter((event) => event.type === "turn_ended");
  expect(ends).toHaveLength(1);
  expect(events.at(-1)).toBe(ends[0]);
  return only(events, "turn_ended");
}

async function idle(bench: Workbench): Promise<void> {
  for (const session of await bench.agents.sessions.list("a")) expect(session.status).not.toBe("running");
}

test.each([
  ["its agent has no model", {}, "MODEL_NOT_SET"],
  [
    "its script is not there",
    { model: { kind: "scripted" as const, file: "nowhere.json" } },
    "SCRIPT_INVALID",
  ],
])("a turn ends when %s", async (_name, patch, code) => {
  await using bench = await Workbench.open(patch);
  expect(endOf(await bench.prompt("hi"))).toMatchObject({ outcome: "failed", problem: { code } });
  await idle(bench);
});

test.each([
  "session.message.received@v1",
  "turn.start@v1",
  "prompt.assemble@v1",
  "model.before@v1",
  "model.after@v1",
  "message.final@v1",
] as const)("a turn ends when a hook on %s blocks it", async (event) => {
  await using bench = await Workbench.open();
  const fail = () => {
    throw new Error("no");
  };
  bench.pool.on("p", event, fail, { failureMode: "fail" });
  await bench.script([{ say: "hello" }]);
  expect(endOf(await bench.prompt("hi"))).toMatchObject({
    outcome: "failed",
    problem: { code: "HOOK_BLOCKED" },
  });
  await idle(bench);
});

test.skipIf(process.platform !== "linux")(
  "a turn ends when its session's file takes no more lines",
  async () => {
    await using bench = await Workbench.open();
    await bench.script([{ say: "hello" }]);
    const id = "full";
    const folder = join(bench.home, "agents", "a", "sessions");
    await mkdir(folder, { recursive: true });
    const session = await bench.agents.sessions.create("a", { id });
    await bench.agents.sessions.close("a");
    const path = join(folder, `${id}.jsonl`);
    const open = await bench.agents.sessions.open("a", session.id);
    await rm(path);
    await symlink("/dev/full", path);

    const events = await bench.prompt("hi", { sessionId: open.id });

    expect(endOf(events)).toMatchObject({ outcome: "failed", problem: { code: "DISK_FULL" } });
  },
);

test("a turn ends when its agent is removed under it", async () => {
  await using bench = await Workbench.open({ policy: [{ tool: "p__*", effect: "allow" }] });
  let called: () => void = () => {};
  const waiting = new Promise<void>((resolve) => {
    called = resolve;
  });
  bench.pool.tool("p", "p__wait", () => {
    called();
    return new Promise<string>(() => {});
  });
  await bench.script([{ call: { tool: "p__wait" } }]);
  const events = bench.prompt("hi");
  await waiting;
  await bench.agents.deactivate("a");
  expect(endOf(await events)).toMatchObject({ outcome: "aborted" });
});

test("turns that run and turns that wait end when the app closes", async () => {
  const bench = await Workbench.open();
  await bench.script([{ say: "hello there", delayMs: 60_000 }]);
  const { id } = await bench.agents.createSession("a");
  const running = next(bench.agents.changes, "session");
  const first = bench.prompt("one", { sessionId: id });
  const second = bench.prompt("two", { sessionId: id });
  await running;
  await bench.agents.close();
  expect(endOf(await first)).toMatchObject({ outcome: "aborted" });
  expect(endOf(await second)).toMatchObject({ outcome: "aborted" });
  await expect(bench.prompt("three")).rejects.toMatchObject({ code: "SHUTTING_DOWN" });
  await rm(bench.home, { recursive: true, force: true });
});

test.each(["wake", "required", "live"] as const)("a turn ends when the pool breaks at %s", async (part) => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "hello" }]);
  const { id } = await bench.agents.createSession("a");
  const { pool } = bench;
  const real = pool[part];
  const broken = () => {
    throw new PatchbayError("START_FAILED", "the pool broke");
  };
  Object.assign(pool, { [part]: broken });
  const events = await bench.prompt("hi", { sessionId: id });
  Object.assign(pool, { [part]: real });

  expect(endOf(events)).toMatchObject({ outcome: "failed", problem: { code: "START_FAILED" } });
  await idle(bench);
  expect(endOf(await bench.prompt("again", { sessionId: id }))).toMatchObject({ outcome: "done" });
});

test("a turn whose reader went away ends all the same", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "hello" }]);
  const { id } = await bench.agents.createSession("a");
  const session = await bench.agents.sessions.open("a", id);
  const watched: TurnEvent[] = [];
  const watching = (async () => {
    for await (const event of session.feed.read()) {
      watched.push(event);
      if (event.type === "turn_ended") return;
    }
  })();
  const turn = bench.agents.prompt("a", { text: "hi", sessionId: id, caller: { kind: "owner" } });
  await turn.next();
  await turn.return();
  await watching;
  expect(endOf(watched)).toMatchObject({ outcome: "done" });
});
