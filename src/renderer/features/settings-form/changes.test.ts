import { describe, expect, it } from "vitest";
import { listChanges } from "./changes.ts";

describe("listChanges", () => {
  it("names each value that is new, other or gone, by its place", () => {
    const before = { a: 1, deep: { x: "old", y: true }, gone: null };
    const after = { a: 1, deep: { x: "new", y: true }, more: { n: 2 } };
    expect(listChanges(before, after)).toEqual([
      { path: ["deep", "x"], before: "old", after: "new" },
      { path: ["gone"], before: null, after: undefined },
      { path: ["more", "n"], before: undefined, after: 2 },
    ]);
  });

  it("takes a list as one value, and its order as part of it", () => {
    expect(listChanges({ l: [1, 2] }, { l: [1, 2] })).toEqual([]);
    expect(listChanges({ l: [1, 2] }, { l: [2, 1] })).toEqual([
      { path: ["l"], before: [1, 2], after: [2, 1] },
    ]);
  });

  it("compares a list of groups place by place", () => {
    const before = { l: [{ x: 1, y: [1] }] };
    expect(listChanges(before, { l: [{ x: 2, y: [1] }, { x: 3 }] })).toEqual([
      { path: ["l", "0", "x"], before: 1, after: 2 },
      { path: ["l", "1", "x"], before: undefined, after: 3 },
    ]);
    expect(listChanges(before, { l: [] })).toEqual([
      { path: ["l", "0", "x"], before: 1, after: undefined },
      { path: ["l", "0", "y"], before: [1], after: undefined },
    ]);
    expect(listChanges({}, { l: [] })).toEqual([{ path: ["l"], before: undefined, after: [] }]);
  });

  it("takes no notice of the order of names", () => {
    expect(listChanges({ a: 1, b: [{ x: 1, y: 2 }] }, { b: [{ y: 2, x: 1 }], a: 1 })).toEqual([]);
  });
});
