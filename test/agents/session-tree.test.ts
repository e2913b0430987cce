import { expect, test } from "vitest";
import { pathOf, type SessionEntry, SessionTree } from "../../src/contract/index.ts";
import { only, Workbench } from "./workbench.ts";

async function said(bench: Workbench, text: string, sessionId?: string) {
  const events = await bench.prompt(text, sessionId === undefined ? {} : { sessionId });
  return only(events, "turn_started").sessionId;
}

function textsOf(entries: readonly SessionEntry[]): string[] {
  return entries.flatMap((entry) =>
    entry.type === "user" || entry.type === "assistant" ? [entry.text] : [],
  );
}

async function opened() {
  const bench = await Workbench.open();
  await bench.script([{ say: "one" }, { say: "two" }, { say: "three" }]);
  const id = await said(bench, "first");
  await said(bench, "second", id);
  const session = await bench.agents.sessions.open("a", id);
  const user = (text: string) => {
    const found = session.entries.find((entry) => entry.type === "user" && entry.text === text);
    if (found?.type !== "user") throw new Error(`no message ${text}`);
    return found.id;
  };
  return { bench, id, session, user, moves: bench.agents.moves };
}

test("a fork before a message gives its text back, and the model is not sent what was left", async () => {
  const { bench, id, session, user, moves } = await opened();
  await using _bench = bench;
  expect(await moves.fork(session, user("second"), "before", null)).toBe("second");
  await said(bench, "another second", id);

  expect(textsOf(session.path)).toEqual(["first", "one", "another second", "two"]);
  expect(textsOf(session.entries)).toEqual(["first", "one", "second", "two", "another second", "two"]);
  const [request] = (await session.readTraces())
    .flatMap((entry) => (entry.type === "model" ? [entry.call.messages] : []))
    .slice(-1);
  // first, one, another second
  expect(request).toBe(3);
});

test("a fork at an answer goes on after its turn, which is not open again", async () => {
  const { bench, id, session, user, moves } = await opened();
  await using _bench = bench;
  const answer = session.entries.find((entry) => entry.type === "assistant" && entry.text === "one");
  if (answer?.type !== "assistant") throw new Error("no answer");
  expect(await moves.fork(session, answer.id, "at", "guard")).toBeNull();
  expect(session.path.at(-1)?.type).toBe("turn_end");
  await bench.agents.sessions.close();

  const again = await bench.agents.sessions.open("a", id);
  expect(textsOf(again.path)).toEqual(["first", "one"]);
  expect(again.entries.at(-1)).toMatchObject({ type: "branch", to: answer.id, by: "guard" });
  // Going back to what was left is one more line, nothing else.
  await moves.fork(again, user("second"), "at", null);
  expect(textsOf(again.path)).toEqual(["first", "one", "second"]);
});

test("navigating to a message of the person's goes before it, to anything else after it", async () => {
  const { bench, session, user, moves } = await opened();
  await using _bench = bench;
  expect(await moves.navigate(session, user("first"), null)).toBe("first");
  expect(textsOf(session.path)).toEqual([]);
  const answer = session.entries.find((entry) => entry.type === "assistant" && entry.text === "two");
  if (answer?.type !== "assistant") throw new Error("no answer");
  expect(await moves.navigate(session, answer.id, null)).toBeNull();
  expect(textsOf(session.path)).toEqual(["first", "one", "second", "two"]);
});

test("a label is kept with its place, cleaned, and can be taken away", async () => {
  const { bench, session, user, moves } = await opened();
  await using _bench = bench;
  const labelOf = () => session.tree.nodes().find(({ entry }) => entry.id === user("second"))?.label;
  await moves.label(session, user("second"), "  before the\u001b[31m change ", "guard");
  expect(labelOf()).toMatch(/^before the.* change$/);
  expect(labelOf()).not.toContain("\u001b");
  await moves.label(session, user("second"), null, null);
  expect(labelOf()).toBeNull();
});

test("what is not there, and a closed conversation, are refused with a sentence", async () => {
  const { bench, id, session, user, moves } = await opened();
  await using _bench = bench;
  await expect(moves.fork(session, "nowhere", "at", null)).rejects.toMatchObject({ code: "ENTRY_NOT_FOUND" });
  await expect(moves.label(session, "nowhere", "x", null)).rejects.toMatchObject({ code: "ENTRY_NOT_FOUND" });
  await bench.agents.closeSession("a", id);
  await expect(moves.fork(session, user("first"), "before", null)).rejects.toMatchObject({
    code: "BAD_INPUT",
  });
});

test("a new conversation says where it came from; switching wants the beginning of one id", async () => {
  const { bench, id, session, moves } = await opened();
  await using _bench = bench;
  const told = session.feed.read(new AbortController().signal)[Symbol.asyncIterator]();
  const fresh = await moves.begin(session);
  expect((await told.next()).value).toEqual({ type: "session_left", sessionId: id, to: fresh });
  const [head] = (await bench.agents.sessions.open("a", fresh)).entries;
  expect(head).toMatchObject({ type: "session", parent: id });

  expect(await moves.switch(session, fresh)).toBe(fresh);
  const common = [...id].findIndex((letter, at) => letter !== fresh[at]);
  await expect(moves.switch(session, id.slice(0, common))).rejects.toThrow(
    /Several conversations begin with/,
  );
  await expect(moves.switch(session, "zzzz")).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
});

test("a branch from a file that names nothing known leaves the path as it was", () => {
  const at = "2026-01-01T00:00:00.000Z";
  const entries: SessionEntry[] = [
    { type: "user", id: "u1", turnId: "t1", text: "hi", caller: { kind: "owner" }, at },
    { type: "branch", id: "b", to: "gone", by: null, at },
  ];
  expect(pathOf(entries)).toEqual([entries[0]]);
  expect(new SessionTree(entries).end).toBe("u1");
});
