import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { AgentOfText } from "./remote-picture.tsx";
import { RichText } from "./rich-text.tsx";

vi.mock("react-i18next", () => ({ useTranslation: () => ({ t: (key: string) => key }) }));

const drawn = (text: string, agentId = "ada") =>
  renderToStaticMarkup(
    createElement(AgentOfText, { value: agentId }, createElement(RichText, { text })),
  ).replaceAll(/ class="[^"]*"/g, "");

test("headings, lists, tables and code are drawn as such", () => {
  expect(drawn("# Plan\n\n- one\n- **two**")).toBe(
    "<div><h3>Plan</h3><ul><li><p>one</p></li><li><p><strong>two</strong></p></li></ul></div>",
  );
  const code = drawn("```js\na < b\n```");
  expect(code).toContain("<span>js</span>");
  expect(code).toContain('<pre tabindex="0"><span>a &lt; b</span></pre>');
  expect(drawn("```\na < b\n```")).toContain('<pre tabindex="0">a &lt; b</pre>');
  expect(drawn("| a | b |\n|---|---|\n| 1 | `2` |")).toContain(
    "<thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><code>2</code></td></tr></tbody>",
  );
});

test("only pages and letters are links", () => {
  expect(drawn("[page](https://example.com/a) <mailto:ada@example.com>").match(/href="[^"]*"/g)).toEqual([
    'href="https://example.com/a"',
    'href="mailto:ada@example.com"',
  ]);
  for (const url of [
    "javascript:alert(1)",
    "file:///etc/passwd",
    "data:text/html,x",
    "/relative",
    "patchbay://x",
  ])
    expect(drawn(`[text](${url})`)).toBe("<div><p>text</p></div>");
});

test("a link whose words name another host says where it leads", () => {
  const told = (text: string) => drawn(text).includes("conversation.leadsTo");
  expect(told("[bank.com](https://example.com/bank)")).toBe(true);
  expect(told("[https://bank.test/x](https://example.com)")).toBe(true);
  expect(told("[example.com](https://www.example.com/bank)")).toBe(false);
  expect(told("[www.example.com](https://example.com/bank)")).toBe(false);
  expect(told("[src/index.ts](https://example.com/bank)")).toBe(false);
  expect(told("[the bank](https://example.com/bank)")).toBe(false);
});

test("tasks are drawn with their marks", () => {
  const tasks = drawn("- [x] done\n- [ ] open");
  expect(tasks).toContain('aria-label="conversation.taskDone"');
  expect(tasks).toContain('aria-label="conversation.taskOpen"');
});

test("HTML stays text, and a picture is asked for before it is fetched", () => {
  const text =
    '<img src=x onerror="alert(1)">\n\n![a cat](https://example.com/cat.png)\n\n![no](data:image/png,x)';
  const html = drawn(text);
  expect(html).not.toContain("<img");
  expect(html).toContain("&lt;img src=x");
  expect(html).toContain("a cat");
  expect(html.match(/conversation\.showPicture/g)).toHaveLength(1);
  // Where a text stands in no conversation, none is offered.
  expect(drawn(text, "")).not.toContain("conversation.showPicture");
});
