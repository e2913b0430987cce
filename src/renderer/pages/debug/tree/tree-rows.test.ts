import { expect, test } from "vitest";
import type { SessionEntry } from "../../../../contract/turn.ts";
import { treeRows } from "./tree-rows.ts";

const at = "2026-01-01T00:00:00.000Z";
const user = (id: string): SessionEntry => ({
  type: "user",
  id,
  turnId: `t-${id}`,
  text: id,
  caller: { kind: "owner" },
  at,
});
const answer = (id: string, text = id): SessionEntry => ({
  type: "assistant",
  id,
  turnId: "t",
  text,
  toolCalls: [],
  at,
});
const back = (to: string | null): SessionEntry => ({ type: "branch", id: `b-${to}`, to, by: null, at });

function drawn(entries: SessionEntry[]): string[] {
  return treeRows(entries).map(
    ({ text, depth, onPath, isEnd }) =>
      `${"  ".repeat(depth)}${text}${onPath ? "" : " (left)"}${isEnd ? " *" : ""}`,
  );
}

test("a straight conversation is a straight list", () => {
  expect(drawn([user("a"), answer("b"), user("c")])).toEqual(["a", "b", "c *"]);
});

test("a branch that was left stands one step in, before the one that goes on", () => {
  expect(drawn([user("a"), answer("b"), user("c"), answer("d"), back("b"), user("e")])).toEqual([
    "a",
    "b",
    "  c (left)",
    "  d (left)",
    "e *",
  ]);
});

test("whoever has gone back and said nothing yet stands where they are, and what was left is still there", () => {
  expect(drawn([user("a"), answer("b"), user("c"), back("a")])).toEqual(["a *", "b (left)", "c (left)"]);
  expect(drawn([user("a"), answer("b"), back(null)])).toEqual(["a (left)", "b (left)"]);
});

test("calls without words show their tools, results are part of their calls", () => {
  const calls: SessionEntry = {
    type: "assistant",
    id: "x",
    turnId: "t",
    text: "",
    toolCalls: [{ id: "1", name: "git__status", arguments: {} }],
    at,
  };
  const result: SessionEntry = {
    type: "tool_result",
    id: "r",
    turnId: "t",
    toolCallId: "1",
    tool: "git__status",
    outcome: "executed",
    content: [],
    at,
  };
  expect(drawn([user("a"), calls, result, answer("b")])).toEqual(["a", "git.status", "b *"]);
});

test("a long conversation does not call itself to its end", () => {
  const long = Array.from({ length: 20_000 }, (_, index) => user(String(index)));
  expect(treeRows(long)).toHaveLength(20_000);
});
