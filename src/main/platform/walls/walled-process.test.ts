import { once } from "node:events";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bubblewrap } from "./probe.ts";
import { Scratch } from "./scratch/scratch.ts";
import type { Wall } from "./wall.ts";
import { WalledProcess } from "./walled-process.ts";

test.runIf(bubblewrap().file !== null)(
  "an end waits for the measuring that is under way, and tells then what was tried",
  async () => {
    const told: string[] = [];
    const wall: Wall = {
      read: [],
      write: [],
      hidden: [],
      programs: "none",
      refused: ({ target }) => void told.push(target),
    };
    const scratch = new Scratch(wall);
    onTestFinished(() => scratch.remove());
    const measured = Promise.withResolvers<null>();
    scratch.measuring = measured.promise.finally(() => {
      scratch.measuring = null;
    });
    const secret = join(homedir(), ".ssh/id_rsa");
    const walled = new WalledProcess(wall, { by: "door", scratch });
    const child = walled.spawn(
      {
        file: process.execPath,
        args: ["-e", `require("node:fs").readFileSync(${JSON.stringify(secret)})`],
        cwd: "/",
        env: {},
      },
      { stdio: ["ignore", "pipe", "pipe"], needs: [process.execPath] },
    );
    const [code] = await once(child, "close");
    expect(code).toBe(0);
    let isOver = false;
    const ended = walled.end().then(() => {
      isOver = true;
    });
    await new Promise(setImmediate);
    expect({ isOver, told }).toEqual({ isOver: false, told: [] });
    measured.resolve(null);
    await ended;
    expect(told).toEqual([secret]);
  },
);
