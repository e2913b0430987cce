import { panic } from "../../vm/janet-error.ts";
import type { Registrar } from "../registrar.ts";

const any = Number.POSITIVE_INFINITY;

/**
 * Functions that this engine cannot have, with the reason. They are bound, so that a program that mentions one without calling it
 * still compiles; a call is an error that can be caught.
 */
const reasons: Readonly<Record<string, readonly string[]>> = {
  "it has no bytecode": [
    "asm",
    "disasm",
    "debug/break",
    "debug/unbreak",
    "debug/fbreak",
    "debug/unfbreak",
    "debug/step",
  ],
  "it has no native modules": ["native"],
  "it has no interactive debugger": ["debugger", "debugger-on-status"],
  "its command line is not part of the language": ["cli-main", "flycheck"],
  "it has no raw sockets": ["net/recv-from", "net/send-to", "net/socket"],
  "streams and files are apart": ["ev/to-file"],
  "signals of the process are the host's": ["os/sigaction"],
};

export function installUnsupported(core: Registrar): void {
  for (const [reason, names] of Object.entries(reasons)) {
    for (const name of names) {
      core.cfun(name, 0, any, `(${name} & args)`, `Always an error in this engine: ${reason}.`, () =>
        panic(`${name} is not supported by this engine: ${reason}`),
      );
    }
  }
}
