import { expect, test } from "vitest";
import { endedForMemory, howItEnded, MemoryWatch } from "./how-it-ended.ts";
import type { HostExit } from "./platform.ts";

test.each<[HostExit, string]>([
  [{ code: 0, signal: null }, "ended by itself (exit code 0)"],
  [{ code: 3, signal: null }, "ended by itself (exit code 3)"],
  [{ code: null, signal: "SIGSEGV" }, "crashed (signal SIGSEGV)"],
  [{ code: null, signal: "SIGKILL" }, "was killed, but not by Patchbay (signal SIGKILL)"],
  [{ code: null, signal: "SIGTERM" }, "was killed, but not by Patchbay (signal SIGTERM)"],
  [
    { code: null, signal: "SIGKILL", memory: "machine" },
    "was ended by the system, which had no memory left (signal SIGKILL)",
  ],
  [{ code: null, signal: "SIGABRT", memory: { limitMb: 256 } }, "ran out of memory: it may use 256 MB"],
  [
    { code: null, signal: "SIGKILL", endedFor: "it was switched off" },
    "was ended by Patchbay: it was switched off",
  ],
  [{ code: null, signal: null, error: "spawn node ENOENT" }, "could not be started: spawn node ENOENT"],
])("how a process ended (%j)", (exit, words) => {
  expect(howItEnded(exit)).toBe(words);
});

test("a process that says that its memory is full is heard, also in pieces, and no other", () => {
  const watch = new MemoryWatch();
  watch.read(
    Buffer.from(
      "I am out of memory, says the plugin\nFATAL ERROR: Reached heap limit Allocation failed - Java",
    ),
  );
  expect(watch.isFull).toBe(false);
  watch.read(Buffer.from("Script heap out of memory\n"));
  expect(watch.isFull).toBe(true);
});

test.runIf(process.platform === "linux")(
  "the system says how many processes it ended for want of memory",
  () => {
    expect(endedForMemory()).toBeGreaterThanOrEqual(0);
  },
);
