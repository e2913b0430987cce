import { describe, expect, it } from "vitest";
import { runCase } from "../../cli/cases.ts";

/** The printed value of a program, or its error after a `!`, and after a `|` what it printed. */
async function run(code: string): Promise<string> {
  const { value, error, stdout } = await runCase(code);
  return `${value ?? `!${error}`}${stdout === undefined ? "" : ` | ${stdout}`}`;
}

describe("macros", () => {
  it("are not confused by locals that are named as core functions", async () => {
    const hidden = "(let [= nil not= nil in nil next nil get nil resume nil fiber/new nil propagate nil]";
    expect(await run(`${hidden} (seq [x :in [1 2]] x))`)).toBe("@[1 2]");
    expect(await run(`${hidden} (try (error 1) ([e] [:caught e])))`)).toBe("(:caught 1)");
    expect(await run(`${hidden} (match [1 2] [a b] [b a]))`)).toBe("(2 1)");
    expect(await run(`${hidden} (case 2 1 :a 2 :b))`)).toBe(":b");
  });

  it("evaluate what they are given once", async () => {
    expect(await run('(for i (do (prin "a") 0) (do (prin "b") 2) (prin i))')).toBe("nil | ab01");
    expect(await run('(loop [i :range [0 6 (do (prin "s") 3)]] (prin i))')).toBe("nil | s03");
    expect(await run('(match (do (prin "m") 2) 1 :a 2 :b)')).toBe(":b | m");
    expect(await run('(prompt (do (prin "t") :a) (return :a 1))')).toBe("1 | t");
  });

  it("show one step of expansion as Janet does", async () => {
    expect(await run("(macex1 '(when-let [x 1] y))")).toBe("(if-let [x 1] (do y))");
    expect(await run("(macex1 '(defmacro m [x] x))")).toBe('(def m :macro "(m x)\\n\\n" (fn m [x] x))');
    expect(await run("(macex1 '(case 3 1 :a :b))")).toBe("(if (<function => 3 1) :a :b)");
    expect(await run("(macex1 '|(+ $ $1))")).toBe("(fn :short-fn [$0 $1] (+ $0 $1))");
    expect(await run("(macex1 '(import a/b :as c))")).toBe('(<function import*> "a/b" :as "c")');
  });
});

describe("match", () => {
  it("looks at parts only after the tests before them held", async () => {
    expect(await run("(match 5 [a [b]] :list {:k [x]} :dict :none)")).toBe(":none");
    expect(await run('(match [1] [a b (c (error "not reached"))] :three :no)')).toBe(":no");
  });

  it("gives conditions all names of the pattern", async () => {
    expect(await run("(match [5 1] [(a (> a b)) b] [:greater a b] :no)")).toBe("(:greater 5 1)");
  });

  it("gives closures in its results names of their own", async () => {
    expect(await run("(map |($) (seq [i :in [1 2]] (match [i] [x] (fn [] x))))")).toBe("@[1 2]");
  });

  it("compares quoted patterns and forms of one part as values", async () => {
    expect(await run("(match 'a 'b 1 'a 2)")).toBe("2");
    expect(await run("(match 5 (@ (+ 2 3)) :five :no)")).toBe(":five");
  });
});

describe("scopes", () => {
  it("clean up also when a fiber within is left by an outer return", async () => {
    expect(await run('(prompt :a (defer (prin "d") (prompt :b (return :a 1))))')).toBe("1 | d");
    expect(await run('(prompt :a (edefer (prin "e") (return :a 1)))')).toBe("1 | e");
  });

  it("put variables back after an error", async () => {
    expect(await run("(var x 1) (protect (with-vars [x 2] (error x))) x")).toBe("1");
  });

  it("let yields pass through", async () => {
    const code = "(def f (coro (try (with-dyns [:a 1] (defer nil (yield (dyn :a)) 2)) ([e] e))))";
    expect(await run(`${code} [(resume f) (resume f)]`)).toBe("(1 2)");
  });

  it("catch an error of the clean-up instead of the body's", async () => {
    expect(await run("(try (defer (error :second) (error :first)) ([e] e))")).toBe(":second");
  });
});

describe("what this engine cannot do", () => {
  it("is an error that says why", async () => {
    expect(await run("(try (disasm inc) ([e] :caught))")).toBe(":caught");
    expect(await run("(asm {})")).toBe("!asm is not supported by this engine: it has no bytecode");
  });

  it("grows by sandbox", async () => {
    expect(await run('(sandbox :fs-read) (protect (slurp "/etc/hostname"))')).toContain("not allowed");
    expect(await run("(sandbox :nonsense)")).toBe("!unknown capability :nonsense");
    expect(await run("(sandbox :all) (sandbox :net)")).toBe("!operation forbidden by sandbox");
  });
});
