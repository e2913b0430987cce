import { describe, expect, it } from "vitest";
import { spotAfter } from "./use-roving.ts";

const extent = { rows: 500, columns: 21, page: 10 };
const from = { row: 4, column: 3 };

describe("the keys of the matrix", () => {
  it.each([
    ["ArrowUp", false, { row: 3, column: 3 }],
    ["ArrowDown", false, { row: 5, column: 3 }],
    ["ArrowLeft", false, { row: 4, column: 2 }],
    ["ArrowRight", false, { row: 4, column: 4 }],
    ["Home", false, { row: 4, column: 0 }],
    ["End", false, { row: 4, column: 20 }],
    ["Home", true, { row: 0, column: 0 }],
    ["End", true, { row: 499, column: 20 }],
    ["PageDown", false, { row: 14, column: 3 }],
    ["PageUp", false, { row: 0, column: 3 }],
  ])("%s (with Ctrl: %s) leads to %o", (key, ctrl, to) => {
    expect(spotAfter(key, ctrl, from, extent)).toEqual(to);
  });

  it("stay inside at every edge", () => {
    expect(spotAfter("ArrowUp", false, { row: 0, column: 0 }, extent)).toEqual({ row: 0, column: 0 });
    expect(spotAfter("ArrowDown", false, { row: 499, column: 20 }, extent)).toEqual({ row: 499, column: 20 });
    expect(spotAfter("ArrowRight", false, { row: 499, column: 20 }, extent)).toEqual({
      row: 499,
      column: 20,
    });
  });

  it("leave every other key to the cell", () => {
    for (const key of [" ", "Enter", "Tab", "a"]) expect(spotAfter(key, false, from, extent)).toBeNull();
  });
});
