import { show } from "../../print/describe.ts";
import { Kw } from "../../values/names.ts";
import type { Capabilities } from "../../vm/host.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Registrar } from "../registrar.ts";

type Capability = keyof Capabilities;
const files: readonly Capability[] = ["readFiles", "writeFiles"];

/** What each name of `sandbox` takes away. Names with nothing stand for what this engine does not have. */
const taken: Readonly<Record<string, readonly Capability[]>> = {
  all: [...files, "subprocess", "network", "environment", "exit"],
  env: ["environment"],
  exit: ["exit"],
  fs: files,
  "fs-read": ["readFiles"],
  "fs-write": ["writeFiles"],
  "fs-temp": ["writeFiles"],
  modules: ["readFiles"],
  net: ["network"],
  "net-connect": ["network"],
  "net-listen": ["network"],
  subprocess: ["subprocess"],
  asm: [],
  chroot: [],
  ffi: [],
  "ffi-define": [],
  "ffi-jit": [],
  "ffi-use": [],
  sandbox: [],
  signal: [],
  threads: [],
};

export function installSandbox(core: Registrar): void {
  let closed = false;
  core.cfun(
    "sandbox",
    0,
    Number.POSITIVE_INFINITY,
    "(sandbox & forbidden-capabilities)",
    "Takes capabilities away from this engine for good: :all, :env, :exit, :fs, :fs-read, :fs-write, :net, :subprocess and others.",
    (names, vm) => {
      if (closed) panic("operation forbidden by sandbox");
      const capabilities = Object.create(vm.host.capabilities) as Capabilities;
      for (const name of names) {
        const gone = name instanceof Kw && Object.hasOwn(taken, name.name) ? taken[name.name] : undefined;
        if (gone === undefined) return panic(`unknown capability ${show(name)}`);
        for (const capability of gone) Object.defineProperty(capabilities, capability, { value: undefined });
        if (name instanceof Kw && (name.name === "sandbox" || name.name === "all")) closed = true;
      }
      vm.host = Object.assign(Object.create(vm.host) as typeof vm.host, { capabilities });
      return null;
    },
  );
}
