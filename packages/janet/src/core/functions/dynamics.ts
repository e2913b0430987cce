import { kw, sym } from "../../values/names.ts";
import { Table } from "../../values/tables.ts";
import type { Registrar } from "../registrar.ts";

/** The dynamic bindings that the core looks at, and what each is for. */
const dynamics: Record<string, string> = {
  args: "The arguments of the program, as an array of strings.",
  "current-file": "The file that is being loaded.",
  debug: "Whether an error of a file that runs starts the debugger.",
  "defdyn-prefix": "A prefix for the keywords that defdyn makes.",
  "doc-color": "Whether doc writes with colours.",
  "doc-width": "How many columns doc fills.",
  err: "Where eprint and its kin write.",
  "err-color": "Whether error messages are written with colours.",
  executable: "The path of the program that runs this engine.",
  exit: "Set to a truthy value, it ends the run-context that is under way.",
  "exit-value": "What a run-context gives when exit ends it.",
  "ffi-context": "The library that ffi definitions are looked up in.",
  flychecking: "Whether a file is only being checked.",
  "lint-error": "The level from which on a lint message counts as an error.",
  "lint-levels": "The names of lint levels with their numbers.",
  "lint-warn": "The level up to which lint messages are shown.",
  "macro-form": "The form that the running macro is expanded for.",
  "macro-lints": "The array that takes lint messages of macros.",
  "module-cache": "The modules that were loaded, by path.",
  "module-loaders": "The functions that load modules, by kind.",
  "module-loading": "The paths of modules that are being loaded.",
  "module-make-env": "The function that makes the environment of a new module.",
  "module-paths": "The patterns of paths where modules are looked for.",
  out: "Where print and its kin write.",
  "peg-grammar": "The rules that every PEG may refer to.",
  "pretty-format": "The format with which pp and the prompt show values.",
  profilepath: "The file that the prompt loads first.",
  redef: "Whether redefined values are seen by functions that were compiled before.",
  "repl-prompt": "The function that makes the text of the prompt.",
  syspath: "The directory of installed modules.",
  "task-id": "What names the running task.",
};

/** `*out*` and its like: names for the keywords of dynamic bindings. */
export function installDynamics(core: Registrar): void {
  for (const [name, doc] of Object.entries(dynamics)) {
    core.value(`*${name}*`, kw(name), doc);
    const binding = core.env.rawGet(sym(`*${name}*`));
    if (binding instanceof Table) binding.put(kw("dyn"), true);
  }
}
