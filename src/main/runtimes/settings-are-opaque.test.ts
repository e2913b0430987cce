import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, it } from "vitest";

const sources = resolve(import.meta.dirname, "../..");
/** The only folder whose code may wrap settings into `{tools?, channel?, hooks?}` and unwrap them. */
const owner = join(sources, "main", "runtimes", "native");

/**
 * Patterns in source text that show knowledge of native's settings wrapper. The names of capabilities alone are no sign
 * of it.
 */
const marks: [what: string, mark: RegExp][] = [
  ["a list of the parts", /\[\s*"(?:tools|channel|hooks)"(?:\s*,\s*"(?:tools|channel|hooks)")+\s*,?\s*\]/],
  ["a choice of the parts", /"(?:tools|channel|hooks)"\s*\|\s*"(?:tools|channel|hooks)"/],
  ["a part of settings by its name", /\b[cC]onfig\??\.(?:tools|channel|hooks)\b/],
  ["a part of settings by its name in brackets", /\b[cC]onfig\[\s*"(?:tools|channel|hooks)"\s*\]/],
  ["a part taken out of settings", /\{[^{}]*\b(?:tools|channel|hooks)\b[^{}]*\}\s*=\s*[\w.]*[cC]onfig\b/],
  ["settings put into a part", /\b[cC]onfig:\s*\{\s*(?:tools|channel|hooks)\b/],
  ["the wrapper in words", /\{tools\?/],
  ["wrapping by name", /\b(?:un)?wrap(?:Config|InSection|Settings)\b|\bflatConfig\b/],
];

it("nobody outside of native knows that settings have parts for tools, channel and hooks", () => {
  const found: string[] = [];
  for (const entry of readdirSync(sources, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!/\.tsx?$/.test(file) || /\.test\.tsx?$/.test(file) || file.startsWith(owner)) continue;
    const text = readFileSync(file, "utf8");
    for (const [what, mark] of marks) if (mark.test(text)) found.push(`${relative(sources, file)}: ${what}`);
  }
  expect(found).toEqual([]);
});

it("the marks are those of the code that does know", () => {
  const files = readdirSync(owner, { recursive: true, encoding: "utf8" }).filter((file) =>
    /[^t]\.ts$/.test(file),
  );
  const text = files.map((file) => readFileSync(join(owner, file), "utf8")).join("\n");
  for (const [what, mark] of marks.slice(0, 3)) expect(mark.test(text), what).toBe(true);
});
