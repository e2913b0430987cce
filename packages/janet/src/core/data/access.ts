import { getOr, inOr, lengthOf, putValue } from "../../values/operators.ts";
import type { Value } from "../../values/value.ts";
import { nextOf } from "../../vm/fibers.ts";
import type { Registrar } from "../registrar.ts";

/** `get`, `in`, `put`, `length` and `next` as functions; the compiler writes most calls of them out. */
export function install(core: Registrar): void {
  core.fun(
    "get",
    2,
    3,
    "(get ds key &opt dflt)",
    "The value under a key; dflt, which is nil by default, when there is none.",
    (args) => getOr(args[0] as Value, args[1] as Value, args[2] ?? null),
  );
  core.fun(
    "in",
    2,
    3,
    "(in ds key &opt dflt)",
    "As `get`, but an index that is out of range is an error.",
    (args) => inOr(args[0] as Value, args[1] as Value, args[2] ?? null),
  );
  core.fun(
    "put",
    3,
    3,
    "(put ds key value)",
    "Puts a value under a key of a table, array or buffer, and gives it; nil removes a table's key.",
    (args) => putValue(args[0] as Value, args[1] as Value, args[2] as Value),
  );
  core.fun("length", 1, 1, "(length ds)", "How many bytes, items or entries there are.", (args, vm) =>
    lengthOf(args[0] as Value, vm),
  );
  core.gen(
    "next",
    1,
    2,
    "(next ds &opt key)",
    "The key after key, the first one for nil; nil at the end. A fiber is resumed and has the key 0 while it goes on.",
    (args, vm) => nextOf(vm, args[0] as Value, args[1] ?? null),
  );
}
