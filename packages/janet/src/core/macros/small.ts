import { show } from "../../print/describe.ts";
import { Native } from "../../values/functions.ts";
import { Kw, kw, Sym, sym } from "../../values/names.ts";
import { JBuffer, Tuple } from "../../values/sequences.ts";
import type { Value } from "../../values/value.ts";
import { callNow } from "../../vm/call.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Vm } from "../../vm/vm.ts";
import type { Registrar } from "../registrar.ts";
import { body, brackets, type CoreValue, callPlain, def, fresh, lambda, list, quoted, S } from "./forms.ts";

const any = Number.POSITIVE_INFINITY;

/** Assignment, assertions, functions in short, and macros that evaluate while compiling. */
export function installSmall(core: Registrar, value: CoreValue): void {
  installAssignments(core, value);
  installAssertions(core, value);
  installFunctions(core, value);
  installCompileTime(core, value);
}

function installAssignments(core: Registrar, value: CoreValue): void {
  const change = (name: string, operator: string, words: string) =>
    core.macro(
      name,
      1,
      any,
      `(${name} x & ns)`,
      `Sets a variable to itself ${words} the given numbers.`,
      ([target = null, ...numbers]) => list(S.set, target, list(value(operator), target, ...numbers)),
    );
  change("+=", "+", "plus");
  change("-=", "-", "minus");
  change("*=", "*", "times");
  change("/=", "/", "divided by");
  change("%=", "%", "modulo");
  core.macro("++", 1, 1, "(++ x)", "Adds 1 to a variable.", ([target = null]) =>
    list(S.set, target, list(value("+"), target, 1)),
  );
  core.macro("--", 1, 1, "(-- x)", "Subtracts 1 from a variable.", ([target = null]) =>
    list(S.set, target, list(value("-"), target, 1)),
  );
  core.macro(
    "toggle",
    1,
    1,
    "(toggle value)",
    "Sets a variable to its logical opposite.",
    ([target = null]) => list(S.set, target, list(value("not"), target)),
  );
}

function installAssertions(core: Registrar, value: CoreValue): void {
  const assertion = (form: Value, failure: Value) => {
    const held = fresh();
    return body(def(held, form), list(S.if, held, held, failure));
  };
  core.macro(
    "assert",
    1,
    2,
    "(assert x &opt err)",
    "Gives x when it is truthy; otherwise raises err, or an error that shows the form.",
    (args, vm) => {
      const [form = null, error = null] = args;
      const words = () => callPlain(vm, value, "string/format", "assert failure in %j", form);
      return assertion(form, list(value("error"), error ?? words()));
    },
  );
  core.macro(
    "assertf",
    1,
    any,
    "(assertf x &opt fmt & args)",
    "Gives x when it is truthy; otherwise raises an error with a formatted text.",
    (args, vm) => {
      const [form = null, ...format] = args;
      const words = () => callPlain(vm, value, "string/format", "assert failure in %j", form);
      return assertion(
        form,
        format.length === 0 ? list(value("error"), words()) : list(value("errorf"), ...format),
      );
    },
  );
  core.macro(
    "tracev",
    1,
    1,
    "(tracev x)",
    "Prints the form x and its value to standard error and gives the value.",
    ([form = null], vm) => {
      const held = fresh();
      const shown = callPlain(vm, value, "string/format", "%q", form) as string;
      const at = vm.dyn("macro-form");
      const [line, column] = at instanceof Tuple ? [at.line, at.column] : [-1, -1];
      return body(
        def(held, form),
        list(
          value("eprintf"),
          "trace [%s] on line %d, column %d: %s is %q",
          vm.dyn("current-file") ?? "",
          line,
          column,
          shown,
          held,
        ),
        held,
      );
    },
  );
}

function installFunctions(core: Registrar, value: CoreValue): void {
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

function installCompileTime(core: Registrar, value: CoreValue): void {
  const evaluate = (vm: Vm, form: Value) => callNow(vm, value("eval"), [form]);
  core.macro("comment", 0, any, "(comment & body)", "Ignores its body and gives nil.", () => null);
  core.macro(
    "comptime",
    1,
    1,
    "(comptime x)",
    "Evaluates x once, while compiling, and puts the result in its place.",
    ([form = null], vm) => evaluate(vm, form),
  );
  core.macro(
    "compif",
    2,
    3,
    "(compif condition then &opt else)",
    "Decides while compiling which of two forms is compiled.",
    ([condition = null, then = null, otherwise = null], vm) => {
      const chosen = evaluate(vm, condition);
      return chosen !== null && chosen !== false ? then : otherwise;
    },
  );
  core.macro(
    "compwhen",
    1,
    any,
    "(compwhen condition & body)",
    "Compiles its body at top level only when the condition is truthy while compiling.",
    ([condition = null, ...forms], vm) => {
      const chosen = evaluate(vm, condition);
      return chosen !== null && chosen !== false ? list(S.upscope, ...forms) : null;
    },
  );
  core.macro(
    "as-macro",
    1,
    any,
    "(as-macro f & args)",
    "Calls a function as if it were a macro.",
    ([callee = null, ...args], vm) => callNow(vm, callee, args),
  );
  core.macro(
    "doc",
    0,
    1,
    "(doc &opt sym)",
    "Prints the documentation of a binding, or lists all bindings and dynamics.",
    ([name = null]) => list(value("doc*"), quoted(name)),
  );
  core.macro(
    "import",
    1,
    any,
    "(import path & args)",
    "Loads a module and binds what it defines here, with the module's name or `:as` a name as prefix, or with `:prefix`.",
    ([path = null, ...args]) => list(value("import*"), textOf(path), ...importArguments(args)),
  );
  core.macro(
    "use",
    0,
    any,
    "(use & modules)",
    "Loads modules and binds what they define here without a prefix.",
    (paths) => body(...paths.map((path) => list(value("import*"), textOf(path), kwPrefix, ""))),
  );
}

function textOf(form: Value): string {
  if (typeof form === "string") return form;
  if (form instanceof Sym || form instanceof Kw) return form.name;
  return form instanceof JBuffer ? form.text() : show(form);
}
/** `:as` takes a bare symbol and `:only` a tuple of them; what other keywords take is evaluated. */
function importArguments(args: readonly Value[]): Value[] {
  return args.map((form, at) => {
    const key = at % 2 === 1 ? args[at - 1] : null;
    if (key === kw("as")) return textOf(form);
    return key === kw("only") ? list(sym("quote"), form) : form;
  });
}
const kwPrefix = kw("prefix");
