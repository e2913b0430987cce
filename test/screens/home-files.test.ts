import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const built = resolve("out/renderer");
const page = readFileSync(join(built, "index.html"), "utf8");
const scripts = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, path]) => path ?? "");

test("home is read in four script files, all named in the page", () => {
  expect(scripts.map((path) => path.replace(/-[\w-]{8}\.js$/, ""))).toEqual([
    "assets/rolldown-runtime",
    "assets/react",
    "assets/libraries",
    "assets/home",
  ]);
  for (const path of scripts) {
    const imports = readFileSync(join(built, path), "utf8").matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g);
    for (const [, name] of imports) expect(scripts).toContain(`assets/${name}`);
  }
});

test("neither the schema library nor the editor is among them", () => {
  // `_zod` is the property in which zod keeps a schema; `__zod_globalConfig`, which home sets for it, is not the library.
  for (const path of scripts)
    expect(readFileSync(join(built, path), "utf8")).not.toMatch(/\b_zod\b|cm-content/);
});

test("the page itself calls the core, before it waits for any file", () => {
  const script = page.indexOf("<script>");
  expect(page.slice(script, page.indexOf("</script>"))).toContain("/api/proof");
  // A script below a style sheet would wait for it.
  expect(script).toBeLessThan(page.indexOf('rel="stylesheet"'));
});

test("what the first drawing runs is compiled while it is fetched", () => {
  const whole = scripts.filter((path) =>
    readFileSync(join(built, path), "utf8").startsWith("//# allFunctionsCalledOnLoad"),
  );
  expect(whole.map((path) => path.replace(/-[\w-]{8}\.js$/, ""))).toEqual(["assets/react", "assets/home"]);
});
