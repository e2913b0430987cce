import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FakeClock } from "../../../../test/support/fake-clock.ts";
import type { Plugin } from "../../../contract/index.ts";
import type { PoolOptions } from "../ports.ts";
import type { Slot } from "../slot/slot.ts";
import { EditedLinks } from "./edited-links.ts";

let dir: string;
let clock: FakeClock;
let edits: EditedLinks;
let said: string[];
let restarts: number;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "patchbay-edits-"));
  await mkdir(join(dir, ".venv", "lib"), { recursive: true });
  await mkdir(join(dir, "part"));
  clock = new FakeClock();
  said = [];
  restarts = 0;
  const plugin = { runtime: "flowly", source: { kind: "link" }, artifact: { kind: "folder", dir } };
  const slot = {
    state: "running",
    journal: { log: (level: string, text: string) => void said.push(`${level}: ${text}`) },
    restart: async () => {
      restarts += 1;
    },
  };
  const options = {
    registry: { get: () => plugin as unknown as Plugin },
    runtimes: [{ id: "flowly", reloadsEdits: true }],
  } as unknown as PoolOptions;
  edits = new EditedLinks(options, () => [slot as unknown as Slot], clock);
  edits.watch("parcels");
});
afterEach(async () => {
  edits.stop();
  await rm(dir, { recursive: true, force: true });
});

/** Writes a file, and waits until that was noticed. */
async function edit(file: string, content: string): Promise<void> {
  await writeFile(join(dir, file), content);
  await expect.poll(() => clock.waiting).toBeGreaterThan(0);
}

describe("a linked folder", () => {
  test("is followed: several edits are one start", async () => {
    await edit("__init__.py", "1");
    await edit(join("part", "more.py"), "2");
    clock.advance(399);
    expect(restarts).toBe(0);
    clock.advance(1_000);
    expect(restarts).toBe(1);
    expect(said).toEqual(["info: Its files were edited, so it is started anew."]);
  });

  test("is not followed where no code of its own lies", async () => {
    await writeFile(join(dir, ".venv", "lib", "x.py"), "1");
    await writeFile(join(dir, "part", "more.pyc"), "1");
    // What is written after those is noticed after them.
    await edit("__init__.py", "1");
    clock.advance(1_000);
    expect(restarts).toBe(1);
  });

  test("that changes all the time is left alone for a while, which is said", async () => {
    for (let round = 0; round < 11; round += 1) {
      await edit("__init__.py", String(round));
      clock.advance(1_000);
    }
    expect(restarts).toBe(10);
    expect(said.at(-1)).toMatch(/^warn: Its files were edited again.*restart it to take the newer one\.$/);
    clock.advance(60_000);
    await edit("__init__.py", "later");
    clock.advance(1_000);
    expect(restarts).toBe(11);
  });
});
