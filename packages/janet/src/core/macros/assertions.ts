import { Tuple } from "../../values/sequences.ts";
import type { Value } from "../../values/value.ts";
import type { Registrar } from "../registrar.ts";
import { body, type CoreValue, callPlain, def, fresh, list, S } from "./forms.ts";

const any = Number.POSITIVE_INFINITY;

/** Macros that check or show a value on its way. */
export function installAssertions(core: Registrar, value: CoreValue): void {
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
