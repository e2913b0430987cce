import { describe, expect, it } from "vitest";
import { runCase } from "../cli/cases.ts";

async function result(code: string): Promise<string> {
  const { value, error } = await runCase(code, 5_000);
  return value ?? `error: ${error}`;
}

describe("a marshalled function", () => {
  it.each([
    ["(map (unmarshal (marshal (fn [x] (* x x)))) [1 2 3])", "@[1 4 9]"],
    // By its own name, and by the name that it is bound to.
    ["(defn f [n] (if (= n 0) 1 (* n (f (- n 1))))) ((unmarshal (marshal f)) 5)", "120"],
    ["((unmarshal (marshal (fn g [n] (if (= n 0) :done (g (- n 1)))))) 3)", ":done"],
    // Two that use each other, of which one is a var.
    [
      `(var odd nil) (defn even [n] (if (= n 0) true (odd (- n 1)))) (set odd (fn [n] (if (= n 0) false (even (- n 1)))))
       ((unmarshal (marshal even)) 10)`,
      "true",
    ],
    // Its own macros and definitions.
    [
      "(defmacro twice [x] ~(do ,x ,x)) (def base 10) (var n 0) (defn f [] (twice (set n (+ n base))) n) ((unmarshal (marshal f)))",
      "20",
    ],
    // The definition that it was compiled with.
    ["(def x 1) (defn f [] x) (def x 2) ((unmarshal (marshal f)))", "1"],
    // Variables that functions share, and a copy of them.
    [
      `(defn make [] (var n 0) [(fn [] (++ n)) (fn [] n)])
       (def pair (make)) ((pair 0)) (def [up get] (unmarshal (marshal pair))) (up) (up) [(get) ((pair 1))]`,
      "(3 1)",
    ],
    // Captures of captures, destructuring, optional and named parameters.
    [
      "(defn f [[a {:b b}] &opt c] (fn [&named d] (fn [] [a b c d]))) ((unmarshal (marshal ((f [1 {:b 2}] 3) :d 4))))",
      "(1 2 3 4)",
    ],
    // A cycle through what it captured.
    ["(def t @{}) (let [u t] (put t :f (fn [] u))) (def r (unmarshal (marshal t))) (= r ((r :f)))", "true"],
    ["(do (var self nil) (set self (fn [] self)) (def s (unmarshal (marshal self))) (= s (s)))", "true"],
    // Random numbers go on.
    [
      "(def r (math/rng 5)) (math/rng-int r) (def s (unmarshal (marshal r))) (= (math/rng-int r) (math/rng-int s))",
      "true",
    ],
    // Functions in a peg.
    ['(peg/match (unmarshal (marshal (peg/compile ~(/ (<- 1) ,(fn [x] [x x]))))) "a")', '@[("a" "a")]'],
    [
      "(unmarshal (marshal (fn [x] (print x))))",
      "error: no registry value and cannot marshal <cfunction print>",
    ],
    ["((unmarshal (marshal (fn [x] (string x 1)) make-image-dict) load-image-dict) 5)", '"51"'],
    ["(resume (unmarshal (marshal (fiber/new (fn [x] (+ x 1))))) 4)", "5"],
    ["(let [f (coro (yield 1))] (resume f) (marshal f))", "error: cannot marshal fiber with c stackframe"],
    ["(marshal (fiber/current))", "error: cannot marshal alive fiber"],
    [
      '(defn greet [who] (string "hi " who)) (var n 5) (def e (load-image (make-image (curenv)))) [((get-in e [\'greet :value]) "you") (get-in e [\'n :ref])]',
      '("hi you" @[5])',
    ],
  ])("%s", async (code, wanted) => {
    expect(await result(code)).toBe(wanted);
  });
});
