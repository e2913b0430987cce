import { describe, expect, it } from "vitest";
import {
  createEngine,
  type Engine,
  EvaluationError,
  fromJs,
  Interrupted,
  JArray,
  JBuffer,
  kw,
  pretty,
  structOf,
  type Table,
  Tuple,
  toBytes,
  toJs,
  type Value,
} from "./index.ts";

function define(engine: Engine, environment: Table, source: string): Promise<Value> {
  return engine.evaluate(source, { environment, name: "test.janet" });
}
const refused = async (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("an engine", () => {
  it("is ready within 30 ms once the code is loaded", () => {
    createEngine().dispose();
    const start = performance.now();
    createEngine().dispose();
    expect(performance.now() - start).toBeLessThan(30);
  });

  it("evaluates forms and gives the last value", async () => {
    const engine = createEngine();
    expect(await engine.evaluate("(def x 2)\n(* x 21)")).toBe(42);
    expect(await engine.evaluate("")).toBe(null);
    expect(await engine.evaluate('"ä"')).toBe(toBytes("ä"));
  });

  it("keeps environments apart, and engines", async () => {
    const engine = createEngine();
    const [one, two] = [engine.newEnvironment(), engine.newEnvironment()];
    await define(engine, one, "(def x 1)");
    expect(engine.lookup(one, "x")).toBe(1);
    expect(engine.lookup(two, "x")).toBeUndefined();
    expect(await refused(define(engine, two, "x"))).toBeInstanceOf(EvaluationError);
    await engine.evaluate("(put root-env 'mine @{:value 5})");
    expect(await engine.evaluate("mine")).toBe(5);
    expect(await refused(createEngine().evaluate("mine"))).toMatchObject({ phase: "compile" });
  });

  it("says where a program is wrong", async () => {
    const engine = createEngine();
    const at = async (source: string) => refused(engine.evaluate(source, { name: "p.janet" }));
    expect(await at("(def a 1)\n(def b")).toMatchObject({
      phase: "parse",
      line: 2,
      column: 6,
      report: "p.janet:2:6: parse error: unexpected end of source, ( opened at line 2, column 1\n",
    });
    expect(await at("(def a 1)\n  (foo a)")).toMatchObject({
      phase: "compile",
      line: 2,
      column: 3,
      source: "p.janet",
      message: "unknown symbol foo",
      form: "(foo a)",
    });
    const failed = (await at(`(defn f [] (+ 1 (error "bäd")))\n(+ 1 (f))`)) as EvaluationError;
    expect(failed).toMatchObject({
      phase: "run",
      message: "bäd",
      line: 1,
      column: 17,
      source: "p.janet",
      form: "(+ 1 (f))",
    });
    expect(failed.report).toMatch(/^error: bäd\n {2}in f \[p\.janet\] on line 1, column 17\n {2}in thunk/);
    expect(await at("(error {:a 1})")).toMatchObject({ phase: "run", value: structOf([[kw("a"), 1]]) });
  });

  it("runs what stands before an error", async () => {
    const engine = createEngine();
    const environment = engine.newEnvironment();
    await refused(define(engine, environment, "(def a 1) (error 1) (def b 2)"));
    expect([engine.lookup(environment, "a"), engine.lookup(environment, "b")]).toEqual([1, undefined]);
  });
});

describe("functions of the host", () => {
  it("are called with Janet values, and documented", async () => {
    const engine = createEngine();
    const environment = engine.newEnvironment();
    engine.bind(environment, "host/add", ([a, b]) => (a as number) + (b as number), {
      usage: "(host/add a b)",
      doc: "Adds.",
      min: 2,
      max: 2,
    });
    engine.bind(environment, "host/version", "1.0");
    expect(await define(engine, environment, "(host/add 1 2)")).toBe(3);
    expect(await define(engine, environment, "host/version")).toBe("1.0");
    expect(await define(engine, environment, "(get-in (curenv) ['host/add :doc])")).toBe(
      "(host/add a b)\n\nAdds.",
    );
    expect(await refused(define(engine, environment, "(host/add 1)"))).toMatchObject({
      message: "arity mismatch, expected 2, got 1",
    });
  });

  it("may fail, which a program can catch", async () => {
    const engine = createEngine();
    const environment = engine.newEnvironment();
    engine.bind(environment, "fails", () => {
      throw new Error("no ü");
    });
    engine.bind(environment, "fails-later", () => Promise.reject(new Error("later")));
    expect(
      await define(engine, environment, "[(protect (fails)) (protect (fails-later))]").then((value) =>
        toJs(value),
      ),
    ).toEqual([
      [false, "no ü"],
      [false, "later"],
    ]);
  });

  it("that wait hold up only their caller", async () => {
    const engine = createEngine();
    const environment = engine.newEnvironment();
    let answer: (value: Value) => void = () => {};
    engine.bind(environment, "confirm", () => new Promise<Value>((resolve) => (answer = resolve)));
    await define(engine, environment, '(defn asks [] (string (confirm) "!")) (defn quick [x] (* x 2))');
    const asked = engine.call(engine.lookup(environment, "asks") as Value, []);
    expect(await engine.call(engine.lookup(environment, "quick") as Value, [4])).toBe(8);
    answer("yes");
    expect(await asked).toBe("yes!");
  });

  it("that wait can stand in try, generators and functions that call back", async () => {
    const engine = createEngine();
    const environment = engine.newEnvironment();
    engine.bind(
      environment,
      "later",
      ([value = null]) => new Promise<Value>((done) => setImmediate(() => done(value))),
    );
    const source = `[(map later [1 2]) (try (later 3) ([e] e)) (seq [x :in (coro (yield (later 4)) (yield (later 5)))] x)
      (sorted-by |(later (- $)) @[1 2 3])]`;
    expect(pretty(await define(engine, environment, source))).toBe("(@[1 2] 3 @[4 5] @[3 2 1])");
  });
});

describe("limits", () => {
  const endless = [
    "(while true)",
    "(forever (try (error 1) ([_] nil)))",
    "(defn f [] (f)) (f)",
    "(defer (print 1) (while true))",
    "(while true (protect (while true)))",
    '(peg/match \'(any (any "a")) (string/repeat "b" 10)) (while true)',
    "(each x (generate [_ :iterate true] 1) x)",
  ];

  it("end steps, time and an abort, and no program can catch that", async () => {
    const engine = createEngine();
    for (const source of endless) {
      expect(await refused(engine.evaluate(source, { steps: 200_000 })), source).toBeInstanceOf(Interrupted);
      expect(await refused(engine.evaluate(source, { millis: 40 })), source).toBeInstanceOf(Interrupted);
      const abort = new AbortController();
      setTimeout(() => abort.abort(), 20);
      expect(await refused(engine.evaluate(source, { signal: abort.signal })), source).toBeInstanceOf(
        Interrupted,
      );
    }
    expect(await engine.evaluate("(+ 1 2)")).toBe(3);
  });

  it("end what waits, and its tasks in the background", async () => {
    const engine = createEngine();
    const environment = engine.newEnvironment();
    const source = "(def log @[]) (ev/spawn (forever (ev/sleep 0.001) (array/push log 1))) (ev/sleep 100)";
    expect(await refused(engine.evaluate(source, { environment, millis: 30 }))).toBeInstanceOf(Interrupted);
    const log = engine.lookup(environment, "log") as JArray;
    const before = log.items.length;
    await new Promise((done) => setTimeout(done, 30));
    expect(before).toBeGreaterThan(0);
    expect(log.items.length).toBe(before);
  });

  it("let the other calls go on meanwhile", async () => {
    const engine = createEngine();
    const busy = refused(engine.evaluate("(while true)", { millis: 300 }));
    const start = performance.now();
    expect(await engine.evaluate("(+ 1 1)")).toBe(2);
    expect(performance.now() - start).toBeLessThan(250);
    expect(await busy).toBeInstanceOf(Interrupted);
  });

  it("hold for every call when the engine has them", async () => {
    const engine = createEngine({ limits: { steps: 50_000 } });
    expect(await refused(engine.evaluate("(while true)"))).toBeInstanceOf(Interrupted);
  });

  it("are given anew to a task in the background that has waited", async () => {
    const engine = createEngine({ limits: { steps: 20_000 } });
    const environment = engine.newEnvironment();
    await engine.evaluate("(var n 0) (ev/spawn (forever (ev/sleep 0) (for i 0 1000 nil) (++ n)))", {
      environment,
    });
    await expect.poll(() => engine.lookup(environment, "n") as number).toBeGreaterThan(60);
    engine.dispose();
  });

  it("do not count what other calls do", async () => {
    const engine = createEngine();
    const loop = "(for i 0 20000 (ev/sleep 0) (if (= 0 (% i 100)) (break)))";
    const calls = Array.from({ length: 20 }, () => engine.evaluate(loop, { steps: 5_000 }));
    expect(await Promise.all(calls)).toHaveLength(20);
  });
});

describe("disposing", () => {
  it("ends what runs and what waits, and refuses more", async () => {
    const engine = createEngine();
    const waiting = refused(engine.evaluate("(ev/sleep 100)"));
    const running = refused(engine.evaluate("(while true)"));
    await new Promise((done) => setTimeout(done, 20));
    engine.dispose();
    expect(await waiting).toBeInstanceOf(Interrupted);
    expect(await running).toBeInstanceOf(Interrupted);
    expect(await refused(engine.evaluate("1"))).toMatchObject({ message: "The engine is disposed." });
  });
});

describe("values", () => {
  it("go into Janet and come out again", () => {
    const value = { text: "ä", list: [1, true, null, "x"], inner: { a: 1 } };
    const janet = fromJs(value);
    expect(pretty(janet)).toBe(String.raw`@{:inner @{:a 1} :list @[1 true nil "x"] :text "\xC3\xA4"}`);
    expect(toJs(janet)).toEqual(value);
    expect(pretty(fromJs(new Map([["k", 1]])))).toBe('@{"k" 1}');
    expect(pretty(fromJs(new Uint8Array([104, 105])))).toBe('@"hi"');
    expect(fromJs(undefined)).toBe(null);
    expect(toJs(new Tuple([kw("a"), JBuffer.of("b"), 1]))).toEqual(["a", "b", 1]);
  });

  it("that cannot be are refused", () => {
    const circle: unknown[] = [];
    circle.push(circle);
    expect(() => fromJs(circle)).toThrow("nested too deeply");
    expect(() => fromJs(() => 1)).toThrow("A function is no Janet value.");
    const janet = new JArray();
    janet.items.push(janet);
    expect(() => toJs(janet)).toThrow("nested too deeply");
  });
});
