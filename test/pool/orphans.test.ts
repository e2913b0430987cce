import { fork } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hostBundle } from "../support/host-bundle.ts";
import { isAlive } from "../support/pool-world.ts";

test.each(["idle", "blocked"])(
  "when the app is killed, its plugins die with all they started (%s)",
  async (mode) => {
    const app = fork(join(import.meta.dirname, "../support/app-that-dies.ts"), [hostBundle(), mode]);
    const { pid, grandchild, home } = await new Promise<{ pid: number; grandchild: number; home: string }>(
      (resolve) => app.once("message", (message) => resolve(message as never)),
    );
    expect([pid, grandchild].map(isAlive)).toEqual([true, true]);
    const exited = new Promise((resolve) => app.once("exit", resolve));
    app.kill("SIGKILL");
    await exited;
    while (isAlive(pid) || isAlive(grandchild)) await new Promise((resolve) => setImmediate(resolve));
    await rm(home, { recursive: true, force: true });
  },
);
