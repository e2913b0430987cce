import { describe, expect, it } from "vitest";
import type { LogEntry } from "../../../../contract/agent-plugin.ts";
import { pastErrors } from "./error-history.ts";

function entry(seq: number, level: LogEntry["level"], text: string): LogEntry {
  return { seq, at: new Date(seq * 1_000).toISOString(), level, origin: "stderr", text };
}

describe("pastErrors", () => {
  it("tells each error once, with its count and times, the latest first", () => {
    const log = [
      entry(1, "error", "a"),
      entry(2, "info", "fine"),
      entry(3, "error", "b"),
      entry(4, "error", "a"),
    ];
    expect(pastErrors(log)).toMatchObject([
      { text: "a", count: 2, firstAt: "1970-01-01T00:00:01.000Z", lastAt: "1970-01-01T00:00:04.000Z" },
      { text: "b", count: 1, lastSeq: 3 },
    ]);
  });

  it("finds none in a log without errors", () => {
    expect(pastErrors([entry(1, "warn", "hm")])).toEqual([]);
  });
});
