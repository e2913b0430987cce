import { show } from "../../print/describe.ts";
import { Kw } from "../../values/names.ts";
import type { Value } from "../../values/value.ts";
import type { Capabilities } from "../../vm/host.ts";
import { panic } from "../../vm/janet-error.ts";
import { badSlot } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";

/** What each of Janet's names of a capability takes away here; what an engine has not got anyway takes nothing. */
const taken: Record<string, readonly (keyof Capabilities)[]> = {
  all: ["readFiles", "writeFiles", "subprocess", "network", "environment"],
  env: ["environment"],
  fs: ["readFiles", "writeFiles"],
  "fs-read": ["readFiles"],
  "fs-write": ["writeFiles"],
  "fs-temp": [],
  net: ["network"],
  "net-connect": ["network"],
  "net-listen": ["network"],
  subprocess: ["subprocess"],
  exit: ["exit"],
  asm: [],
  chroot: [],
  compile: [],
  ffi: [],
  "ffi-define": [],
  "ffi-jit": [],
  "ffi-use": [],
  hrtime: [],
  modules: [],
  sandbox: [],
  signal: [],
  threads: [],
  unmarshal: [],
};

/** `sandbox`: a program gives up capabilities for good. */
export function install(core: Registrar): void {
  core.cfun(
    "sandbox",
    0,
    Infinity,
    "(sandbox & forbidden-capabilities)",
    "Gives up capabilities of this engine for good, such as :fs-write, :net, :subprocess or :all.",
    (args, vm) => {
      const lost = args.flatMap((arg, at) => lostBy(args, arg, at));
      const left: Capabilities = Object.create(vm.host.capabilities);
      for (const name of lost) left[name] = undefined;
      vm.host.capabilities = left;
      return null;
    },
  );
}

function lostBy(args: readonly Value[], arg: Value, at: number): readonly (keyof Capabilities)[] {
  if (!(arg instanceof Kw)) return badSlot(args, at, "keyword");
  return taken[arg.name] ?? panic(`unknown capability ${show(arg)}`);
}
