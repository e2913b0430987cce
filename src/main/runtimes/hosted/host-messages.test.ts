import { expect, test } from "vitest";
import { failureInPlaceOf, parseFromHost, parseToolOutput } from "./host-messages.ts";
import { isWithin } from "./size.ts";

test.each([
  [null],
  [1],
  ["started"],
  [[]],
  [{}],
  [{ t: "unknown" }],
  [{ t: "result" }],
  [{ t: "result", id: "1" }],
  [{ t: "pong", id: 1, memoryBytes: -1 }],
  [{ t: "log", level: "loud", text: "x" }],
  [{ t: "log", level: "info", text: "x".repeat(70_000) }],
  [{ t: "runtimeState", patch: [1] }],
  [{ t: "failed", problem: { code: "MADE_UP", message: "x" } }],
  [{ t: "request", id: 1, during: null, request: { kind: "vault.get", key: "x" } }],
  [{ t: "contributions", changed: { hooks: [{ id: 1 }] } }],
  [{ t: "started", contributions: { tools: Array.from({ length: 65 }) } }],
])("%j is none of a host's messages", (message) => {
  expect(parseFromHost(message)).toBeNull();
});

test("what a host says is passed on, and what it adds is left out", () => {
  expect(parseFromHost({ t: "result", id: 1, value: { any: "thing" } })).toEqual({
    t: "result",
    id: 1,
    value: { any: "thing" },
  });
  expect(parseFromHost({ t: "stopped", extra: 1 })).toEqual({ t: "stopped" });
});

test("a tool's answer is a list of parts", () => {
  expect(parseToolOutput({ content: [{ type: "text", text: "x" }] })).toEqual({
    content: [{ type: "text", text: "x" }],
  });
  expect(() => parseToolOutput({ content: "x" })).toThrow();
  expect(() => parseToolOutput({ content: [{ type: "video" }] })).toThrow();
});

test("a size is only measured as far as needed", () => {
  expect(isWithin({ a: "x".repeat(900) }, 1_000)).toBe(true);
  expect(isWithin({ a: "x".repeat(1_100) }, 1_000)).toBe(false);
  expect(isWithin(new Uint8Array(2_000), 1_000)).toBe(false);
  const round: { self?: unknown } = {};
  round.self = round;
  expect(isWithin(round, 1_000)).toBe(false);
});

test("a message that does not fit fails whoever waits for it", () => {
  expect(failureInPlaceOf({ t: "started", contributions: 5 })).toMatchObject({ toApp: { t: "failed" } });
  expect(failureInPlaceOf({ t: "error", id: 3, problem: 1 })).toMatchObject({ toApp: { t: "error", id: 3 } });
  expect(failureInPlaceOf({ t: "request", id: 4, request: {} })).toMatchObject({
    toHost: { t: "refusal", id: 4 },
  });
  expect(failureInPlaceOf({ t: "log" })).toEqual({});
});
