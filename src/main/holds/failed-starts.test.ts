import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FailedStarts } from "./failed-starts.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "patchbay-starts-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const open = () => new FailedStarts({ home, onNotice() {} });

/** A start that the app does not survive. */
function failedStart(): boolean {
  const starts = open();
  const leavesPluginsOff = starts.begin();
  starts.close();
  return leavesPluginsOff;
}

test("the start after three failed ones leaves the plugins off, and a good one begins the count anew", () => {
  expect([failedStart(), failedStart(), failedStart(), failedStart()]).toEqual([false, false, false, true]);
  const good = open();
  good.begin();
  good.succeed();
  good.close();
  expect(failedStart()).toBe(false);
});
