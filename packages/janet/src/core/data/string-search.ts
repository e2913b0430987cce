import { textOf } from "../../print/describe.ts";
import { Closure, Native } from "../../values/functions.ts";
import { JArray } from "../../values/sequences.ts";
import type { Value } from "../../values/value.ts";
import { callValue } from "../../vm/call.ts";
import { panic } from "../../vm/janet-error.ts";
import { bytesAt, integerAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";

/** `string/find`, `string/replace`, `string/split` and their kin. */
export function install(core: Registrar): void {
  core.cfun(
    "string/find",
    2,
    3,
    "(string/find patt str &opt start-index)",
    "Where patt first occurs in str; nil when it does not.",
    (args) => {
      const { pattern, text, start } = searchOf(args, 0, 1, 2);
      const found = text.indexOf(pattern, start);
      return found >= 0 ? found : null;
    },
  );
  core.cfun(
    "string/find-all",
    2,
    3,
    "(string/find-all patt str &opt start-index)",
    "Every place where patt occurs in str; occurrences may overlap.",
    (args, vm) => {
      const { pattern, text, start } = searchOf(args, 0, 1, 2);
      const places: Value[] = [];
      for (let at = text.indexOf(pattern, start); at >= 0; at = text.indexOf(pattern, at + 1)) {
        places.push(at);
        vm.spend(1);
      }
      return new JArray(places);
    },
  );
  core.cgen(
    "string/replace",
    3,
    4,
    "(string/replace patt subst str &opt start-index)",
    "Replaces the first occurrence of patt in str by subst, which may be a function of what it replaces.",
    function* (args, vm) {
      const { pattern, text, start } = searchOf(args, 0, 2, 3);
      const found = text.indexOf(pattern, start);
      if (found < 0) return text;
      const subst = args[1] as Value;
      const by = textOf(isFunction(subst) ? yield* callValue(vm, subst, [pattern]) : subst);
      return text.slice(0, found) + by + text.slice(found + pattern.length);
    },
  );
  core.cgen(
    "string/replace-all",
    3,
    4,
    "(string/replace-all patt subst str &opt start-index)",
    "Replaces every occurrence of patt in str by subst, which may be a function of what it replaces.",
    function* (args, vm) {
      const { pattern, text, start } = searchOf(args, 0, 2, 3);
      const subst = args[1] as Value;
      const fixed = isFunction(subst) ? null : textOf(subst);
      const parts: string[] = [];
      let done = 0;
      for (let at = text.indexOf(pattern, start); at >= 0; at = text.indexOf(pattern, done)) {
        const by = fixed ?? textOf(yield* callValue(vm, subst, [pattern]));
        parts.push(text.slice(done, at), by);
        vm.spend(1);
        done = at + pattern.length;
      }
      parts.push(text.slice(done));
      return parts.join("");
    },
  );
  core.cfun(
    "string/split",
    2,
    4,
    "(string/split delim str &opt start limit)",
    "The parts of str between occurrences of delim, which is searched from start on; not more than limit parts.",
    (args, vm) => {
      const limit = args.length > 3 ? integerAt(args, 3) : -1;
      const { pattern, text, start } = searchOf(args, 0, 1, 2);
      const parts: Value[] = [];
      let done = 0;
      let at = text.indexOf(pattern, start);
      while (at >= 0 && parts.length !== limit - 1) {
        parts.push(text.slice(done, at));
        vm.spend(1);
        done = at + pattern.length;
        at = text.indexOf(pattern, done);
      }
      parts.push(text.slice(done));
      return new JArray(parts);
    },
  );
}

/** Pattern, text and start of a search, at these arguments. */
function searchOf(args: Value[], patternAt: number, textAt: number, startAt: number) {
  const pattern = bytesAt(args, patternAt);
  const text = bytesAt(args, textAt);
  const start = args.length > startAt ? integerAt(args, startAt) : 0;
  if (start < 0) panic("expected non-negative start index");
  if (pattern === "") panic("expected non-empty pattern");
  return { pattern, text, start };
}

function isFunction(value: Value): boolean {
  return value instanceof Closure || value instanceof Native;
}
