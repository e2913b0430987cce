import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import { descendants, hostMark, killMarked, killTree } from "./process-tree.ts";

const onPosix = process.platform !== "win32";

/** A shell that starts `sleep` in the background, prints its process id, and waits. */
async function startFamily(mark: string) {
  const parent = spawn("sh", ["-c", "sleep 300 & echo $!; wait"], {
    env: { PATH: process.env.PATH, [hostMark]: mark },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = await once(createInterface(parent.stdout), "line");
  return { parent, parentPid: parent.pid ?? -1, childPid: Number(line) };
}

/** Whether a process runs. A zombie (ended, but not yet collected by its parent) does not count. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}

describe("the processes below a process", () => {
  test("are found at every depth, and nobody else's", () => {
    const table: [number, number][] = [
      [10, 1],
      [11, 10],
      [12, 11],
      [13, 10],
      [20, 1],
      [21, 20],
    ];
    expect(descendants(10, table)).toEqual([11, 13, 12]);
    expect(descendants(21, table)).toEqual([]);
  });

  test.runIf(onPosix)("end with it", async () => {
    const { parent, parentPid, childPid } = await startFamily(randomUUID());
    const exited = once(parent, "exit");
    killTree(parentPid);
    await exited;
    await expect.poll(() => isRunning(childPid)).toBe(false);
  });

  test.runIf(onPosix)("end after it, when it has died by itself", async () => {
    const mark = randomUUID();
    const other = await startFamily(randomUUID());
    const { parent, childPid } = await startFamily(mark);
    parent.kill("SIGKILL");
    await once(parent, "exit");
    expect(isRunning(childPid)).toBe(true);
    killMarked(mark);
    await expect.poll(() => isRunning(childPid)).toBe(false);
    expect(isRunning(other.childPid)).toBe(true);
    killTree(other.parentPid);
    await once(other.parent, "exit");
  });
});
