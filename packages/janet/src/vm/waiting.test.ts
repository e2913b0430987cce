import { describe, expect, it } from "vitest";
import { runCase } from "../cli/cases.ts";

// Every place in which a form may stand can wait.
describe("waiting", () => {
  it.each([
    [
      "(def t (table/setproto @{} @{:+ (fn [a b] (yield 1) 5)})) (resume (coro (try (+ t 1) ([e] e))))",
      '"1 coerced from yield to error"',
    ],
    ['(resume (coro (string/replace-all "a" (fn [x] (yield 1) "b") "ab")))', "1"],
    ['(resume (coro (peg/match ~(cmt "a" ,(fn [] (yield 3) 1)) "a")))', "3"],
    ["(sort @[3 1 2] (fn [a b] (ev/sleep 0) (< a b)))", "@[1 2 3]"],
    ["(def f (fn [x] (ev/sleep 0.001) (* x 2))) (map f [1 2 3])", "@[2 4 6]"],
    ["(def ch (ev/chan)) (ev/spawn (ev/give ch 1)) (ev/take ch)", "1"],
    [
      "(def f (coro (ev/sleep 0.02) 5)) (ev/spawn (resume f)) (ev/sleep 0) [(fiber/status f) (protect (resume f))]",
      '(:suspended (false "cannot resume fiber with status :suspended"))',
    ],
    [
      "(def f (ev/spawn (ev/sleep 0.02) 5)) (ev/sleep 0) [(fiber/status f) (protect (resume f))]",
      '(:suspended (false "cannot resume fiber with status :suspended"))',
    ],
    ["(ev/gather (do (ev/sleep 0.01) 1) (do (ev/sleep 0) 2))", "@[1 2]"],
    ["(try (ev/with-deadline 0.01 (forever (ev/sleep 0))) ([e] e))", '"deadline expired"'],
    ["(with-dyns [:x 1] (ev/sleep 0) (dyn :x))", "1"],
    ['(try (do (ev/sleep 0) (error "after")) ([e] [:got e]))', '(:got "after")'],
    ["(label out (each x [1 2 3] (ev/sleep 0) (if (= x 2) (return out x))))", "2"],
    ["(var out @[]) (each x (coro (for i 0 3 (ev/sleep 0) (yield i))) (array/push out x)) out", "@[0 1 2]"],
    ["(seq [x :in (coro (for i 0 3 (ev/sleep 0) (yield i)))] x)", "@[0 1 2]"],
    ["(eval '(do (ev/sleep 0) 3))", "3"],
    ["(let [[a b] [(do (ev/sleep 0) 1) 2] {:k k} {:k (do (ev/sleep 0) 3)}] [a b k])", "(1 2 3)"],
    ["(defn f [&named a] (ev/sleep 0) a) (f :a (do (ev/sleep 0) 4))", "4"],
    ["(while (do (ev/sleep 0) true) (ev/sleep 0) (break))", "nil"],
    ["(do (var i 0) (while (do (ev/sleep 0) (< i 3)) (++ i) (if (= i 2) (do (ev/sleep 0) (break)))) i)", "2"],
    ["(+ 1 (do (ev/sleep 0) 2) (do (ev/sleep 0) 3))", "6"],
    ["@{:a (do (ev/sleep 0) 1) (do (ev/sleep 0) :b) 2}", "@{:a 1 :b 2}"],
    ["~(1 ,(do (ev/sleep 0) 2) ,;(do (ev/sleep 0) [3 4]))", "(1 2 3 4)"],
    ["(def x (do (ev/sleep 0) 9)) x", "9"],
    ["(do (var x 0) (set x (do (ev/sleep 0) 9)) x)", "9"],
    ["(do (def t @{}) (set (t (do (ev/sleep 0) :k)) (do (ev/sleep 0) 9)) t)", "@{:k 9}"],
    ["((do (ev/sleep 0) +) 1 (do (ev/sleep 0) 2))", "3"],
    ["(if (do (ev/sleep 0) false) 1 (do (ev/sleep 0) 2))", "2"],
    ["(get (do (ev/sleep 0) {:a 1}) (do (ev/sleep 0) :a))", "1"],
    ["(< 1 (do (ev/sleep 0) 2) 3)", "true"],
    ["(next (do (ev/sleep 0) [1 2]) (do (ev/sleep 0) 0))", "1"],
    ["(- (do (ev/sleep 0) 2))", "-2"],
    ["(defn f [n] (if (= n 0) (do (ev/sleep 0) 0) (f (- n 1)))) (f 10)", "0"],
    ["(defn f [n] (ev/sleep 0) (if (= n 0) 0 (f (- n 1)))) (f 10)", "0"],
    ["(def [a & r] (do (ev/sleep 0) [1 2 3])) [a r]", "(1 (2 3))"],
    ["(map (fn [x] (if (= x 2) (do (ev/sleep 0) (break :two))) x) [1 2 3])", "@[1 :two 3]"],
    ["(map (fn [x] (+ 1 (if (= x 2) (do (ev/sleep 0) (break :two)) x))) [1 2 3])", "@[2 :two 4]"],
    ["(do (var n 0) (while true (++ n) (+ 1 (if (> n 3) (do (ev/sleep 0) (break)) 1))) n)", "4"],
    ["(def {(do (ev/sleep 0) :a) a} {:a 5}) a", "5"],
  ])("%s", async (code, wanted) => expect((await runCase(code, 5_000)).value).toBe(wanted));

  it("does not make a cleanup run twice or early", async () => {
    expect((await runCase('(defer (prin "d") (ev/sleep 0) (prin "b"))')).stdout).toBe("bd");
  });

  it.each([
    ["(defmacro m [] (ev/sleep 0) 1) (m)", "(macro) nil coerced from await to error"],
    [
      "(def t (table/setproto @{} @{:+ (fn [a b] (yield 1) 5)})) (resume (coro (+ t 1)))",
      "1 coerced from yield to error",
    ],
  ])("is an error where Janet cannot: %s", async (code, wanted) =>
    expect((await runCase(code)).error).toBe(wanted),
  );
});
