import { describe, expect, it } from "vitest";
import { runCase } from "../cli/cases.ts";

async function result(code: string): Promise<string> {
  const { value, error } = await runCase(code, 5_000);
  return error === undefined ? (value ?? "") : `error: ${error}`;
}

describe("a fiber", () => {
  it.each([
    ["(resume (fiber/new (fn [& xs] xs)) 1)", "(1)"],
    ["(resume (fiber/new (fn [& xs] xs)))", "()"],
    ["(resume (fiber/new (fn [&opt x] [x])) 1)", "(1)"],
    ["(fiber/status (fiber/current))", ":alive"],
    ["(protect (resume (fiber/current)))", '(false "cannot resume fiber with status :alive")'],
    ["(fiber/can-resume? (fiber/new (fn [] 1)))", "true"],
    ["(let [f (fiber/new (fn [] (signal 4 1)) :u)] (resume f) (fiber/can-resume? f))", "false"],
    ["(let [f (fiber/new (fn [] (signal 8 1)) :r)] (resume f) (fiber/status f))", ":interrupted"],
    [
      "(let [f (fiber/new (fn [] (+ 1 (signal 9 1))) :w)] (resume f) [(fiber/status f) (resume f 4)])",
      "(:suspended 5)",
    ],
    ["(let [f (fiber/new (fn [] (debug 3) 4) :d)] [(resume f) (fiber/status f) (resume f)])", "(3 :debug 4)"],
    ["(let [f (coro 1)] (protect (cancel f :no)) (fiber/status f))", ":error"],
    ["(fiber/new (fn []) 5)", "error: bad slot #1, expected string, symbol, keyword or buffer, got 5"],
    ["(fiber/new (fn []) :e 5)", "error: bad slot #2, expected table, got 5"],
    ["(let [f (fiber/new (fn [] (dyn :x)) :e @{:x 3})] (resume f))", "3"],
    ["(let [f (fiber/new (fn [] (setdyn :x 3)) :i)] (resume f) (dyn :x))", "3"],
    ["(signal :user8 1)", "error: unknown signal :user8"],
  ])("%s", async (code, wanted) => expect(await result(code)).toBe(wanted));
});

describe("signals", () => {
  it.each([
    // An inner fiber without the mask stops along with the outer one, and goes on with it.
    [
      "(let [f (coro (def inner (fiber/new (fn [] (+ 1 (yield :up))) :e)) (+ 10 (resume inner)))] [(resume f) (resume f 5)])",
      "(:up 16)",
    ],
    [
      "(let [f (fiber/new (fn [] (defer (prin 1) (yield 2) 3)))] [(resume f) (resume f) (fiber/status f)])",
      "(2 3 :dead)",
    ],
    [
      "(let [f (fiber/new (fn [] (try (yield 1) ([e] [:caught e]))))] (resume f) (cancel f :stop))",
      "(:caught :stop)",
    ],
    ["(try (propagate 1 (coro 1)) ([e] e))", '"cannot propagate from new or alive fiber"'],
    [
      "(let [f (fiber/new (fn [] (error 1)) :e)] (resume f) (try (propagate 2 f) ([e] [:again e])))",
      "(:again 2)",
    ],
    [
      "(do (defn tree [n] (if (pos? n) (do (tree (- n 1)) (yield n) (tree (- n 1))))) (seq [x :in (coro (tree 3))] x))",
      "@[1 2 1 3 1 2 1]",
    ],
    ["(label l (map (fn [x] (if (= x 2) (return l :found))) [1 2 3]))", ":found"],
    ["(prompt :a (prompt :b (return :a 1)) 2)", "1"],
    ["(let [f (coro (map yield [1 2]))] [(resume f) (resume f :a) (resume f :b)])", "(1 2 @[:a :b])"],
    [
      "(let [f (coro (sort @[3 1 2] (fn [a b] (yield :cmp) (< a b))))] (var n 0) (while (= (resume f) :cmp) (++ n)) (fiber/last-value f))",
      "@[1 2 3]",
    ],
  ])("%s", async (code, wanted) => expect(await result(code)).toBe(wanted));
});
