import { describe, expect, it } from "vitest";
import { createEngine } from "../engine.ts";
import { kw } from "../values/names.ts";
import { Interrupted } from "./janet-error.ts";

const engine = createEngine();

describe("recursion", () => {
  it.each([
    ["(defn f [n] (if (= n 0) 0 (+ 1 (f (- n 1))))) (f 100000)", 100_000],
    ["(defn f [n] (if (= n 0) 0 (+ 1 (first (map f [(- n 1)]))))) (f 3000)", 3_000],
    ["(defn f [n] (if (= n 0) 0 (+ 1 (try (f (- n 1)) ([e] e))))) (f 1500)", 1_500],
    [
      "(defn f [n] (if (= n 0) (yield 1) (+ 1 (f (- n 1))))) (def c (coro (f 3000))) (resume c) (resume c 5)",
      3_005,
    ],
    [
      "(defn walk [n] (when (pos? n) (yield n) (walk (- n 1)) (yield n))) (sum (seq [x :in (coro (walk 700))] x))",
      490_700,
    ],
    [
      "(defn f [n] (if (pos? n) (try (+ 1 (f (- n 1))) ([e] (error (+ e 1)))) (error 0))) (try (f 700) ([e] e))",
      700,
    ],
    [
      "(defn f [n] (if (pos? n) (let [c (fiber/new (fn [] (f (- n 1))) :e)] (+ 1 (resume c))) (yield 1))) (def c (coro (f 2000))) (resume c) (resume c 5)",
      2_005,
    ],
    ["(defn f [n] (if (pos? n) (+ 1 (f (- n 1))) (do (ev/sleep 0) 0))) (f 3000)", 3_000],
    ["(defn f [n] (if (= n 0) 0 (f (- n 1)))) (f 300000)", 0],
    ["(defn odd [n f] (if (= n 0) 1 (f (- n 1) odd))) (odd 100000 odd)", 1],
  ])("%s", async (code, wanted) => expect(await engine.evaluate(code)).toBe(wanted));

  it("without end is a Janet error", async () => {
    expect(await engine.evaluate("(defn f [] (+ 1 (f))) (try (f) ([e] e))")).toBe("stack overflow");
    expect(await engine.evaluate("(defn f [] (try (f) ([e] (error e)))) (try (f) ([e] e))")).toBe(
      "stack overflow",
    );
  });

  it("of an error deep down comes out once", async () => {
    const code = '(defn f [n] (if (= n 0) (error "deep") (+ 1 (f (- n 1))))) (try (f 5000) ([e] e))';
    expect(await engine.evaluate(code)).toBe("deep");
  });
});

describe("a budget", () => {
  it.each([
    "(while true)",
    "(forever (protect (while true)))",
    "(try (while true) ([e] 1))",
    "(defer (def cleaned true) (while true))",
    "(defn f [] (f)) (f)",
    "(defn f [] (protect (f)) (f)) (f)",
    "(map (fn [x] (while true)) [1])",
    "(defmacro m [] (while true)) (m)",
  ])("of steps ends %s", async (code) => {
    await expect(engine.evaluate(code, { steps: 50_000 })).rejects.toBeInstanceOf(Interrupted);
  });

  it("of time ends a loop", async () => {
    await expect(engine.evaluate("(while true)", { millis: 30 })).rejects.toBeInstanceOf(Interrupted);
    expect(await engine.evaluate("(+ 1 1)")).toBe(2);
  });

  it("lets other work go on during a loop", async () => {
    const order: string[] = [];
    const loop = engine
      .evaluate("(do (var i 0) (while (< i 3000000) (++ i)) i)")
      .then(() => order.push("loop"));
    const other = new Promise<void>((done) => setTimeout(done, 1)).then(() => order.push("other"));
    await Promise.all([loop, other]);
    expect(order).toEqual(["other", "loop"]);
  });

  it("leaves a value of a cleanup that ran in time", async () => {
    expect(await engine.evaluate("(do (var x 0) (protect (defer (set x 1) (error 1))) x)")).toBe(1);
    expect(await engine.evaluate(":done")).toBe(kw("done"));
  });
});
