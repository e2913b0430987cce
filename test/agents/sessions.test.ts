import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SessionEntry } from "../../src/contract/index.ts";
import { only, Workbench } from "./workbench.ts";

const at = "2026-01-01T00:00:00.000Z";

async function plant(bench: Workbench, id: string, entries: SessionEntry[], tail = ""): Promise<string> {
  const folder = join(bench.home, "agents", "a", "sessions");
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${id}.jsonl`);
  await writeFile(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join("") + tail);
  return path;
}

function head(id: string): SessionEntry {
  return { type: "session", id, agentId: "a", title: "Old talk", source: { kind: "owner" }, at, v: 1 };
}

const dead: SessionEntry[] = [
  head("dead"),
  { type: "user", id: "u1", turnId: "t1", text: "hi", caller: { kind: "owner" }, at },
  {
    type: "assistant",
    id: "m1",
    turnId: "t1",
    text: "calling",
    toolCalls: [
      { id: "c1", name: "p__x", arguments: {} },
      { id: "c2", name: "p__y", arguments: {} },
    ],
    at,
  },
  {
    type: "tool_result",
    id: "r1",
    turnId: "t1",
    toolCallId: "c1",
    tool: "p__x",
    outcome: "executed",
    content: [],
    at,
  },
];

test("a session whose app died in a turn is mended once: calls get a result, the turn an end", async () => {
  await using bench = await Workbench.open();
  const path = await plant(bench, "dead", dead, '{"type":"tool_result","id":"r2","tu');

  const entries = await bench.agents.sessions.entries("a", "dead");

  expect(entries.slice(dead.length)).toMatchObject([
    {
      type: "tool_result",
      toolCallId: "c2",
      outcome: "failed",
      content: [{ text: expect.stringContaining("interrupted") }],
    },
    { type: "turn_end", turnId: "t1", outcome: "aborted", problem: { code: "ABORTED" } },
  ]);
  await bench.agents.sessions.close();
  const mended = await readFile(path, "utf8");
  expect(await bench.agents.sessions.entries("a", "dead")).toEqual(entries);
  expect(await readFile(path, "utf8")).toBe(mended);
  expect(bench.notices).toMatchObject([{ code: "STATE_FILE_DAMAGED" }]);
});

test("the record of a turn whose app died is readable up to there and marked as cut", async () => {
  await using bench = await Workbench.open();
  await plant(bench, "dead", dead);
  const place = { turnId: "t1", spanId: "0", parentId: null, at: 1 };
  const caller = { kind: "owner" };
  const begun = { v: 1, sessionId: "dead", agentId: "a", text: "go", caller, world: {} };
  const received = { id: "u1", sessionId: "dead", text: "go", changedBy: [], caller };
  const path = join(bench.home, "agents", "a", "sessions", "dead.record.jsonl");
  const lines = [
    { ...place, seq: 0, type: "turn_begun", ...begun },
    { ...place, seq: 1, type: "message_received", ...received },
  ];
  await writeFile(path, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n{"turnId":"t1","se`);

  const traces = await bench.agents.sessions.trace("a", "dead");

  expect(traces).toMatchObject([
    { type: "turn", text: "go" },
    { type: "turn_end", outcome: "aborted" },
  ]);
  const events = (await readFile(path, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.slice(2)).toMatchObject([
    { seq: 2, type: "tool_skipped", toolCallId: "c2" },
    { seq: 3, type: "turn_ended", outcome: "aborted", cut: true },
  ]);
});

