import { describe, expect, it } from "vitest";
import { runCase } from "../../cli/cases.ts";

async function result(code: string): Promise<string> {
  const { value, error } = await runCase(code, 5_000);
  return error === undefined ? (value ?? "") : `error: ${error}`;
}

describe("eval and compile", () => {
  it.each([
    ["(eval '(def x 3)) (eval '(+ x 1))", "4"],
    ["(let [x 1] (eval '(+ x 1)))", "error: unknown symbol x"],
    ["(eval '[1 (+ 1 1)])", "(1 2)"],
    ["(eval '(break 5))", "5"],
    ["(let [f (coro (eval '(yield 4)))] (resume f))", "4"],
    ["((compile '(+ 1 2)))", "3"],
    ["(all-bindings 5)", "error: bad slot #0, expected table, got 5"],
    ["(compile 5)", "<function thunk>"],
    ["(compile '(def))", '@{:column 11 :error "expected at least 2 arguments to def" :line 1}'],
    ["((compile '1) 2)", "error: <function thunk> called with 1 argument, expected 0"],
    ["(compile)", "error: arity mismatch, expected at least 1, got 0"],
    [
      "(do (defmacro bad [] (error 1)) (def e (make-env)) (put e 'bad @{:value bad :macro true}) (type ((compile '(bad) e) :fiber)))",
      ":fiber",
    ],
    ['(eval-string "(def a 1) (+ a 1)")', "2"],
    ['(eval-string "")', "nil"],
    ['(do (var x 0) (protect (eval-string "(set x 1) (")) x)', "0"],
    [
      "(do (put (curenv) :missing-symbol (fn [s] @{:value [:missing s]})) (eval 'nowhere))",
      "(:missing nowhere)",
    ],
  ])("%s", async (code, wanted) => expect(await result(code)).toBe(wanted));
});

describe("macex", () => {
  it.each([
    ["(macex '(when a (unless b c)))", "(if a (do (if b nil (do c))))"],
    ["(macex1 '(do (when a b)))", "(do (if a (do b)))"],
    ["(macex '(quote (when a b)))", "(quote (when a b))"],
    ["(macex '~(when a ,(when b c)))", "(quasiquote (when a (unquote (if b (do c)))))"],
    ["(macex '(fn [when] (when 1 2)))", "(fn [when] (if 1 (do 2)))"],
    ["(macex '(def {(when 1 :a) b} (when 2 3)))", "(def {(if 1 (do :a)) b} (if 2 (do 3)))"],
    [
      "(macex '[(when a b) @[(when c d)] {:x (when e f)}])",
      "[(if a (do b)) @[(if c (do d))] {:x (if e (do f))}]",
    ],
    ["(macex1 'x (fn [s] [:saw s]))", "(:saw x)"],
    ["(macex '(when))", "error: <function when> called with 0 arguments, expected at least 1"],
  ])("%s", async (code, wanted) => expect(await result(code)).toBe(wanted));
});

describe("bindings", () => {
  it.each([
    ["(= (curenv 1) root-env)", "true"],
    ["(curenv 2)", "nil"],
    ["(table/getproto (make-env @{:a 1}))", "@{:a 1}"],
    ["(sorted (keys (do (def x 1) (curenv))))", "@[:out]"],
    ['(def x "doc" {:a 1} :b 5) (let [{:doc d :a a :b b :value v} (dyn \'x)] [d a b v])', '("doc" 1 true 5)'],
    ["(dyn)", "error: arity mismatch, expected at least 1, got 0"],
    ["(setdyn :a)", "error: arity mismatch, expected 2, got 1"],
    ["(defglobal 'zz 5) zz", "5"],
    ["(varglobal 'zz 5) (set zz 6) zz", "6"],
    ["(def x 1) (var y 2) (let [t (env-lookup (curenv))] [(t 'x) (t 'y)])", "(1 2)"],
    ["(all-bindings (table/setproto @{'b 1} @{'a 2}))", "@[a b]"],
    ["(all-bindings (table/setproto @{'b 1} @{'a 2}) true)", "@[b]"],
  ])("%s", async (code, wanted) => expect(await result(code)).toBe(wanted));
});
