import { show } from "../../print/describe.ts";
import { Native } from "../../values/functions.ts";
import { Sym, sym } from "../../values/names.ts";
import type { Value } from "../../values/value.ts";
import { callNow } from "../../vm/call.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Vm } from "../../vm/vm.ts";
import type { Registrar } from "../registrar.ts";
import { body, brackets, type CoreValue, fresh, lambda, list, S } from "./forms.ts";

const any = Number.POSITIVE_INFINITY;

/** Functions in short. */
export function installShortFunctions(core: Registrar, value: CoreValue): void {
  core.macro(
    "short-fn",
    1,
    2,
    "(short-fn arg &opt name)",
    "A function whose body is the form; its parameters are written $ or $0, $1, $2 and so on, and $& for all the rest. Read from |form.",
    ([form = null, name = null], vm) => shortFn(vm, value, form, name),
  );
  core.macro(
    "juxt",
    0,
    any,
    "(juxt & funs)",
    "A function that gives a tuple of what each of these functions gives for its arguments.",
    (functions) => {
      const args = fresh();
      const calls = functions.map((callee) => list(value("apply"), callee, args));
      return lambda("juxt", [S.rest, args], [list(value("tuple"), ...calls)]);
    },
  );
  core.macro(
    "delay",
    0,
    any,
    "(delay & forms)",
    "A function without parameters that evaluates the forms at its first call and gives the same value from then on.",
    (forms) => {
      const [state, loaded] = [fresh(), fresh()];
      return body(
        list(S.var, state, null),
        list(S.var, loaded, null),
        list(
          S.fn,
          brackets(),
          list(S.if, loaded, state, body(list(S.set, loaded, true), list(S.set, state, body(...forms)))),
        ),
      );
    },
  );
  core.macro("chr", 1, 1, "(chr c)", "The byte of a string of one byte.", ([char = null]) => {
    if (typeof char !== "string" || char.length !== 1)
      panic(`expected string of length 1, got ${show(char)}`);
    return char.charCodeAt(0);
  });
}

/** Macros in the form are expanded first, since $ may stand in what they give. */
function shortFn(vm: Vm, value: CoreValue, form: Value, name: Value): Value {
  let most = -1;
  let hasRest = false;
  const see = (at: number) => {
    most = Math.max(most, at);
  };
  const onBinding = new Native(
    "function",
    "on-binding",
    1,
    1,
    ([found = null]) => {
      const text = found instanceof Sym ? found.name : "";
      if (text === "$") {
        see(0);
        return sym("$0");
      }
      if (text === "$&") hasRest = true;
      else if (/^\$[0-9]+$/.test(text)) see(Number(text.slice(1)));
      return found;
    },
    null,
  );
  const expanded = callNow(vm, value("macex"), [form, onBinding]);
  const parameters: Value[] = Array.from({ length: most + 1 }, (_, at) => sym(`$${at}`));
  if (hasRest) parameters.push(S.rest, sym("$&"));
  if (name === null) return lambda("short-fn", parameters, [expanded]);
  return list(S.fn, name, brackets(...parameters), expanded);
}
