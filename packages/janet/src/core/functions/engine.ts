import { Closure, Native } from "../../values/functions.ts";
import { JanetError } from "../../vm/janet-error.ts";
import { badSlot, naturalAt } from "../arguments.ts";
import { callPlain, coreValues } from "../macros/forms.ts";
import type { Registrar } from "../registrar.ts";

const any = Number.POSITIVE_INFINITY;

/** The version of Janet whose behaviour this engine has. */
const version = "1.41.3";

/** Facts about the engine, and what concerns its memory, which JavaScript looks after. */
export function installEngine(core: Registrar): void {
  const value = coreValues(core);
  core.value("janet/version", version, "The version of Janet that this engine behaves like.");
  core.value("janet/build", "patchbay", "The build of this engine.");
  core.value("janet/config-bits", 0, "Options that this engine was built with, as bits.");
  core.cfun("gccollect", 0, 0, "(gccollect)", "Does nothing: memory is JavaScript's.", () => null);
  let interval = 4_194_304;
  core.cfun(
    "gcsetinterval",
    1,
    1,
    "(gcsetinterval interval)",
    "Keeps a number for gcinterval to tell.",
    (args) => {
      interval = naturalAt(args, 0);
      return null;
    },
  );
  core.cfun(
    "gcinterval",
    0,
    0,
    "(gcinterval)",
    "The number that gcsetinterval was told last.",
    () => interval,
  );
  core.fun(
    "errorf",
    1,
    any,
    "(errorf fmt & args)",
    "Raises an error whose text is formatted as string/format does.",
    (args, vm) => {
      throw new JanetError(callPlain(vm, value, "string/format", ...args));
    },
  );
  const traceable = (name: string, usage: string, doc: string) =>
    core.cfun(name, 1, 1, usage, doc, (args) => {
      const [callee = null] = args;
      const isFunction =
        callee instanceof Closure || (callee instanceof Native && callee.kind === "function");
      return isFunction ? callee : badSlot(args, 0, "function");
    });
  traceable("trace", "(trace func)", "Gives the function; this engine prints no traces of calls.");
  traceable("untrace", "(untrace func)", "Gives the function, as trace does.");
}
