import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

/** What would make a turn different each time that it is run. Clock and Ids of base are the way to it. */
const wild =
  /\bnew Date\(\)|\bDate\.now\(|\bperformance\.now\(|\bset(?:Timeout|Interval)\(|\brandom(?:UUID|Bytes|Int)\b|\bMath\.random\(|node:timers/;

test("agents take the time, timers and names from outside, so that a turn can be run again", async () => {
  const names = await readdir(import.meta.dirname, { recursive: true });
  const files = names.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  expect(files.length).toBeGreaterThan(50);
  const found: string[] = [];
  for (const name of files) {
    const text = await readFile(join(import.meta.dirname, name), "utf8");
    for (const [index, line] of text.split("\n").entries())
      if (wild.test(line)) found.push(`${name}:${index + 1} ${line.trim()}`);
  }
  expect(found).toEqual([]);
});
