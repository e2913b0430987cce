import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const bin = join(import.meta.dirname, "../../bin/patchbay-janet.mjs");

interface Result {
  status: number | null;
  out: string;
  err: string;
}

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "janet-cli-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, content: string): void {
  mkdirSync(dirname(join(directory, name)), { recursive: true });
  writeFileSync(join(directory, name), content);
}

function janet(args: string[], { input = "", env = {} } = {}): Promise<Result> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [bin, ...args],
      { cwd: directory, env: { ...process.env, ...env } },
      (error, out, err) => resolve({ status: error ? Number(error.code) : 0, out, err }),
    );
    child.stdin?.end(input);
  });
}

describe("patchbay-janet FILE", () => {
  it("runs a file with its arguments and then its main", async () => {
    file(
      "main.janet",
      `(print (dyn :current-file) " " (string/join (dyn :args) ","))
       (defn main [& args] (print "main " (length args)))`,
    );
    const result = await janet(["main.janet", "a", "-e"]);
    expect(result).toEqual({ status: 0, out: "main.janet main.janet,a,-e\nmain 3\n", err: "" });
  });

  it("ends with 1 and Janet's words on stderr", async () => {
    file("run.janet", `(print "before")\n(defn f [x] (+ 1 (error (string "no " x))))\n(+ 2 (f 5))\n`);
    file("compile.janet", "(def a 1)\n(foo a)\n");
    file("parse.janet", "(def a 1)\n(def b");
    const run = await janet(["run.janet"]);
    expect(run).toMatchObject({ status: 1, out: "before\n" });
    expect(run.err).toMatch(
      /^error: no 5\n {2}in f \[run\.janet\] on line 2, column 18\n {2}in thunk \[run\.janet\]/,
    );
    expect(await janet(["compile.janet"])).toEqual({
      status: 1,
      out: "",
      err: "compile.janet:2:1: compile error: unknown symbol foo\n",
    });
    expect(await janet(["parse.janet"])).toEqual({
      status: 1,
      out: "",
      err: "parse.janet:2:6: parse error: unexpected end of source, ( opened at line 2, column 1\n",
    });
    expect((await janet(["nothing.janet"])).err).toContain("could not find file nothing.janet");
  });

  it("tells of an error in a macro with the macro's trace", async () => {
    file("macro.janet", `(defmacro m [] (+ 1 (error "in m")))\n(m)\n`);
    const { status, err } = await janet(["macro.janet"]);
    expect(status).toBe(1);
    expect(err).toMatch(/^macro\.janet:2:1: compile error: \(macro\) in m\n/);
    expect(err).toContain("  in m [macro.janet] on line 1");
  });

  it("gives the status of os/exit, and what was printed before it", async () => {
    file("exit.janet", `(prin "x") (os/exit (if (os/getenv "WITH") 7 0))`);
    expect(await janet(["exit.janet"], { env: { WITH: "1" } })).toEqual({ status: 7, out: "x", err: "" });
    expect((await janet(["exit.janet"])).status).toBe(0);
  });

  it("fails with a failed assert", async () => {
    file("assert.janet", '(assert (= 1 1))\n(assert (= 1 2) "not equal")\n');
    const result = await janet(["assert.janet"]);
    expect(result).toMatchObject({ status: 1, out: "" });
    expect(result.err).toMatch(/^error: not equal\n/);
  });

  it("waits for tasks in the background, and tells of their errors", async () => {
    file(
      "tasks.janet",
      `(ev/spawn (ev/sleep 0.05) (print "later"))\n(ev/spawn (error "lost"))\n(print "now")\n`,
    );
    const result = await janet(["tasks.janet"]);
    expect(result).toMatchObject({ status: 0, out: "now\nlater\n" });
    expect(result.err).toMatch(/^error: lost\n/);
  });

  it("reads the standard input", async () => {
    file(
      "input.janet",
      `(def first (string/trim (getline "name? ")))\n(print (file/read stdin :line) first (file/read stdin :all))`,
    );
    const result = await janet(["input.janet"], { input: "ä\nb\nc\nd" });
    expect(result).toEqual({ status: 0, out: "name? b\näc\nd\n", err: "" });
  });
});

