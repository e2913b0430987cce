import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const folder = ".github/workflows";

test("an action whose tag is moved to other code changes nothing: each is named by the hash of its commit", async () => {
  const files = (await readdir(folder)).filter((name) => /\.ya?ml$/.test(name));
  const loose: string[] = [];
  let pinned = 0;
  for (const name of files) {
    for (const line of (await readFile(`${folder}/${name}`, "utf8")).split("\n")) {
      const used = /^\s*(?:- )?uses:\s*(\S+)(.*)$/.exec(line);
      if (!used) continue;
      // The version stands beside the hash, so that a person sees what it is.
      const isPinned = /@[0-9a-f]{40}$/.test(used[1] ?? "") && /# v\d/.test(used[2] ?? "");
      if (isPinned) pinned += 1;
      else loose.push(`${name}: ${line.trim()}`);
    }
  }
  expect(loose).toEqual([]);
  expect(pinned).toBeGreaterThan(0);
});
