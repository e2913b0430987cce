import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { kw, namesHeld, sym } from "./names.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

test("two names that read alike are one object, and a keyword is no symbol", () => {
  expect(sym("a")).toBe(sym("a"));
  expect(kw("a")).toBe(kw("a"));
  expect(kw("a") as unknown).not.toBe(sym("a"));
});

test("names that nobody holds any more are forgotten, those that are held stay the same", async () => {
  const held = kw("held-name");
  const before = namesHeld();
  for (let index = 0; index < 50_000; index++) kw(`made-${index}`);
  expect(namesHeld()).toBeGreaterThan(before + 40_000);
  await expect
    .poll(async () => {
      collect();
      await turn();
      return namesHeld();
    })
    .toBeLessThan(before + 1_000);
  expect(kw("held-name")).toBe(held);
});
