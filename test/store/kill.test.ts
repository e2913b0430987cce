import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { z } from "zod";
import { type Problem, settingsSchema } from "../../src/contract/index.ts";
import { only, openFileStorage } from "../../src/main/store/index.ts";

const runs = Number(process.env.PATCHBAY_KILL_RUNS ?? 5);

/**
 * Runs the loop over a home folder, kills it at a random moment after `confirmations` lines, and returns the number in
 * the last line.
 */
async function runAndKill(home: string, confirmations: number): Promise<number> {
  const program = resolve(import.meta.dirname, "../fixtures/store/change-rows-in-a-loop.ts");
  const child = spawn(process.execPath, [program, home], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  let last = -1;
  let seen = 0;
  lines.on("line", (line) => {
    last = Number(line);
    seen += 1;
    if (seen !== confirmations) return;
    const end = performance.now() + Math.random() * 3;
    while (performance.now() < end);
    child.kill("SIGKILL");
  });
  await Promise.all([once(child, "close"), once(lines, "close")]);
  expect(seen).toBeGreaterThanOrEqual(confirmations);
  return last;
}

test("rows, log and lease hold what was confirmed, whenever the process is killed", async () => {
  const home = await mkdtemp(join(tmpdir(), "patchbay-kill-rows-"));
  const notices: Problem[] = [];
  let generation = 0;
  for (let run = 0; run < runs; run += 1) {
    const confirmed = await runAndKill(home, 1 + Math.floor(Math.random() * 20));
    const storage = openFileStorage({ home, onNotice: (problem) => notices.push(problem) });
    const lease = await storage.leases.acquire();
    expect(lease.generation).toBeGreaterThan(generation);
    generation = lease.generation;
    await lease.release();
    const rows = storage.rows({ name: "settings", schema: settingsSchema, version: 2 });
    expect([confirmed, confirmed + 1]).toContain(rows.get(only)?.revision);
    await rows.close();
    const log = storage.log({
      place: { kind: "audit", day: "2026-01-01" },
      schema: z.object({ count: z.number() }),
    });
    const entries = await log.readAll();
    expect([confirmed, confirmed + 1]).toContain(entries.at(-1)?.count);
    await log.close();
  }
  expect(notices.filter(({ details }) => !String(details?.path).endsWith(".jsonl"))).toEqual([]);
  await rm(home, { recursive: true });
}, 300_000);
