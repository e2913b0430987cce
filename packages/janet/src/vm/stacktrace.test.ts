import { expect, it } from "vitest";
import { createEngine, type EvaluationError } from "../engine.ts";

async function report(source: string): Promise<string> {
  const failure = (await createEngine()
    .evaluate(source, { name: "a.janet" })
    .catch((error: unknown) => error)) as EvaluationError;
  return failure.report;
}

it("an error names the functions that it passes, innermost first", async () => {
  expect(await report('(defn g [x] (error x))\n(defn f [x]\n  (g x)\n  1)\n(do (f "oops") 2)')).toBe(
    [
      "error: oops",
      "  in g [a.janet] on line 1, column 13",
      "  in f [a.janet] on line 3, column 3",
      "  in thunk [a.janet] (tail call) on line 5, column 5",
      "",
    ].join("\n"),
  );
});

it("a tail call takes the place of its caller", async () => {
  expect(await report('(defn g [x] (error x))\n(defn f [x] (g x))\n(f "oops")')).toBe(
    ["error: oops", "  in g [a.janet] (tail call) on line 1, column 13", ""].join("\n"),
  );
});

it("an error that went through a fiber and was raised again keeps where it arose", async () => {
  const text = await report('(defn f [] (error "x") 1)\n(defer (+ 1 1) (f) 1)');
  expect(text.split("\n")[1]).toBe("  in f [a.janet] on line 1, column 12");
});

it.each([
  ["(do (+ 1 1)\n (def [a] nil) a)", 2, 2],
  ["(defn f [x]\n  (let [{:a a} x] a))\n(do (f 5) 1)", 2, 3],
  ['(do\n  (+ 1 "a") 1)', 2, 3],
  ["(do (prin)\n  (in [1] 4) 1)", 2, 3],
  ["(do (prin)\n  (set (5 1) 4) 1)", 2, 3],
])("the position is that of what failed: %s", async (source, line, column) => {
  const lines = (await report(source)).split("\n");
  expect(lines[1]).toMatch(new RegExp(`on line ${line}, column ${column}$`));
});
