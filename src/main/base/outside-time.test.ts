import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

/**
 * Calls that give another result each time. Code gets times and ids from a Clock and Ids of base instead.
 * `setImmediate` imported as `nextTurn` is allowed: it only lets other work run first.
 */
const wild =
  /\bnew Date\(\)|\bDate\.now\(|\bperformance\.now\(|\bset(?:Timeout|Interval)\(|\bAbortSignal\.timeout\(|\brandom(?:UUID|Bytes|Int)\b|\bMath\.random\(|(?<!setImmediate as nextTurn \} from ")node:timers/;

/** A request to a sign-in provider is given up after real time, whatever clock a setup has: it is never replayed. */
const allowed = "signal: () => AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),";

/**
 * Rooms that are handed their time, timers and ids, so that a turn can be replayed and tests bring their own. The
 * number is the least count of source files to expect, so that a moved folder does not pass unseen.
 */
const rooms = { agents: 50, pool: 15, setup: 15, "agent-plugins": 5 };

test.each(Object.entries(rooms))("%s takes the time, timers and names from outside", async (room, files) => {
  const folder = join(import.meta.dirname, "..", room);
  const all = await readdir(folder, { recursive: true });
  const names = all.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  expect(names.length).toBeGreaterThan(files);
  const found: string[] = [];
  for (const name of names) {
    const text = await readFile(join(folder, name), "utf8");
    for (const [index, line] of text.split("\n").entries())
      if (wild.test(line) && line.trim() !== allowed) found.push(`${name}:${index + 1} ${line.trim()}`);
  }
  expect(found).toEqual([]);
});
