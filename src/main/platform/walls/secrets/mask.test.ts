import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { masked, maskStream } from "./mask.ts";

const value = "sk-live-0123456789";
const stars = "*".repeat(value.length);

test("a value becomes as many stars as it has bytes", () => {
  expect(masked(`a ${value} b ${value}`, [value])).toBe(`a ${stars} b ${stars}`);
  expect(masked("the key is short", ["short"])).toBe("the key is short");
});

test("however an answer is cut into pieces, the value does not come through and nothing else is lost", async () => {
  const whole = `sk-live-${value}sk-live-01234${value}sk-`;
  const expected = whole.replaceAll(value, stars);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: whole.length }), { maxLength: 6 }), async (cuts) => {
      const places = [0, ...cuts.toSorted((one, other) => one - other), whole.length];
      const pieces = places.slice(1).map((end, at) => Buffer.from(whole.slice(places[at], end)));
      expect(await text(Readable.from(pieces).pipe(maskStream([value])))).toBe(expected);
    }),
    { numRuns: 200 },
  );
});
