import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { JsonDiff } from "./json-diff.tsx";
import { JsonTree } from "./json-tree.tsx";
import { firstOpen, treeRows } from "./tree-rows.ts";

vi.mock("react-i18next", () => ({
  useTranslation: () => ({ t: (key: string, { count }: { count?: number } = {}) => `${key}${count ?? ""}` }),
}));

const plain = (html: string) => html.replaceAll(/ (class|style|aria-hidden)="[^"]*"/g, "");

test("a short change stands on one line, old before new, told apart without colours too", () => {
  const html = plain(
    renderToStaticMarkup(
      createElement(JsonDiff, { before: { command: "rm -rf build" }, after: { command: "rm -r build/old" } }),
    ),
  );
  expect(html).toContain(
    "<span>command: </span><del><span>diff.before </span><span>&quot;rm -rf build&quot;</span></del>" +
      "<span> → </span><ins><span>diff.after </span><span>&quot;rm -r build/old&quot;</span></ins>",
  );
});

test("many unchanged lines are one row that opens, and equal values are said to be", () => {
  const before = { a: 1, b: 2, c: 3, d: 4, e: 5 };
  const drawn = (after: unknown) => plain(renderToStaticMarkup(createElement(JsonDiff, { before, after })));
  expect(drawn({ ...before, e: 6 })).toContain('<button type="button">diff.unchanged4</button>');
  expect(drawn(before)).toContain("diff.same");
});

test("what would turn the line round is shown as an escape", () => {
  const html = renderToStaticMarkup(createElement(JsonDiff, { before: { a: "x" }, after: { a: "\u202ex" } }));
  expect(html).toContain("\\u202e");
  expect(html).not.toContain("\u202e");
});

test("a tree says where each line lies, and what is closed is short", () => {
  const value = { content: [{ type: "text", text: "a\nb" }], "odd name": null };
  const rows = treeRows(value, firstOpen(value));
  expect(rows.map(({ path, level, isOpen }) => [path, level, isOpen])).toEqual([
    ["$", 1, true],
    ["$.content", 2, true],
    ["$.content[0]", 3, true],
    ["$.content[0].type", 4, null],
    ["$.content[0].text", 4, false],
    ['$["odd name"]', 2, null],
  ]);
  const html = renderToStaticMarkup(createElement(JsonTree, { value, label: "Result" }));
  expect(html).toContain('role="treeitem"');
  expect(html).toContain('aria-level="4"');
});

test("of a list of thousands a hundred are drawn until the rest is asked for", () => {
  const value = Array.from({ length: 5_000 }, (_, index) => index);
  const rows = treeRows(value, firstOpen(value));
  expect(rows).toHaveLength(102);
  expect(rows.at(-1)).toMatchObject({ kind: "more", value: 4_900, path: "$…" });
  expect(treeRows(value, new Set(["$", "$…"]))).toHaveLength(5_001);
});