describe("modules", () => {
  beforeAll(() => {
    file("helper.janet", `(def pub 1)\n(def- hidden 2)\n(defmacro twice [x] ~(do ,x ,x))\n(print "loads")\n`);
    file("sub/inner.janet", "(import ../helper :as h)\n(import ./peer)\n(def v (+ h/pub peer/p))\n");
    file("sub/peer.janet", "(def p 10)\n");
    file("lib/spork/text.janet", `(defn shout [s] (string (string/ascii-upper s) "!"))`);
    file("lib/pkg/init.janet", "(def here :pkg)");
    file("circle-a.janet", "(import ./circle-b)");
    file("circle-b.janet", "(import ./circle-a)");
    file("broken.janet", "(def x\n (undefined-thing))");
  });

  it("imports siblings, and each file once", async () => {
    file(
      "uses.janet",
      `(import ./helper)\n(use ./helper)\n(import ./helper :prefix "h-")\n(import ./helper :as other :only [pub])\n(import ./sub/inner)
      (helper/twice (prin "t"))\n(print helper/pub pub h-pub other/pub inner/v)`,
    );
    expect(await janet(["uses.janet"])).toEqual({ status: 0, out: "loads\ntt111111\n", err: "" });
  });

  it("does not bind what is private or not asked for", async () => {
    file("private.janet", "(import ./helper)\nhelper/hidden");
    file("only.janet", "(import ./helper :as other :only [pub])\n(other/twice 1)");
    expect((await janet(["private.janet"])).err).toContain("unknown symbol helper/hidden");
    expect((await janet(["only.janet"])).err).toContain("unknown symbol other/twice");
  });

  it("loads again what is :fresh, and dofile always", async () => {
    file(
      "fresh.janet",
      `(import ./helper)\n(import ./helper :fresh true)\n(print (get-in (dofile "helper.janet") ['pub :value]))`,
    );
    expect((await janet(["fresh.janet"])).out).toBe("loads\nloads\nloads\n1\n");
  });

  it("looks under JANET_PATH and -m for others", async () => {
    file("library.janet", `(import spork/text)\n(import pkg)\n(print (text/shout "hi") pkg/here)`);
    const found = { status: 0, out: "HI!pkg\n", err: "" };
    expect(await janet(["library.janet"], { env: { JANET_PATH: join(directory, "lib") } })).toEqual(found);
    expect(await janet(["-m", "lib", "library.janet"])).toEqual(found);
  });

  it("tells what is wrong with a module", async () => {
    file(
      "wrong.janet",
      `(each path ["./circle-a" "./broken" "./nope" "no/such"] (print (get (protect (require path)) 1)))`,
    );
    const { out } = await janet(["wrong.janet"], { env: { JANET_PATH: "/lib" } });
    expect(out).toBe(`circular dependency circle-a.janet detected
broken.janet:2:2: compile error: unknown symbol undefined-thing
could not find module ./nope:
    nope.jimage
    nope.janet
    nope/init.janet
    nope.so
could not find module no/such:
    /lib/no/such.jimage
    /lib/no/such.janet
    /lib/no/such/init.janet
    /lib/no/such.so
`);
  });
});

