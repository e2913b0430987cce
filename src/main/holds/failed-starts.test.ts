import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openFileStorage } from "../store/index.ts";
import { FailedStarts } from "./failed-starts.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "patchbay-starts-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const open = () => new FailedStarts({ storage: openFileStorage({ home, onNotice() {} }) });

/** A start of the app that is counted and never finishes, as when the app crashes. */
async function failedStart(): Promise<boolean> {
  const starts = open();
  const leavesPluginsOff = await starts.begin();
  await starts.close();
  return leavesPluginsOff;
}

test("the start after three failed ones leaves the plugins off, and a good one begins the count anew", async () => {
  const outcomes: boolean[] = [];
  for (let start = 0; start < 4; start += 1) outcomes.push(await failedStart());
  expect(outcomes).toEqual([false, false, false, true]);
  const good = open();
  await good.begin();
  await good.succeed();
  await good.close();
  expect(await failedStart()).toBe(false);
});
