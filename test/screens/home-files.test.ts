import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const built = resolve("out/renderer");
const page = readFileSync(join(built, "index.html"), "utf8");
const scripts = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, path]) => path ?? "");

test("home is read in three script files, all named in the page", () => {
  expect(scripts.map((path) => path.replace(/-[\w-]{8}\.js$/, ""))).toEqual([
    "assets/rolldown-runtime",
    "assets/core",
    "assets/home",
  ]);
  for (const path of scripts) {
    const imports = readFileSync(join(built, path), "utf8").matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g);
    for (const [, name] of imports) expect(scripts).toContain(`assets/${name}`);
  }
});

test("neither the schema library nor the editor is among them", () => {
  for (const path of scripts) expect(readFileSync(join(built, path), "utf8")).not.toMatch(/_zod|cm-content/);
});

test("the file that talks to the core waits for no other", () => {
  expect(page).toMatch(/<script type="module" async[^>]*assets\/core-/);
});
