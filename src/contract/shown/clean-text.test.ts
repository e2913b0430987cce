import { expect, test } from "vitest";
import { cleanDeep, cleanJson, cleanLine, cleanText, escapeText, exactText } from "./clean-text.ts";

test.each([
  ["an escape that clears the screen", "a\u001b[2Jb", "a␛[2Jb"],
  ["an escape of one byte", "a\u009b2Jb", "a\ufffd2Jb"],
  ["a title of the terminal", "\u001b]0;owned\u0007", "␛]0;owned␇"],
  ["a backspace", "safe\b\b\b\bevil", "safe␈␈␈␈evil"],
  ["a carriage return that writes over the line", "evil\rsafe", "evil␍safe"],
  ["DEL", "a\u007fb", "a␡b"],
  ["a direction turned round", "user\u202egnp.exe", "user\ufffdgnp.exe"],
  ["an isolate that is never closed", "\u2067abc", "\ufffdabc"],
  ["a mark of direction", "a\u200fb", "a\ufffdb"],
  ["no width", "pa\u200bypal \u2060x", "pa\ufffdypal \ufffdx"],
  ["a joiner in a Latin word", "pay\u200dpal \u200c!", "pay\ufffdpal \ufffd!"],
  [
    "tags that spell a hidden order",
    "ok\u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}",
    `ok${"\ufffd".repeat(6)}`,
  ],
  ["half of a pair", "a\ud800b", "a\ufffdb"],
  ["a line separator", "a\u2028b", "a\ufffdb"],
  ["a pile of accents", `a${"\u0301".repeat(500)}b`, `a${"\u0301".repeat(8)}\ufffdb`],
  ["colours, which say nothing", "\u001b[1;32mok\u001b[0m", "ok"],
  ["an escape put together by taking colours out", "\u001b\u001b[0m[2J", "␛[2J"],
])("%s is shown as what it is", (_what, given, shown) => {
  expect(cleanText(given)).toBe(shown);
});

test.each([
  "Ein gewöhnlicher Satz – mit “Zeichen”, 3 € und naïveté.",
  "مرحبا بالعالم",
  "می\u200cخواهم",
  "שָׁלוֹם עוֹלָם",
  "क्\u200dष",
  "日本語のテキスト",
  "👩\u200d👩\u200d👧\u200d👦 👍🏽 ❤\ufe0f\u200d🔥",
  "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
  "two\nlines\tand a tab",
])("%j stays as it is", (text) => {
  expect(cleanText(text)).toBe(text);
  expect(cleanJson(JSON.stringify(text))).toBe(JSON.stringify(text));
});

test("a label is one line", () => {
  expect(cleanLine("  Two\r\n lines\t \u001b[31mred\u001b[0m ")).toBe("Two lines red");
});

test("a log shows what it escapes", () => {
  expect(escapeText("a\u001b[2J\u202eb\tc\nd\u009b")).toBe("a\\x1b[2J\\u{202e}b\tc\nd\\x9b");
});

test("JSON says the same after it was cleaned, and holds nothing raw", () => {
  const value = { "k\u202e": "\u009b2J \u{e0041} \u200b \u007f" };
  const json = cleanJson(JSON.stringify(value, null, 2));
  expect(JSON.parse(json)).toEqual(value);
  expect(json).toMatch(/^[\n -~]*$/);
});

test("a value is cleaned to its depth, fields' names too; a clean one stays the same object", () => {
  const clean = { a: ["x", { b: 1 }], c: null };
  expect(cleanDeep(clean)).toBe(clean);
  expect(cleanDeep({ "a\u0000": ["\u202ex", { b: 1 }] })).toEqual({ "a␀": ["\ufffdx", { b: 1 }] });
});

test("what is judged before it is done is shown whole, with what hides in it spelled out", () => {
  expect(exactText("rm -rf \u202ecod.txt\u202c")).toBe("rm -rf \\u202ecod.txt\\u202c");
  expect(exactText("a\u001b[8mhidden\u001b[0m")).toBe("a\\u001b[8mhidden\\u001b[0m");
  expect(exactText(`o${"\u0301".repeat(10)}k`)).toBe(`o${"\u0301".repeat(8)}${"\\u0301".repeat(2)}k`);
  expect(exactText("two\nlines\tof 👩\u200d👧 שָׁלוֹם")).toBe("two\nlines\tof 👩\u200d👧 שָׁלוֹם");
});
