import { expect, test } from "vitest";
import type { LogLevel } from "../../../contract/index.ts";
import { LogRing } from "./log-ring.ts";

const at = "2026-01-01T00:00:00.000Z";
const add = (ring: LogRing, text: string, level: LogLevel = "info") =>
  ring.add({ at, level, origin: "plugin", text });

test("numbers its entries and keeps the newest ten thousand", () => {
  const ring = new LogRing();
  for (let n = 1; n <= 25_000; n += 1) add(ring, `line ${n}`);
  const kept = ring.read();
  expect(kept).toHaveLength(10_000);
  expect(kept[0]).toMatchObject({ seq: 15_001, text: "line 15001" });
  expect(kept.at(-1)).toMatchObject({ seq: 25_000, text: "line 25000" });
});

test("reads what is newer, at least so grave, and of that the last", () => {
  const ring = new LogRing();
  add(ring, "a", "debug");
  add(ring, "b", "error");
  add(ring, "c", "warn");
  add(ring, "d", "info");
  const texts = (filter: Parameters<LogRing["read"]>[0]) => ring.read(filter).map(({ text }) => text);
  expect(texts({ after: 2 })).toEqual(["c", "d"]);
  expect(texts({ level: "warn" })).toEqual(["b", "c"]);
  expect(texts({ level: "info", limit: 2 })).toEqual(["c", "d"]);
  expect(texts({ after: 4 })).toEqual([]);
});

test("long lines push out more than one old one", () => {
  const ring = new LogRing();
  for (let n = 0; n < 1_000; n += 1) add(ring, "x".repeat(16_000));
  const characters = ring.read().reduce((sum, { text }) => sum + text.length, 0);
  expect(characters).toBeLessThanOrEqual(8 * 1024 * 1024);
  expect(ring.read().at(-1)?.seq).toBe(1_000);
});
