import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, win32 } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { execCommand, isInside } from "./exec.ts";

afterEach(() => {
  vi.useRealTimers();
});

test.each([
  [3_600, 300],
  [null, 30],
])("a command that asks for %s seconds is ended after %s", async (timeout, limit) => {
  const root = await realpath(await mkdtemp(join(tmpdir(), "patchbay-exec-")));
  try {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let ended = false;
    const run = execCommand({
      command: "sleep 600",
      cwd: null,
      timeout,
      projectRoot: root,
      pluginDir: root,
      env: { PATH: process.env.PATH ?? "" },
      signal: new AbortController().signal,
    }).finally(() => {
      ended = true;
    });
    while (vi.getTimerCount() === 0) await turn();
    vi.advanceTimersByTime(limit * 1_000 - 1);
    for (let round = 0; round < 20; round += 1) await turn();
    expect(ended).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await run).toEqual({ code: 124, stdout: "", stderr: `command timed out after ${limit}s` });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});

test.each([
  ["C:\\work", "C:\\work", true],
  ["C:\\work", "c:\\WORK\\sub", true],
  ["C:\\work", "C:\\work\\..data", true],
  ["C:\\work", "C:\\working", false],
  ["C:\\work", "C:\\", false],
  ["C:\\work", "D:\\work", false],
  ["C:\\work", "\\\\server\\share\\work", false],
])("on Windows, seen from %s, %s being inside is %s", (folder, path, inside) => {
  expect(isInside(folder, path, win32)).toBe(inside);
});
