import { expect, it } from "vitest";
import { createEngine, EvaluationError, Interrupted, toJs } from "../index.ts";

/** A value of few parts that are met 2^64 times. */
const twice = (make: string) =>
  `(do (var x []) (var y []) (for i 0 64 (set x ${make}) (set y ${make.replaceAll("x", "y")}))`;

it.each([
  `${twice("[x x]")} (= x y))`,
  `${twice("[x x]")} (< x y))`,
  `${twice("@[x x]")} (deep= x y))`,
  `${twice("{:a x :b x}")} (get {x 1} y))`,
  `${twice("[x x]")} (flatten x))`,
  `${twice("@[x x]")} (freeze x))`,
  `${twice("@[x x]")} (marshal x @{} @"" true))`,
  `${twice("[x x]")} (string/format "%q" x))`,
  `${twice("[x x]")} (json/encode x))`,
  `${twice("['do x x]")} (eval x))`,
  `${twice("['do x x]")} (macex x))`,
  `${twice("[x x]")} (eval ['quasiquote x]))`,
  `${twice("['a x x]")} (eval ['def (tuple/brackets ;x) nil]))`,
])("no engine is kept busy for ever by %s", async (source) => {
  const engine = createEngine();
  const error = await engine
    .evaluate(source, { steps: 300_000, millis: 10_000 })
    .catch((reason: unknown) => reason);
  expect(error instanceof Interrupted || error instanceof EvaluationError).toBe(true);
  engine.dispose();
});

it("refuses to make a JS value of it", async () => {
  const engine = createEngine();
  const value = await engine.evaluate(`${twice("@[x x]")} x)`);
  expect(() => toJs(value)).toThrow("too large");
  engine.dispose();
});
