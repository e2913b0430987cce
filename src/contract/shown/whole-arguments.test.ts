import { expect, test } from "vitest";
import { inShownOrder, wholeArguments } from "./whole-arguments.ts";

const page = "line of text\n".repeat(400);

test("a path stands above five kilobytes of text, whatever the order of the call", () => {
  const shown = wholeArguments({ content: page, mode: "w", targetPath: "/etc/passwd" });
  expect(shown.map(({ name }) => name)).toEqual(["targetPath", "mode", "content"]);
  expect(Object.keys(inShownOrder({ content: page, path: "a" }))).toEqual(["path", "content"]);
});

test("a long text keeps its beginning and its end, and says exactly how much is between them", () => {
  const text = `${page}the last words`;
  const [argument] = wholeArguments({ content: text });
  const folded = argument?.folded;
  expect(folded?.head).toMatch(/^line of text/);
  expect(folded?.tail).toMatch(/the last words$/);
  expect((folded?.head.length ?? 0) + (folded?.tail.length ?? 0) + (folded?.hidden ?? 0)).toBe(text.length);
  expect(argument?.text).toBe(text);
});

test("a command is shown whole much longer than a text, and its end even when it is folded", () => {
  const command = `${"echo one && ".repeat(120)}rm -rf build`;
  expect(wholeArguments({ command })[0]?.folded).toBeNull();
  const endless = `${"echo one && ".repeat(1_200)}rm -rf build`;
  expect(wholeArguments({ command: endless })[0]?.folded?.tail).toMatch(/rm -rf build$/);
});

test("many empty lines before the end hide nothing", () => {
  const [argument] = wholeArguments({ body: `hello${"\n".repeat(500)}rm -rf /` });
  expect(argument?.folded?.tail).toContain("rm -rf /");
});
