import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

/** What is another each time. Clock and Ids of base are the way to it; letting others go first takes no time. */
const wild =
  /\bnew Date\(\)|\bDate\.now\(|\bperformance\.now\(|\bset(?:Timeout|Interval)\(|\brandom(?:UUID|Bytes|Int)\b|\bMath\.random\(|(?<!setImmediate as nextTurn \} from ")node:timers/;

/** Rooms that take the time, timers and names from outside: a turn can be run again, and tests bring their own. */
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
      if (wild.test(line)) found.push(`${name}:${index + 1} ${line.trim()}`);
  }
  expect(found).toEqual([]);
});
