import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Problem } from "../../../contract/index.ts";
import { openJsonLines } from "./json-lines.ts";
import { openStateFile } from "./state-file.ts";

const FIXTURES = resolve(import.meta.dirname, "../../../../test/fixtures/store");
const KILLS = 50;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-crash-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Runs a program until it has confirmed `confirmations` numbers and kills it a moment later. Returns the last number
 * that it confirmed.
 */
async function runAndKill(program: string, path: string, confirmations: number): Promise<number> {
  const child = spawn(process.execPath, [join(FIXTURES, program), path], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const errors: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
  const lines = createInterface({ input: child.stdout });
  let last = -1;
  let seen = 0;
  lines.on("line", (line) => {
    last = Number(line);
    seen += 1;
    if (seen === confirmations) killSoon(child);
  });
  await Promise.all([once(child, "close"), once(lines, "close")]);
  expect(seen, Buffer.concat(errors).toString()).toBeGreaterThanOrEqual(confirmations);
  return last;
}

/**
 * Kills the process after a random busy wait of up to two milliseconds, so that the kills are spread over all moments
 * of a write.
 */
function killSoon(child: ChildProcess): void {
  const end = performance.now() + Math.random() * 2;
  while (performance.now() < end);
  child.kill("SIGKILL");
}

it(`holds what was confirmed after each of ${KILLS} kills in the middle of updates`, {
  timeout: 300_000,
}, async () => {
  const path = join(folder, "state.json");
  const notices: Problem[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const confirmed = await runAndKill("update-in-a-loop.ts", path, 1 + Math.floor(Math.random() * 8));
    const parsed = JSON.parse(readFileSync(path, "utf8"));
    expect([confirmed, confirmed + 1]).toContain(parsed.data.count);
  }
  const file = openStateFile({
    path,
    schema: z.object({ count: z.number(), filler: z.string() }),
    version: 1,
    initial: () => ({ count: 0, filler: "" }),
    onNotice: (problem) => notices.push(problem),
  });
  file.update((value) => ({ ...value }));
  expect(notices).toEqual([]);
  const left = readdirSync(folder).filter((name) => !/^state\.json(\.bak[123])?$/.test(name));
  expect(left.filter((name) => !name.endsWith(".bak1.tmp"))).toEqual([]);
});

it("holds every confirmed line, in order, after each of 20 kills in the middle of appends", {
  timeout: 300_000,
}, async () => {
  const path = join(folder, "lines.jsonl");
  const schema = z.object({ n: z.number(), filler: z.string() });
  for (let kill = 0; kill < 20; kill += 1) {
    const confirmed = await runAndKill("append-in-a-loop.ts", path, 1 + Math.floor(Math.random() * 30));
    const lines = openJsonLines(path, schema);
    const numbers = (await lines.readAll()).map(({ n }) => n);
    await lines.close();
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect([confirmed, confirmed + 1]).toContain(numbers.at(-1));
  }
});

describe.runIf(process.platform !== "win32")(
  "on a disk that takes only a part of a write",
  { timeout: 60_000 },
  () => {
    /**
     * Runs a program whose files may have at most 40 KiB. The write that crosses this limit is cut short, as when a
     * disk becomes full.
     */
    async function runWithLimit(program: string, path: string): Promise<unknown> {
      const command = ["-c", 'ulimit -f 80; exec "$0" "$@"', process.execPath, join(FIXTURES, program), path];
      const child = spawn("sh", command, { stdio: ["ignore", "pipe", "inherit"] });
      const output: Buffer[] = [];
      child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
      await once(child, "close");
      return JSON.parse(Buffer.concat(output).toString());
    }

    it("a state file stays whole and as it was confirmed", async () => {
      const path = join(folder, "state.json");
      const result = await runWithLimit("write-past-the-limit.ts", path);
      const { count } = JSON.parse(readFileSync(path, "utf8")).data;
      expect(result).toEqual({ code: "DISK_FULL", message: expect.stringContaining("state.json"), count });
      expect(count).toBeGreaterThan(10);
      expect(readdirSync(folder).filter((name) => /tmp|previous/.test(name))).toEqual([]);
    });

    it("a file of lines keeps those that were confirmed, and takes the next that fits", async () => {
      const path = join(folder, "lines.jsonl");
      const { confirmed, refused, numbers } = (await runWithLimit("append-past-the-limit.ts", path)) as {
        confirmed: number;
        refused: string;
        numbers: number[];
      };
      expect(refused).toBe("DISK_FULL");
      expect(confirmed).toBeGreaterThan(10);
      expect(numbers).toEqual(Array.from({ length: confirmed + 1 }, (_, index) => index));
    });
  },
);
