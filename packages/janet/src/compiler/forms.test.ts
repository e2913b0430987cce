import { describe, expect, it } from "vitest";
import { runCase } from "../cli/cases.ts";

/** What a program gives, or how it fails: `compile: words at 1:2`, `run: words`. */
async function result(code: string): Promise<string> {
  const { value, phase, error, line, column } = await runCase(code, 5_000);
  if (phase === undefined) return value ?? "";
  return phase === "run" ? `run: ${error}` : `${phase}: ${error} at ${line}:${column}`;
}

describe("break", () => {
  it.each([
    ["(+ 1 (break 5))", "5"],
    ["(do (break :early) :late)", ":early"],
    ["[(while true (break 5))]", "(nil)"],
    ["(let [out @[]] (each x [1 2 3] (array/push out (if (> x 1) (break) x))) out)", "@[1]"],
    ["(do (var i 0) (while true (++ i) (+ 1 (if (> i 5) (break) i))) i)", "6"],
    ["(do (var i 0) (while (do (++ i) (if (= i 3) (break)) true)) i)", "3"],
    ["(map (fn [x] (+ 1 (if (= x 2) (break :two) x))) [1 2 3])", "@[2 :two 4]"],
    ["((fn [] (while true (break 1)) 2))", "2"],
    ["(do (var n 0) (for i 0 3 (for j 0 3 (if (= j 1) (break)) (++ n)) (if (= i 1) (break))) n)", "2"],
    ["((fn [c] (resume (coro (break 3)))) 1)", "3"],
    ["((fn [] (def x (do (yield-or-not 1) (break 7))) x))", "compile: unknown symbol yield-or-not at 1:20"],
    ["(resume (coro (yield (+ 1 (break 4)))))", "4"],
  ])("%s", async (code, wanted) => expect(await result(code)).toBe(wanted));
});

describe("scopes and closures", () => {
  it.each([
    ["(do (def fs @[]) (for i 0 3 (array/push fs (fn [] i))) (map |($) fs))", "@[0 1 2]"],
    [
      "(do (def fs @[]) (var i 0) (while (< i 3) (array/push fs (fn [] i)) (++ i)) (map |($) fs))",
      "@[3 3 3]",
    ],
    [
      "(do (def fs @[]) (var i 0) (while (< i 3) (var j i) (array/push fs |(++ j)) (++ i)) (map |($) fs))",
      "@[1 2 3]",
    ],
    ["(do (var n 0) (defn up [] (++ n)) (defn twice [] (up) (up)) (twice) n)", "2"],
    ["(((fn [a] (fn [b] (fn [] [a b]))) 1) 2)", "<function"],
    ["((((fn [a] (fn [b] (fn [] [a b]))) 1) 2))", "(1 2)"],
    ["(let [a 1 a (+ a 1)] a)", "2"],
    ["(let [if 5] [if (if true 1)])", "(5 1)"],
    ["(def when 5) (when true 1)", "compile: 5 expects 1 argument, got 2 at 1:14"],
    ["(def x (fn x [] x)) (= x (x))", "true"],
    ["(def x (error :no)) 1", "run: :no"],
    ["(upscope (var a 1) (defn f [] a) (set a 2)) [(f) a]", "(2 2)"],
    ["(setdyn :redef true) (def a 1) (defn f [] a) (def a 2) (f)", "2"],
    ["(def a :redef 1) (set a 2)", "compile: cannot set constant at 1:18"],
    ["(do (def [x y] [1 2]) (var [z] [3]) (set z (+ x y z)) z)", "6"],
  ])("%s", async (code, wanted) => {
    const given = await result(code);
    expect(wanted === "<function" ? given.slice(0, 9) : given).toBe(wanted);
  });
});

