import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toJs } from "./convert.ts";
import { createEngine, EvaluationError } from "./engine.ts";
import { toBytes } from "./values/bytes.ts";
import type { Value } from "./values/value.ts";
import type { Capabilities } from "./vm/host.ts";
import { Interrupted } from "./vm/janet-error.ts";

/** Runs a program in an engine of its own. */
async function run(
  source: string,
  capabilities: Capabilities = {},
  millis = 10_000,
  cwd = "/",
): Promise<Value> {
  const until = performance.now() + millis;
  const engine = createEngine({ host: { capabilities, cwd } });
  try {
    // No deadline: only a signal, which code that never pauses keeps from being heard.
    return await engine.evaluate(source, {
      signal: AbortSignal.timeout(millis),
      isOver: () => performance.now() > until,
    });
  } finally {
    engine.dispose();
  }
}

describe("files", () => {
  let folder: string;
  let inside: string;
  const only = (): Capabilities => {
    const allowed = (path: string) => path === inside || path.startsWith(`${inside}/`);
    return { readFiles: allowed, writeFiles: allowed, environment: () => true };
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "janet-hostile-"));
    inside = join(folder, "inside");
    symlinkSync(join(folder, "nothing"), join(folder, "dangling"));
    writeFileSync(join(folder, "loot.txt"), "loot");
    writeFileSync(join(folder, "loot.janet"), "(def loot 1)");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    '(do (os/symlink "../made.txt" "link") (spit "link" "x"))',
    '(do (os/symlink "../made.txt" "first") (os/symlink "first" "link") (spit "link" "x"))',
    '(do (os/symlink ".." "up") (os/symlink "up/made.txt" "link") (with [f (file/open "link" :a)] (file/write f "x")))',
    '(do (os/symlink "../dangling" "link") (spit "link" "x"))',
    '(do (os/symlink "link" "link") (spit "link" "x"))',
    '(do (os/symlink "../made.txt" "link") (os/mkdir "link"))',
    '(spit "../made.txt" "x")',
    '(do (os/cd "..") (spit "made.txt" "x"))',
    '(os/link "../loot.txt" "mine")',
    '(os/rename "../loot.txt" "mine")',
    '(os/rename "own.txt" "../made.txt")',
    "(file/temp)",
  ])("what is written outside through %s is refused", async (source) => {
    await run(`(do (os/mkdir "${inside}"))`, { writeFiles: () => true });
    writeFileSync(join(inside, "own.txt"), "own");
    await expect(run(source, only(), 5_000, inside)).rejects.toThrow(/not allowed|Too many levels/);
    for (const name of ["made.txt", "nothing"]) expect(existsSync(join(folder, name))).toBe(false);
  });

  test.each([
    '(slurp "../loot.txt")',
    '(slurp "own/../../loot.txt")',
    '(do (os/symlink "../loot.txt" "link") (slurp "link"))',
    '(do (os/symlink ".." "up") (os/cd "up") (slurp "loot.txt"))',
    '(do (os/symlink ".." "up") (os/dir "up"))',
    '(os/realpath "../loot.txt")',
    '(dofile "../loot.janet")',
    '(import "../loot")',
    '(do (array/insert module/paths 0 ["../:all:.janet" :source]) (require "loot"))',
    '((module/loaders :source) "../loot.janet" @[])',
    '(slurp "/proc/self/environ")',
    '(net/connect :unix "../loot.txt")',
  ])("what is read outside by %s is refused", async (source) => {
    await run(`(os/mkdir "${inside}")`, { writeFiles: () => true });
    await expect(run(source, only(), 5_000, inside)).rejects.toThrow(/not allowed|could not find/);
  });

  test("os/stat says nothing of what is outside", async () => {
    await run(`(os/mkdir "${inside}")`, { writeFiles: () => true });
    await expect(run('(os/stat "../loot.txt")', only(), 5_000, inside)).rejects.toThrow("not allowed");
  });
});

test("the host is asked about the program that is started, not about what it is called", async () => {
  const asked: unknown[] = [];
  const capabilities: Capabilities = {
    environment: () => true,
    readFiles: () => true,
    subprocess: ([program], environment) => {
      asked.push([program, environment.PATH]);
      return false;
    },
  };
  for (const source of [
    '(os/execute ["git"])',
    '(os/execute ["./git"] :p)',
    '(do (os/setenv "PATH" "/evil") (os/execute ["git"] :p))',
    '(os/spawn ["git"] :pe {"PATH" "/evil"})',
  ])
    await expect(run(source, capabilities, 5_000, "/usr")).rejects.toThrow("not allowed");
  expect(asked).toEqual([
    ["/usr/git", process.env.PATH],
    ["/usr/git", process.env.PATH],
    ["git", "/evil"],
    ["git", "/evil"],
  ]);
});

test.each([
  "(+ (table/setproto @{} @{:+ (fn [& _] (while true))}) 1)",
  "(do (put (curenv) :missing-symbol (fn [s] (while true))) (eval 'zzz))",
  "(eval '(comptime (while true)))",
  "(eval '(do (defmacro m [] (while true)) (m)))",
  "(sort (range 1000) (fn [a b] (while true)))",
  '(peg/match ~(cmt "a" ,(fn [& _] (while true))) "a")',
  "(forever (try (protect (defer (forever 1) (forever 1))) ([e f] (forever 1))))",
  "(edefer (forever 1) (forever 1))",
  "(do (ev/spawn (forever (try (while true) ([e] 1)))) (forever 1))",
  '(peg/match \'{:a (+ (* "a" :a "b") (* "a" :a "c") "") :main (* :a -1)} (string/repeat "a" 40))',
  "(do (var f nil) (set f (fn [] (try (f) ([e] (f))))) (f))",
])("%s is interrupted, whatever it catches", async (source) => {
  await expect(run(source, {}, 300)).rejects.toBeInstanceOf(Interrupted);
});

