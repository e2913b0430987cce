import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { acquireHomeLock } from "./home-lock.ts";
import { openStateFile } from "./state-file.ts";

vi.mock("node:fs", async (original) => ({
  ...(await original<typeof import("node:fs")>()),
  linkSync: () => {
    throw Object.assign(new Error("operation not permitted"), { code: "EPERM" });
  },
}));

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "patchbay-no-links-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("on a disk without hard links", () => {
  it("the lock of a home is had by one at a time, and taken over from the dead", () => {
    const lock = acquireHomeLock(home);
    expect(() => acquireHomeLock(home)).toThrowError(expect.objectContaining({ code: "HOME_IN_USE" }));
    lock.release();
    const dead = { token: "a", pid: 2 ** 22 + 1, started: "long ago", takenAt: 0 };
    writeFileSync(join(home, "lock"), JSON.stringify(dead));
    const next = acquireHomeLock(home);
    expect(() => acquireHomeLock(home)).toThrowError(expect.objectContaining({ code: "HOME_IN_USE" }));
    next.release();
    expect(readdirSync(home)).toEqual([]);
  });

  it("a state file is replaced as anywhere else", () => {
    const path = join(home, "state.json");
    const file = openStateFile({
      path,
      schema: z.number(),
      version: 1,
      initial: () => 0,
      onNotice: (problem) => expect.unreachable(problem.message),
    });
    file.update(() => 1);
    file.update(() => 2);
    expect(JSON.parse(readFileSync(path, "utf8")).data).toBe(2);
    expect(readdirSync(home).filter((name) => name.includes("previous"))).toEqual([]);
  });
});
