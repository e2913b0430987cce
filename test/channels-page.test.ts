import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { testTitles } from "./support/test-titles.ts";

/**
 * The page on channels, and those of the plugins, promise nothing without the name of its test beside it: a link to the
 * file, and words of the test's title in quotes after it.
 */
const pages: { page: string; from: RegExp | null }[] = [
  { page: "docs/channels.md", from: null },
  ...globSync("plugins/*/README.md")
    .filter((page) => existsSync(join(dirname(page), "src/transport.ts")))
    // How to set it up, and what each setting is for, is told there, too.
    .map((page) => ({ page, from: /^## (What you need|Set it up|Its rights|Settings)$/ })),
];

const proof = /\[([\w.-]+)\]\(([^)\s]+\.ts)\)((?:(?:,| and)? "[^"]+")+)/g;
const link = /\]\([^)\s]+\.ts\)/g;

describe.each(pages)("$page", ({ page, from }) => {
  const blocks = blocksOf(readFileSync(page, "utf8"), from);

  test("promises nothing without the name of its test", () => {
    expect(blocks.length).toBeGreaterThan(8);
    expect(blocks.filter((block) => !block.match(proof)).map((block) => block.slice(0, 90))).toEqual([]);
  });

  test("names tests that are there, by words of their titles", () => {
    const wrong: string[] = [];
    const text = blocks.join("\n\n");
    const proofs = [...text.matchAll(proof)];
    expect(proofs).toHaveLength(text.match(link)?.length ?? 0);
    for (const [, label = "", path = "", words = ""] of proofs) {
      const file = join(dirname(page), path);
      if (!existsSync(file)) wrong.push(`${file} is not there`);
      else if (label !== basename(file).replace(/(\.(test|spec))?\.ts$/, ""))
        wrong.push(`${label} for ${file}`);
      else
        for (const [, title = ""] of words.matchAll(/"([^"]+)"/g))
          if (!titlesOf(file).some((known) => known.includes(title))) wrong.push(`${file}: ${title}`);
    }
    expect(wrong).toEqual([]);
  });
});

const known = new Map<string, string[]>();
function titlesOf(file: string): string[] {
  const titles = known.get(file) ?? testTitles(file);
  known.set(file, titles);
  return titles;
}

/** Paragraphs, items of lists and rows of tables, each in one line; none of sections that only say how to do something. */
function blocksOf(text: string, leftOut: RegExp | null): string[] {
  const blocks: string[] = [];
  let isLeftOut = leftOut !== null;
  for (const block of text.replace(/^```[\s\S]*?^```$/gm, "").split(/\n\s*\n/)) {
    const lines = block.trim().split("\n");
    const [first = ""] = lines;
    if (first === "" || first.startsWith("![")) continue;
    if (first.startsWith("#")) {
      if (leftOut && first.startsWith("## ")) isLeftOut = leftOut.test(first);
      continue;
    }
    if (isLeftOut) continue;
    if (first.startsWith("|")) blocks.push(...lines.slice(2));
    else if (/^(-|\d+\.) /.test(first)) blocks.push(...itemsOf(lines));
    else blocks.push(lines.join(" "));
  }
  return blocks;
}

function itemsOf(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    if (/^(-|\d+\.) /.test(line)) items.push(line);
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  return items;
}
