import { expect, test } from "vitest";
import { afterAccepting, afterHearing, firstSeen, type Heard, heldAmong, type Waiting } from "./compare.ts";
import { fingerprintOf, saidNow } from "./fingerprint.ts";

const of = { key: "p", pluginId: "1", version: "1.0.0" };
const now = { version: "1.0.0", at: "2026-01-01T00:00:00.000Z" };

function heard(name: string, text: string, more: Record<string, unknown> = {}): Heard {
  const thing = { kind: "tool" as const, name, title: name, words: { text, more } };
  return { ...thing, hash: fingerprintOf(thing), suspicious: [] };
}

test("the order of fields does not count, a word more does, and so does its place", () => {
  const hash = (more: Record<string, unknown>) => heard("a", "x", more).hash;
  expect(hash({ a: 1, b: { c: 2, d: 3 } })).toBe(hash({ b: { d: 3, c: 2 }, a: 1 }));
  expect(hash({ a: [1, 2] })).not.toBe(hash({ a: [2, 1] }));
  expect(hash({ a: "1" })).not.toBe(hash({ a: 1 }));
  expect(hash({ a: [["b", 1]] })).not.toBe(hash({ a: { b: 1 } }));
  expect(heard("a", "x\u200b").hash).not.toBe(heard("a", "x").hash);
});

test("the same words change nothing, other ones are held, and the first ones once more end that", () => {
  const first = firstSeen(of, [heard("a", "x")]);
  expect(afterHearing(first, [heard("a", "x")], now)).toBe(first);
  const changed = afterHearing(first, [heard("a", "y")], now);
  expect(changed.held["tool a"]).toMatchObject({ change: "changed", words: { text: "y" } });
  expect(afterHearing(changed, [heard("a", "y")], now)).toBe(changed);
  expect(afterHearing(changed, [heard("a", "x")], now)).toEqual(first);
});

test("what is accepted counts beside what was agreed to before, at most eight texts", () => {
  let pinned = firstSeen(of, [heard("a", "0")]);
  for (let text = 1; text <= 9; text += 1) {
    const next = afterHearing(pinned, [heard("a", String(text))], now);
    pinned = afterAccepting(next, next.held["tool a"] as Waiting);
  }
  const held = (text: string) => heldAmong(pinned, saidNow([heard("a", text)]).hashes);
  expect(held("9").size).toBe(0);
  expect(held("2").size).toBe(0);
  expect(held("1")).toEqual(new Map([["tool a", "changed"]]));
});

test("what is new is held, and what is gone is noted until it is back", () => {
  const first = firstSeen(of, [heard("a", "x"), heard("b", "x")]);
  const other = afterHearing(first, [heard("a", "x"), heard("c", "x")], now);
  expect(other.held["tool c"]).toMatchObject({ change: "added" });
  expect(other.things["tool b"]).toMatchObject({ gone: true });
  expect(afterHearing(other, [heard("a", "x"), heard("b", "x")], now)).toEqual(first);
});
