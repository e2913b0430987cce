import { expect, it } from "vitest";
import { runCase } from "../../cli/cases.ts";

const failing =
  '(defn inner [] (error "no") 1)\n(defn outer [] (inner) 2)\n(def f (fiber/new (fn top [] (outer) 3) :e))\n(resume f)\n';

it("debug/stack tells the functions that an error passed", async () => {
  const { value } = await runCase(
    `${failing}(map |[($ :name) ($ :source-line) ($ :source-column)] (debug/stack f))`,
  );
  expect(value).toBe('@[("inner" 1 16) ("outer" 2 16) ("top" 3 30)]');
});

it("debug/stacktrace writes to :err, with the error when there is a prefix", async () => {
  const trace =
    "  in inner on line 1, column 16\\n  in outer on line 2, column 16\\n  in top on line 3, column 30\\n";
  const write = (more: string) =>
    runCase(`${failing}(def b @"") (with-dyns [:err b] (debug/stacktrace f ${more})) (string b)`);
  expect((await write("")).value).toBe(`"${trace}"`);
  expect((await write('"no" ""')).value).toBe(`"error: no\\n${trace}"`);
  expect((await write('"no" "sub "')).value).toBe(`"sub error: no\\n${trace}"`);
});

it("debug/lineage follows the fibers that wait for each other", async () => {
  const { value } = await runCase(
    "(def inner (fiber/new (fn [] (signal 7 1)) :e)) (def outer (fiber/new (fn [] (resume inner)) :u)) (resume outer) (map |(= $ inner) (debug/lineage outer))",
  );
  expect(value).toBe("@[false true]");
});

it("debug/stack tells the calls that a fiber is in the middle of", async () => {
  const deep =
    "(defn f [n] (if (= n 0) (yield 1) (+ 1 (f (- n 1))))) (def c (coro (+ 0 (f 450)))) (resume c)";
  expect(
    (await runCase(`${deep} (def s (debug/stack c)) [(length s) ((s 0) :name) (= f ((s 0) :function))]`))
      .value,
  ).toBe('(452 "f" true)');
  const names = "(map |($ :name) (debug/stack (fiber/current)))";
  const current = await runCase(`(defn g [] (def n ${names}) n)\n(defn f [] (def r (g)) r)\n(f)`);
  expect(current.value).toBe('@["debug/stack" "g" "f"]');
  expect((await runCase("(length (debug/stack (coro 1)))")).value).toBe("1");
});