test("the list reads files without opening them, with the latest title, newest first", async () => {
  await using bench = await Workbench.open();
  await plant(bench, "one", [
    head("one"),
    {
      type: "user",
      id: "u",
      turnId: "t",
      text: "q",
      caller: { kind: "owner" },
      at: "2026-01-02T00:00:00.000Z",
    },
    { type: "assistant", id: "m", turnId: "t", text: "a", toolCalls: [], at: "2026-01-02T00:00:01.000Z" },
    { type: "turn_end", turnId: "t", outcome: "done", problem: null, at: "2026-01-02T00:00:02.000Z" },
    { type: "title", title: "Better title", at: "2026-01-02T00:00:03.000Z" },
  ]);
  await plant(bench, "two", [
    head("two"),
    { type: "closed", reason: "user", at: "2026-01-03T00:00:00.000Z" },
  ]);
  await plant(bench, "not-a-session", [], "hello\n");
  await writeFile(join(bench.home, "agents", "a", "sessions", "one.trace.jsonl"), "");

  expect(await bench.agents.sessions.list("a")).toEqual([
    {
      id: "two",
      agentId: "a",
      title: "Old talk",
      source: { kind: "owner" },
      status: "closed",
      messages: 0,
      createdAt: at,
      updatedAt: "2026-01-03T00:00:00.000Z",
    },
    {
      id: "one",
      agentId: "a",
      title: "Better title",
      source: { kind: "owner" },
      status: "idle",
      messages: 2,
      createdAt: at,
      // A new name is no news.
      updatedAt: "2026-01-02T00:00:02.000Z",
    },
  ]);
});

test.each(["../agent", "a/b", "", ".", "no-such", "..\\x"])("the id %j opens nothing", async (id) => {
  await using bench = await Workbench.open();
  await writeFile(join(bench.home, "agent.jsonl"), `${JSON.stringify(head("agent"))}\n`);
  await expect(bench.agents.sessions.entries("a", id)).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
});

test("a closed conversation takes no more messages", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "hello" }]);
  const { id } = await bench.agents.createSession("a", "Mine");
  await bench.agents.closeSession("a", id);

  await expect(bench.prompt("hi", { sessionId: id })).rejects.toMatchObject({ code: "BAD_INPUT" });
  expect(await bench.agents.sessions.list("a")).toMatchObject([{ title: "Mine", status: "closed" }]);
});

test("a conversation goes on after a restart with what was said before", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "one" }, { say: "two" }]);
  const first = await bench.prompt("1");
  const { sessionId } = only(first, "turn_started");
  await bench.agents.sessions.close();
  const seen: unknown[] = [];
  bench.pool.on(
    "spy",
    "model.before@v1",
    (payload: { messages: unknown }) => void seen.push(payload.messages),
  );

  const second = await bench.prompt("2", { sessionId });

  expect(only(second, "turn_ended").text).toBe("two");
  expect(seen).toEqual([
    [
      { role: "user", text: "1" },
      { role: "assistant", text: "one" },
      { role: "user", text: "2" },
    ],
  ]);
});

test("many open conversations leave memory, and come back when they are needed", async () => {
  await using bench = await Workbench.open();
  const ids = [];
  for (let n = 0; n < 40; n += 1) ids.push((await bench.agents.createSession("a", `Talk ${n}`)).id);

  const titles = await Promise.all(
    ids.map(async (id) => (await bench.agents.sessions.open("a", id)).view.title),
  );

  expect(titles).toEqual(ids.map((_, n) => `Talk ${n}`));
});

test("a conversation that cannot be written is refused with a sentence, and the next one works", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "hello" }]);
  await mkdir(join(bench.home, "agents", "a"), { recursive: true });
  const blocked = join(bench.home, "agents", "a", "sessions");
  await writeFile(blocked, "a file where the folder should be");

  await expect(bench.prompt("hi")).rejects.toMatchObject({ code: "WRITE_FAILED" });

  await rm(blocked);
  expect(only(await bench.prompt("hi"), "turn_ended").outcome).toBe("done");
});

test.skipIf(process.platform !== "linux")(
  "a disk that fills up during a turn fails the turn, says so, and keeps what was written",
  async () => {
    await using bench = await Workbench.open();
    await bench.script([{ say: "hello" }]);
    const { id } = await bench.agents.createSession("a");
    await symlink("/dev/full", join(bench.home, "agents", "a", "sessions", `${id}.record.jsonl`));

    const events = await bench.prompt("hi", { sessionId: id });

    expect(only(events, "turn_ended")).toMatchObject({ outcome: "failed", problem: { code: "DISK_FULL" } });
    const entries = await bench.agents.sessions.entries("a", id);
    expect(entries.map((entry) => entry.type)).toEqual(["session", "user", "title", "assistant", "turn_end"]);
  },
);