describe("parameters", () => {
  it.each([
    ["(fn [a &opt] a)", "compile: &opt cannot be last item in parameter list at 1:1"],
    ["(fn [& & a] a)", "compile: & in unexpected location at 1:1"],
    ["(fn [&keys k & r] k)", "compile: &keys in unexpected location at 1:1"],
    ["(fn [&named 5] 1)", "compile: only named arguments can follow &named at 1:1"],
    ["(fn @[a] a)", "compile: expected function parameters at 1:1"],
    ["(fn [:a] 1)", "compile: unexpected type in destructuring, got :a at 1:1"],
    ["((fn (a) a) 1)", "1"],
    ["((fn [&] 1) 1 2 3)", "1"],
    ["((fn [&named a b] [a b]) :b 1 :c 2 :a)", "(nil 1)"],
    ["((fn [a &opt [b c] & d] [a b c d]) 1 [2 3] 4)", "(1 2 3 (4))"],
    ["((fn f [a &opt b] a))", "run: <function f> called with 0 arguments, expected at least 1"],
    ["((fn f [a &opt b] a) 1 2 3)", "run: <function f> called with 3 arguments, expected at most 2"],
    [
      "(defn f [x] x) (f 1 2 ;[])",
      "compile: <function f> expects at most 1 argument, got at least 2 at 1:16",
    ],
    ["(defn f [x] x) (f ;[])", "run: <function f> called with 0 arguments, expected 1"],
    ["(:x ;[])", "run: method call (:x) takes at least 1 argument, got 0"],
    ['("abc" 1 2)', 'compile: "abc" expects 1 argument, got 2 at 1:1'],
    ["(:a {:a (fn [& xs] (length xs))} 1 2)", "3"],
  ])("%s", async (code, wanted) => expect(await result(code)).toBe(wanted));
});

describe("patterns", () => {
  it.each([
    ["(def @[a b] [1 2]) [a b]", "(1 2)"],
    ["(def {:a [x & y] :b {:c z}} {:a [1 2 3] :b {:c 4}}) [x y z]", "(1 (2 3) 4)"],
    ["(def [a a] [1 2]) a", "2"],
    ["(def {} 5)", "5"],
    ["(def [& :kw] [1])", "compile: expected symbol following '& in destructuring pattern, found :kw at 1:1"],
    ["(def {:a 5} {:a 1})", "compile: unexpected type in destructuring, got 5 at 1:1"],
    ["(let [k :b {k v} {:b 2}] v)", "2"],
    ["(def {:a a} :kw)", "run: expected integer key for keyword in range [0, 2), got :a"],
    ["(def {(do (prin 1) :a) a} {:a 7}) a", "7"],
  ])("%s", async (code, wanted) => expect(await result(code)).toBe(wanted));
});

describe("quasiquotes", () => {
  it.each([
    ["~(1 ,;[1 2] [,3] {:a ,4} @[,5] @{:b ,6})", "(1 1 2 [3] {:a 4} @[5] @{:b 6})"],
    ["~~(1 ,(2 ,(+ 1 2)))", "(quasiquote (1 (unquote (2 3))))"],
    ["~(a ;b)", "(a (splice b))"],
    ["[[] '[] ()]", "(() [] ())"],
    ["(do (defn f [] @[1]) [(= (f) (f)) (= [1 2] [1 2])])", "(false true)"],
    ['(do (def b @"x") (defn f [] @"") (buffer/push (f) "a") (f))', '@""'],
  ])("%s", async (code, wanted) => expect(await result(code)).toBe(wanted));
});

describe("macros", () => {
  it.each([
    ["(defmacro m [] (yield 1)) (m)", "compile: (macro) 1 at 1:27"],
    ["(defmacro m [] (error :kw)) (m)", "compile: (macro) kw at 1:29"],
    [
      "(defmacro m [x] (in x 9)) (defn f []\n  (m [1]))",
      "compile: (macro) expected integer key for tuple in range [0, 1), got 9 at 2:3",
    ],
    ["(do (defmacro m [] 1) (m))", "1"],
    [
      "(defmacro m [] ~(quote ,(dyn :macro-form))) (m 1)",
      "compile: macro arity mismatch, expected at most 0, got 1 at 1:45",
    ],
    ["(defmacro m [] '(upscope (def zz 3))) (m) zz", "3"],
  ])("%s", async (code, wanted) => expect(await result(code)).toBe(wanted));
});
