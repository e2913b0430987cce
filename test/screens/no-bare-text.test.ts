import { globSync, readFileSync } from "node:fs";
import { parseSync } from "@swc/core";
import { expect, test } from "vitest";

/** Attributes that people read or hear. */
const readable = new Set(["alt", "aria-label", "label", "placeholder", "title"]);
/** The name is the same in every language; key caps and units are signs. */
const exempt = new Set(["Patchbay", "ms", "s", "MB"]);

interface Found {
  what: string;
  text: string;
}

/** Texts of a component that do not come out of the catalogue. */
function bareTexts(source: string): Found[] {
  const found: Found[] = [];
  const add = (what: string, text: string) => {
    const trimmed = text.trim();
    if (/\p{L}{2,}/u.test(trimmed) && !exempt.has(trimmed)) found.push({ what, text: trimmed });
  };
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) walk(each);
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    const { type } = node as { type?: string };
    if (type === "JSXText") add("text", (node as { value: string }).value);
    if (type === "JSXAttribute") {
      const { name, value } = node as {
        name: { value?: string };
        value: { type: string; value?: string } | null;
      };
      if (value?.type === "StringLiteral" && readable.has(name.value ?? ""))
        add(name.value ?? "", value.value ?? "");
    }
    if (type === "JSXExpressionContainer") {
      const { expression } = node as { expression: { type: string; value?: string } };
      if (expression.type === "StringLiteral" && /\p{L}{3,} /u.test(expression.value ?? ""))
        add("expression", expression.value ?? "");
    }
    for (const each of Object.values(node)) walk(each);
  };
  walk(parseSync(source, { syntax: "typescript", tsx: true, target: "es2024" }));
  return found;
}

test.each(globSync("src/renderer/**/*.tsx"))("every word of %s is in the catalogue", (file) => {
  expect(bareTexts(readFileSync(file, "utf8"))).toEqual([]);
});

test("a bare word is found, in the text, in an attribute and as a string", () => {
  const source = `const A = () => <p title="Some hint">Hello {"to the world"} {t("key")}</p>;`;
  expect(bareTexts(source).map(({ text }) => text)).toEqual(["Some hint", "Hello", "to the world"]);
});