test("three hundred thousand tasks that wait are ended in seconds", async () => {
  const begun = performance.now();
  await expect(
    run("(do (for i 0 300000 (ev/spawn (ev/sleep 100))) (ev/sleep 100))", {}, 500),
  ).rejects.toBeInstanceOf(Interrupted);
  expect(performance.now() - begun).toBeLessThan(20_000);
}, 30_000);

test.each([
  '(string/repeat "x" 2000000000)',
  '(do (var s "x") (forever (set s (string s s))))',
  '(string/format "%1000000000d" 1)',
  '(string/format "%.1000000000f" 1)',
  "(array/new-filled 2000000000 1)",
  "(range 1e9)",
  '(json/decode (string/repeat "[" 200000))',
  '(eval (parse (string (string/repeat "(do " 50000) (string/repeat ")" 50000))))',
  "(do (var t @[]) (for i 0 50000 (set t @[t])) (marshal t))",
  "(do (def t @[]) (array/push t t) (def u @[]) (array/push u u) (deep= t u))",
  "(do (defn f [x] (+ 1 (f x))) (f 1))",
])(
  "%s is an error of the program and no end of the process",
  async (source) => {
    await expect(run(source)).rejects.toBeInstanceOf(EvaluationError);
  },
  20_000,
);

describe("values do not become JavaScript's", () => {
  test("names that objects have already are names like others", async () => {
    const value = toJs(
      await run(
        `{:__proto__ {:polluted 1} "constructor" {:prototype {:polluted 1}} :then (fn [x] x) :toJSON "a"}`,
      ),
    ) as Record<string, unknown>;
    expect(Object.hasOwn(value, "__proto__")).toBe(true);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    // A table with a function at `then` is no promise: it comes through one unchanged.
    expect(await Promise.resolve(value)).toBe(value);
  });

  test("JSON with them neither", async () => {
    const value = toJs(await run(`(json/decode "{\\"__proto__\\":{\\"polluted\\":1},\\"a\\":1}")`));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test.each(["__proto__", "constructor", "prototype", "hasOwnProperty", "toString", "valueOf"])(
    "the name %s is bound to nothing, and no value has a field of it",
    async (name) => {
      const fields = `(map |(get $ :${name}) [@{} {} @[] [] @"" "" print (fiber/new (fn [])) (int/s64 1) (math/rng) (ev/chan)])`;
      expect(toJs(await run(fields))).toEqual(Array(11).fill(null));
      await expect(run(name)).rejects.toThrow(`unknown symbol ${name}`);
    },
  );

  test("what the host throws is text for the program", async () => {
    const engine = createEngine();
    const environment = engine.newEnvironment();
    engine.bind(environment, "host/fail", () => {
      throw Object.assign(new Error("no"), { secret: "loot" });
    });
    const value = await engine.evaluate("(try (host/fail) ([e] [e (type e)]))", { environment });
    expect(toJs(value)).toEqual(["no", "string"]);
  });
});

describe("forged images", () => {
  /** A closure of a program that captures a variable, marshalled. */
  const image = `(do (var n 0) (def t @{:a 1}) (marshal [t (fn [] (++ n)) (fn [] n) (fiber/new (fn [] (yield t))) (int/u64 7) (math/rng 1) (peg/compile "a") print] make-image-dict))`;

  test("bytes that were changed anywhere are read as values or refused as errors of the program", async () => {
    const engine = createEngine();
    const environment = engine.newEnvironment();
    const original = String(await engine.evaluate(`(string ${image})`, { environment }));
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % below;
    };
    const attempt = await engine.evaluate(
      `(fn [bytes] (def v (unmarshal bytes load-image-dict))
         (string/format "%q" v) (describe v) (hash v) (= v v)
         (when (indexed? v) (each x v (when (function? x) (protect (x))) (when (fiber? x) (protect (resume x)))))
         (length (protect (marshal v make-image-dict))))`,
      { environment },
    );
    let read = 0;
    for (let round = 0; round < 4_000; round += 1) {
      const bytes = [...original];
      for (let changes = 1 + random(3); changes > 0; changes -= 1)
        bytes[random(bytes.length)] = String.fromCharCode(random(3) === 0 ? 200 + random(30) : random(256));
      try {
        await engine.call(attempt, [bytes.join("")], { steps: 200_000 });
        read += 1;
      } catch (error) {
        if (!(error instanceof EvaluationError || error instanceof Interrupted))
          throw new Error(`round ${round}: ${String(error)}`, { cause: error });
      }
    }
    expect(read).toBeGreaterThan(100);
  }, 60_000);

  test("garbage is refused", async () => {
    for (const text of ["", "\\xff", "\\xd9\\x00", "\\xd7\\x05", "\\xda\\xff\\xff\\xff\\x7f"])
      await expect(run(`(unmarshal "${text}")`)).rejects.toBeInstanceOf(EvaluationError);
    expect(toBytes("")).toBe("");
  });
});
