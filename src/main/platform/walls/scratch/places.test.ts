import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sweep } from "./places.ts";

let place: string;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "patchbay-sweep-"));
});
afterAll(() => rm(place, { recursive: true, force: true }));

/** A folder with a file in it, two hours old. */
async function folder(name: string, ageMs = 2 * 60 * 60 * 1_000): Promise<string> {
  const path = join(place, name);
  await mkdir(join(path, "home"), { recursive: true });
  await writeFile(join(path, "home", "file"), "x");
  const at = new Date(Date.now() - ageMs);
  await utimes(path, at, at);
  return path;
}

test.skipIf(process.platform === "win32")(
  "folders of a process that is gone are removed, and no others",
  async () => {
    const gone = spawnSync(process.execPath, ["-e", ""]).pid;
    const left = await folder(`patchbay-wall-${gone}-aaaaaa`);
    const kept = [
      await folder(`patchbay-wall-${process.pid}-bbbbbb`),
      await folder(`patchbay-wall-${gone}-cccccc`, 0),
      await folder("patchbay-wall-dddddd"),
      await folder("somebody-else"),
    ];
    await sweep(place);
    expect(existsSync(left)).toBe(false);
    expect(kept.filter((path) => !existsSync(path))).toEqual([]);
  },
);
