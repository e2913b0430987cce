import { JArray } from "../../values/sequences.ts";
import { Table } from "../../values/tables.ts";
import type { Registrar } from "../registrar.ts";
import { body, type CoreValue, list, S } from "./forms.ts";
import { LoopForms } from "./loops.ts";

const any = Number.POSITIVE_INFINITY;

/** The looping macros. */
export function installIteration(core: Registrar, value: CoreValue): void {
  const loops = new LoopForms(value);
  const arrayLiteral = () => new JArray();
  core.macro(
    "for",
    3,
    any,
    "(for i start stop & body)",
    "Evaluates the body with `i` from start up to but not including stop. Gives nil.",
    ([name = null, start = null, stop = null, ...forms]) => loops.counted(name, [start, stop, 1], "<", forms),
  );
  core.macro(
    "forv",
    3,
    any,
    "(forv i start stop & body)",
    "As for, but `i` is a variable that the body may set.",
    ([name = null, start = null, stop = null, ...forms]) => loops.counter(name, [start, stop, 1], "<", forms),
  );
  core.macro(
    "each",
    2,
    any,
    "(each x ds & body)",
    "Evaluates the body with each value of a data structure or fiber in turn. Gives nil.",
    ([name = null, source = null, ...forms]) => loops.each(name, source, "values", forms),
  );
  core.macro(
    "eachk",
    2,
    any,
    "(eachk x ds & body)",
    "Evaluates the body with each key of a data structure in turn. Gives nil.",
    ([name = null, source = null, ...forms]) => loops.each(name, source, "keys", forms),
  );
  core.macro(
    "eachp",
    2,
    any,
    "(eachp x ds & body)",
    "Evaluates the body with each pair of key and value of a data structure in turn. Gives nil.",
    ([name = null, source = null, ...forms]) => loops.each(name, source, "pairs", forms),
  );
  core.macro(
    "repeat",
    1,
    any,
    "(repeat n & body)",
    "Evaluates the body n times, for its effects. Gives nil.",
    ([count = null, ...forms]) => loops.repeat(count, forms),
  );
  core.macro(
    "forever",
    0,
    any,
    "(forever & body)",
    "Evaluates the body again and again until a break or an error ends it.",
    (forms) => list(S.while, true, ...forms),
  );
  core.macro(
    "loop",
    1,
    any,
    "(loop head & body)",
    "The general loop. The head holds bindings `name :verb object` with the verbs :range, :range-to, :down, :down-to, :keys, :pairs, :in and :iterate, and modifiers :while, :until, :let, :before, :after, :repeat, :when and :unless; later ones are nested in earlier ones. Gives nil.",
    ([head = null, ...forms]) => loops.loop(head, forms),
  );
  core.macro(
    "seq",
    1,
    any,
    "(seq head & body)",
    "Runs a loop and gives an array of what the body gave in each round.",
    ([head = null, ...forms]) =>
      loops.collect(head, arrayLiteral(), (store) => list(value("array/push"), store, body(...forms))),
  );
  core.macro(
    "catseq",
    1,
    any,
    "(catseq head & body)",
    "As seq, but arrays and tuples that the body gives are joined into one array.",
    ([head = null, ...forms]) =>
      loops.collect(head, arrayLiteral(), (store) => list(value("array/concat"), store, body(...forms))),
  );
  core.macro(
    "tabseq",
    2,
    any,
    "(tabseq head key-form & value-body)",
    "Runs a loop and gives a table; each round puts one key and its value.",
    ([head = null, key = null, ...forms]) =>
      loops.collect(head, new Table(), (store) => list(value("put"), store, key, body(...forms))),
  );
  core.macro(
    "generate",
    1,
    any,
    "(generate head & body)",
    "A fiber that runs a loop and yields what the body gives in each round.",
    ([head = null, ...forms]) =>
      loops.coroutine("generate", [loops.loop(head, [list(value("yield"), body(...forms))])]),
  );
  core.macro(
    "coro",
    0,
    any,
    "(coro & body)",
    "A fiber that runs the body and stops at each yield in it.",
    (forms) => loops.coroutine("coro", forms),
  );
}
