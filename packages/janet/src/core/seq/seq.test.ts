import { describe, expect, it } from "vitest";
import { runCase } from "../../cli/cases.ts";
import { createEngine } from "../../engine.ts";
import { Interrupted } from "../../vm/janet-error.ts";

/** The printed value of a program, or its error after a `!`. */
async function run(code: string): Promise<string> {
  const { value, error } = await runCase(code);
  return value ?? `!${error}`;
}

describe("functions over collections", () => {
  it("take from a fiber only what they need", async () => {
    expect(await run("(let [f (coro (yield 1) (yield 2) (yield 3))] [(take 2 f) (resume f)])")).toBe(
      "(@[1 2] 3)",
    );
    expect(await run("(let [f (coro (yield 1) (yield 2) (yield 3))] [(find odd? f) (resume f)])")).toBe(
      "(1 2)",
    );
    expect(await run("(let [f (coro (yield 1) (yield 2))] [(any? f) (resume f)])")).toBe("(1 2)");
  });

  it("stop with the shortest of several collections", async () => {
    expect(await run("(map tuple [1 2 3] (coro (yield :a) (yield :b)) {:x 1 :y 2 :z 3})")).toBe(
      "@[(1 :a 1) (2 :b 2)]",
    );
  });

  it("let the functions they are given suspend", async () => {
    const yields = "(coro (def all (@F (fn [& xs] (yield (first xs))) @[3 4])) [:got all])";
    for (const f of [
      "map",
      "filter",
      "keep",
      "count",
      "sort-by",
      "group-by",
      "partition-by",
      "some",
      "find",
    ]) {
      const code = `(def f ${yields.replace("@F", f)}) [(resume f) (resume f true)]`;
      expect(await run(code), f).toMatch(/^\(3 (4|\(:got true\)|\(:got 3\))\)$/);
    }
    expect(
      await run("(def f (coro (sort @[2 1] (fn [a b] (yield [a b]))))) [(resume f) (resume f true)]"),
    ).toBe("((1 2) @[1 2])");
    expect(await run("(def f (coro (update @{:a 1} :a (fn [x] (yield x))))) [(resume f) (resume f 5)]")).toBe(
      "(1 @{:a 5})",
    );
  });

  it("pass an error of a fiber on that they go over", async () => {
    expect(await run('(map inc (coro (yield 1) (error "inside")))')).toBe("!inside");
    expect(await run("(map inc (fiber-fn :ye (yield 1) (error :x)))")).toBe("@[2]");
  });

  it("sort by an order that contradicts itself without failing", async () => {
    expect(await run("(length (sort (range 50) (fn [a b] true)))")).toBe("50");
  });

  it("freeze keys that become equal to the greater of their values", async () => {
    expect(await run("(freeze {@[1] 5 [1] 9})")).toBe("{(1) 9}");
    expect(await run("(freeze {[1] 9 @[1] 5})")).toBe("{(1) 9}");
  });

  it("keep brackets and kinds when they walk", async () => {
    expect(await run("(walk identity '[1 (2)])")).toBe("[1 (2)]");
    expect(await run("(walk (fn [x] (if (number? x) (inc x) x)) @{:a 1})")).toBe("@{:a 2}");
  });

  it("stop when the steps of their task are used up", async () => {
    const sources = [
      "(map identity xs)",
      "(distinct xs)",
      "(frequencies xs)",
      "(sort xs >)",
      "(partition 2 xs)",
      "(sum xs)",
    ];
    for (const source of [...sources, "(sort-by - xs)", "(flatten xs)", "(interleave xs xs)"]) {
      const engine = createEngine();
      const result = engine.evaluate(`(def xs (range 20000)) ${source}`, { steps: 21_000 });
      await expect(result, source).rejects.toBeInstanceOf(Interrupted);
    }
  });
});