describe("options", () => {
  it("evaluates code, calls short functions and imports libraries", async () => {
    file("helper2.janet", "(def pub 5)");
    expect((await janet(["-e", "(print (+ 1 2))"])).out).toBe("3\n");
    expect((await janet(["-E", "print $1 $0", "a", "b"])).out).toBe("ba\n");
    expect((await janet(["-l", "./helper2", "-e", "(print helper2/pub)"])).out).toBe("5\n");
    expect((await janet(["-s"], { input: "(print :in)" })).out).toBe("in\n");
    expect(await janet(["-e", "(error 5)"])).toMatchObject({ status: 1, out: "" });
  });

  it("writes images and runs them", async () => {
    file("imaged.janet", `(def greeting "hi")\n(defn main [_ who] (print greeting " " who))`);
    expect(await janet(["-c", "imaged.janet", "imaged.jimage"])).toEqual({ status: 0, out: "", err: "" });
    expect(await janet(["-i", "imaged.jimage", "Ada"])).toEqual({ status: 0, out: "hi Ada\n", err: "" });
    expect((await janet(["-e", "(import ./imaged) (print imaged/greeting)"])).out).toBe("hi\n");
  });

  it("compiles without running", async () => {
    file("check.janet", `(print "runs")\n(def x 1)\n`);
    expect(await janet(["-k", "check.janet"])).toEqual({ status: 0, out: "", err: "" });
  });

  it("tells its version and help, and of an option that it has not", async () => {
    expect((await janet(["-v"])).out).toMatch(/^1\.\d+/);
    expect((await janet(["-h"])).out).toContain("--cases FILE.json");
    expect(await janet(["--nope"])).toEqual({
      status: 1,
      out: "",
      err: "There is no option --nope. -h tells which there are.\n",
    });
  });

  it("runs cases by themselves; one without end does not stop the rest", async () => {
    const codes = ["(def x 1) (print x) (+ x 1)", "x", "(while true)", "(", "(error {:a 1})", '"ä"'];
    file("cases.json", JSON.stringify({ cases: codes.map((code) => ({ code })) }));
    const { status, out } = await janet(["--cases", "cases.json", "--limit", "300"]);
    expect(status).toBe(0);
    expect(JSON.parse(out)).toEqual([
      { value: "2", stdout: "1\n" },
      { phase: "compile", error: "unknown symbol x", line: 1, column: 1 },
      { phase: "run", error: "the time is up" },
      { phase: "parse", error: "unexpected end of source, ( opened at line 1, column 1", line: 1, column: 1 },
      { phase: "run", error: "{:a 1}", errorType: "struct" },
      { value: String.raw`"\xC3\xA4"` },
    ]);
  });
});

describe("cases that never come back", () => {
  it("end only their thread", async () => {
    const codes = [
      "(def a @[]) (while true (array/push a (string/repeat `x` 1000000)))",
      "(+ 1 1)",
      "(peg/match ~(any (* (any `a`) (not `b`) 0)) `aaaa`)",
      "(+ 2 2)",
    ];
    file("heavy.json", JSON.stringify(codes.map((code) => ({ code }))));
    const { status, out } = await janet(["--cases", "heavy.json", "--limit", "2000"]);
    expect(status).toBe(0);
    const outcomes = JSON.parse(out);
    expect([outcomes[1], outcomes[3]]).toEqual([{ value: "2" }, { value: "4" }]);
    expect(outcomes[0]).toMatchObject({ phase: "run" });
  });
});

describe("the REPL", () => {
  it("shows values and errors and goes on", async () => {
    const input = '(+ 1 2)\n(* _ 2)\n(def x\n 7)\nx\n(error "bad")\n(foo)\n)\n(quit)\n(print "never")\n';
    const { status, out, err } = await janet(["-q"], { input });
    expect(status).toBe(0);
    expect(out).toBe("3\n6\n7\n7\nnil\n");
    expect(err).toMatch(/^error: bad\n/);
    expect(err).toContain("repl:7:1: compile error: unknown symbol foo\n");
    expect(err).toContain("repl:8:1: parse error: unexpected closing delimiter )\n");
  });

  it("prompts with the line and what is open", async () => {
    const { out } = await janet([], { input: "(def x\n[1\n2])\n" });
    expect(out).toContain("repl:1:> repl:2:(> repl:3:([> ");
  });

  it.skipIf(process.platform !== "linux")(
    "is interrupted by Ctrl+C in a form that runs, and goes on",
    async () => {
      const child = spawn("script", ["-qec", `${process.execPath} ${bin} -n`, "/dev/null"], {
        cwd: directory,
      });
      let seen = "";
      const until = (text: string) =>
        new Promise<void>((resolve) => {
          const look = () => {
            if (seen.includes(text)) resolve();
            else child.stdout.once("data", look);
          };
          look();
        });
      child.stdout.on("data", (chunk) => {
        seen += chunk;
      });
      await until("repl:1:> ");
      child.stdin.write("(do (print :go) (while true))\r");
      await until("go\r\n");
      child.stdin.write("\x03");
      await until("interrupted");
      child.stdin.write("(+ 20 22)\r");
      await until("42");
      child.stdin.write("(string/has-pre\t");
      await until("string/has-prefix?");
      child.stdin.write("\x03");
      child.stdin.write("\x04");
      await new Promise((resolve) => child.once("exit", resolve));
      expect(seen).toContain("interrupted");
    },
  );
});
