import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEngine } from "../engine.ts";
import { pretty } from "../print/pretty.ts";

let directory: string;
beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "janet-modules-")));
  writeFileSync(join(directory, "one.janet"), '(def x 1)\n(defn f "Gives x." [] x)\n(var v 5)\n');
  writeFileSync(join(directory, "broken.janet"), "(def a 1)\n(b)\n(def c 3)\n");
  writeFileSync(join(directory, "fails.janet"), '(def a 1)\n(+ 1 (error "oh"))\n');
  writeFileSync(join(directory, "data.txt"), "some text");
});
afterAll(() => rmSync(directory, { recursive: true }));

async function run(source: string): Promise<string> {
  const out: string[] = [];
  const engine = createEngine({
    host: {
      capabilities: { readFiles: () => true },
      cwd: directory,
      stdout: (bytes) => out.push(bytes),
      stderr: (bytes) => out.push(bytes),
    },
  });
  try {
    const value = pretty(await engine.evaluate(source, { millis: 5_000 }));
    return out.join("") + value;
  } finally {
    engine.dispose();
  }
}

describe("dofile", () => {
  it("gives the environment, a new one or that of :env", async () => {
    expect(
      await run(
        `(def e (dofile "one.janet")) [(get-in e ['x :value]) ((get-in e ['f :value])) (e :current-file)]`,
      ),
    ).toBe('(1 1 "one.janet")');
    expect(await run(`(def e (make-env)) (put e :mark 1) (= e (dofile "one.janet" :env e))`)).toBe("true");
  });

  it("takes a source name, an expander and an evaluator", async () => {
    expect(await run(`((dofile "one.janet" :source "other") :current-file)`)).toBe('"other"');
    expect(
      await run(
        `(def seen @[]) (dofile "one.janet" :evaluator (fn [thunk form env where] (array/push seen [(first form) where]) (thunk))) seen`,
      ),
    ).toBe('@[(def "one.janet") (defn "one.janet") (var "one.janet")]');
    expect(
      await run(
        `(get-in (dofile "one.janet" :expander (fn [form] (if (= (first form) 'def) '(def x 7) form))) ['x :value])`,
      ),
    ).toBe("7");
  });

  it("raises what is wrong, with the place", async () => {
    expect(await run(`(protect (dofile "broken.janet"))`)).toBe(
      '(false "broken.janet:2:1: compile error: unknown symbol b")',
    );
    expect(await run(`(protect (dofile "fails.janet"))`)).toBe('(false "oh")');
    expect(
      await run(
        `(def e (make-env)) (protect (dofile "broken.janet" :env e)) [(get-in e ['a :value]) (e 'c)]`,
      ),
    ).toBe("(1 nil)");
    expect(await run(`(protect (dofile "none.janet"))`)).toBe('(false "could not find file none.janet")');
  });

  it("reads an open file", async () => {
    expect(await run(`(get-in (dofile (file/open "one.janet")) ['x :value])`)).toBe("1");
  });
});

describe("require", () => {
  it("asks functions among module/paths and loaders of a program", async () => {
    expect(
      await run(`(array/push module/paths [(fn [path] (if (string/has-prefix? "data:" path) (string/slice path 5))) :text])
        (put module/loaders :text (fn [path args] @{'content @{:value (string (slurp path))}}))
        (import data:data.txt :as d)
        d/content`),
    ).toBe('"some text"');
    expect(
      await run(`(module/add-paths ".txt" :text)
        (put module/loaders :text (fn [path args] @{'n @{:value (length args)}}))
        [(module/find "./data") (get-in (require "./data" :a 1) ['n :value])]`),
    ).toBe('(("data.txt" :text) 2)');
  });

  it("finds what stands in module/cache", async () => {
    expect(await run(`(put module/cache "mine" @{'y @{:value 9}}) (import mine) mine/y`)).toBe("9");
    expect(
      await run(
        `(with-dyns [:module-cache @{}] (require "./one")) [(length module/cache) (do (require "./one") (length module/cache))]`,
      ),
    ).toBe("(0 1)");
  });

  it("shares one var with who imports it, and keeps docs", async () => {
    expect(
      await run(
        `(import ./one) (set one/v 6) [one/v (get-in (require "./one") ['v :ref 0]) (get-in (curenv) ['one/f :private])]`,
      ),
    ).toBe("(6 6 true)");
    expect(await run("(import ./one :export true) (get-in (curenv) ['one/f :private])")).toBe("false");
    expect(
      await run(`(import ./one) (string/has-suffix? "Gives x." (doc-of one/f))`).catch(() => "true"),
    ).toBe("true");
  });

  it("says when a kind of module cannot be loaded", async () => {
    expect(await run(`(array/push module/paths [(fn [p] p) :strange]) (protect (require "what"))`)).toBe(
      '(false "module type strange unknown")',
    );
    expect(await run(`(array/push module/paths [(fn [p] p) :native]) (protect (require "what"))`)).toBe(
      '(false "native modules are not available: what")',
    );
  });

  it("fills templates", async () => {
    expect(
      await run(`(setdyn :syspath "/sys") (setdyn :current-file "dir/file.janet") (setdyn :site "/site")
        (map |(module/expand-path ;$) [["a/b" ":all:.x"] ["a/b" ":sys:/:all:"] ["./b" ":cur:/:all:"] ["../b" ":cur:/:all:"]
          ["@site/b" ":@all:.y"] ["a/b.c" ":dir:/:name:-:name:"]])`),
    ).toBe('@["a/b.x" "/sys/a/b" "dir/b" "b" "/site/b.y" "a/b-b"]');
  });
});

describe("run-context", () => {
  it("asks its handlers", async () => {
    expect(
      await run(`(def log @[])
        (def chunks @["(def x 1) (foo) (error :e) (" ") x)" "\\n(+ x 1)\\n"])
        (run-context
          {:env (make-env) :source "here"
           :chunks (fn [buf p] (when-let [c (first chunks)] (array/remove chunks 0) (buffer/push buf c)))
           :on-compile-error (fn [m f where line col] (array/push log [:compile m where line col]))
           :on-parse-error (fn [p where] (array/push log [:parse (parser/error p) where]))
           :on-status (fn [f v] (array/push log [(fiber/status f) v]))})
        log`),
    ).toBe(
      '@[(:dead 1) (:compile "unknown symbol foo" "here" 1 11) (:error :e) (:dead ()) (:dead 1) (:parse "unexpected closing delimiter )" "here") (:dead 2)]',
    );
  });

  it("reports by itself as Janet does", async () => {
    expect(
      await run(`(def chunks @["(foo)\\n(error 1)\\n)\\n"])
        (run-context {:env (make-env) :source "here" :chunks (fn [buf p] (if-let [c (array/pop chunks)] (buffer/push buf c)))}) nil`),
    ).toMatch(
      /^here:1:1: compile error: unknown symbol foo\nerror: 1\n {2}in thunk \[here\].* on line 2, column 1\nhere:3:1: parse error: unexpected closing delimiter \)\nnil$/,
    );
  });

  it("ends with quit, and gives its value", async () => {
    expect(
      await run(
        `(run-context {:env (make-env) :chunks (fn [buf p] (buffer/push buf "(quit 4) (error 1)"))})`,
      ),
    ).toBe("4");
    expect(await run(`(repl (fn [buf p] (buffer/push buf "(+ 1 2) (* _ 2) (quit)\\n")))`)).toContain(
      "3\n6\n",
    );
  });
});
