import fc from "fast-check";
import { expect, test } from "vitest";
import { type Line, LineSplitter } from "../../../platform/lines/byte-lines.ts";
import { CappedText } from "./output/capped-text.ts";
import { cleanText } from "./output/clean-text.ts";
import { readLine } from "./protocol/messages.ts";

/** All lines of a text that comes in pieces. */
function linesOf(bytes: Buffer, cuts: number[], limit?: number): Line[] {
  const splitter = new LineSplitter(limit);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const lines = places.slice(1).flatMap((end, at) => [...splitter.push(bytes.subarray(places[at], end))]);
  const last = splitter.end();
  return last ? [...lines, last] : lines;
}

test("lines are the same wherever the stream was cut", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), fc.array(fc.nat()), (texts, cuts) => {
      const lines = texts.map((text) => text.replace(/[\n\r\uFEFF]/g, " "));
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
      expect(linesOf(bytes, cuts)).toEqual(lines.map((line) => ({ text: line.toWellFormed() })));
    }),
  );
});

test("any bytes give as many lines as there are line ends", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), fc.array(fc.nat()), (bytes, cuts) => {
      const ends = bytes.filter((byte) => byte === 10).length;
      const open = bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0;
      expect(linesOf(Buffer.from(bytes), cuts)).toHaveLength(ends + open);
    }),
  );
});

test("a line above the limit is told by its size and spoils no other", () => {
  fc.assert(
    fc.property(fc.integer({ min: 11, max: 300 }), fc.array(fc.nat()), (size, cuts) => {
      const bytes = Buffer.from(`short\n${"x".repeat(size)}\nafter`);
      expect(linesOf(bytes, cuts, 10)).toEqual([
        { text: "short" },
        { tooLong: size, head: expect.any(String) },
        { text: "after" },
      ]);
    }),
  );
});

test("any line is a message, raw, malformed or blank", () => {
  const shaped = fc.record(
    {
      type: fc.constantFrom(
        "prompt",
        "confirm",
        "select",
        "multi_select",
        "progress",
        "log",
        "output",
        "store",
        "load",
        "exec",
        "metadata",
        "__proto__",
      ),
      id: fc.oneof(fc.string(), fc.integer()),
      message: fc.jsonValue(),
      options: fc.jsonValue(),
      default: fc.jsonValue(),
      key: fc.jsonValue(),
      keys: fc.jsonValue(),
      text: fc.jsonValue(),
    },
    { requiredKeys: ["type"] },
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        shaped.map((value) => JSON.stringify(value)),
      ),
      (text) => {
        expect(["blank", "raw", "message", "malformed"]).toContain(readLine(text).kind);
      },
    ),
    { numRuns: 500 },
  );
});

test("cleaned text holds no control characters but line ends and tabs", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect([...cleanText(text)].every((char) => char >= " " || char === "\n" || char === "\t")).toBe(true);
    }),
  );
  expect(
    cleanText("\u001b[1;31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u001b\\ 50%\r100%\r\n"),
  ).toBe("red link 50%\n100%\n");
});

test("kept text is the whole, or its beginning and its end", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 40 })), fc.integer({ min: 2, max: 60 }), (pieces, limit) => {
      const text = new CappedText(limit);
      for (const piece of pieces) text.add(piece);
      const whole = pieces.join("");
      if (text.dropped === 0) expect(text.text()).toBe(whole);
      else expect(text.text()).toContain(`[${text.dropped} characters were left out]`);
      expect(text.text().length).toBeLessThanOrEqual(Math.max(whole.length, limit + 60));
    }),
  );
});
