import { compileErrorText, tell, traceOf } from "../../modules/report.ts";
import { Table } from "../../values/tables.ts";
import type { Value } from "../../values/value.ts";
import { Fiber } from "../../vm/fiber.ts";
import { callPlain, coreValues } from "../macros/forms.ts";
import type { Registrar } from "../registrar.ts";

/** The default reports of `run-context` as functions. They write to `:err`. */
export function installReports(core: Registrar): void {
  const value = coreValues(core);
  core.fun(
    "bad-parse",
    2,
    2,
    "(bad-parse p where)",
    "Reports the error of a parser that reads the source `where`.",
    ([parser = null, where = null], vm) => {
      const at = callPlain(vm, value, "parser/where", parser);
      const [line = null, column = null] =
        at !== null && typeof at === "object" && "items" in at ? at.items : [];
      const words = callPlain(vm, value, "parser/error", parser);
      tell(
        vm,
        callPlain(
          vm,
          value,
          "string",
          where,
          ":",
          line,
          ":",
          column,
          ": parse error: ",
          words,
          "\n",
        ) as string,
      );
      return null;
    },
  );
  const report = (name: string, doc: string) =>
    core.fun(
      name,
      3,
      5,
      `(${name} msg macrof where &opt line col)`,
      doc,
      ([words = null, macro = null, where = null, line = null, column = null], vm) => {
        const error = { words: text(words), line: number(line), column: number(column) };
        const head = compileErrorText(text(where), error as Parameters<typeof compileErrorText>[1]);
        const kind =
          name === "warn-compile" ? head.replace(": compile error: ", ": compile warning: ") : head;
        tell(vm, `${kind}\n`);
        if (macro instanceof Fiber) tell(vm, traceOf(macro, macro.last));
        return null;
      },
    );
  const text = (given: Value) => (typeof given === "string" ? given : String(given ?? "<anonymous>"));
  const number = (given: Value) => (typeof given === "number" ? given : -1);
  report("bad-compile", "Reports an error of the compiler, and the trace of the macro in which it arose.");
  report("warn-compile", "Reports a lint message of the compiler.");
  core.value(
    "debugger-env",
    new Table(),
    "The environment of the debugger, which this engine does not have.",
  );
}
