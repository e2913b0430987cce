import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { isatty } from "node:tty";
import { toBytes, toText } from "../../values/bytes.ts";
import { kw } from "../../values/names.ts";
import { JBuffer } from "../../values/sequences.ts";
import { tableOf } from "../../values/tables.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Vm } from "../../vm/vm.ts";
import { bufferAt, naturalAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";
import { cstringAt, denied } from "./access.ts";
import { fileAt } from "./file.ts";

/** What the machine is, the environment, `os/exit`. */
export function install(core: Registrar): void {
  core.cfun("os/which", 0, 1, "(os/which &opt test)", "The operating system as a keyword.", () =>
    kw(platform()),
  );
  core.cfun("os/arch", 0, 0, "(os/arch)", "The processor's architecture as a keyword.", () =>
    kw(architecture()),
  );
  core.cfun(
    "os/compiler",
    0,
    0,
    "(os/compiler)",
    "What the engine was built with; here always :unknown.",
    () => kw("unknown"),
  );
  core.cfun("os/cpu-count", 0, 1, "(os/cpu-count &opt dflt)", "How many processors there are.", () =>
    availableParallelism(),
  );
  core.cfun(
    "os/cryptorand",
    1,
    2,
    "(os/cryptorand n &opt buf)",
    "A buffer of n random bytes from the system's source; they are added to `buf` when it is given.",
    (args) => {
      const count = naturalAt(args, 0);
      const buffer = (args[1] ?? null) === null ? new JBuffer(count) : bufferAt(args, 1);
      buffer.pushBytes(randomBytes(count));
      return buffer;
    },
  );
  core.cfun(
    "os/isatty",
    0,
    1,
    "(os/isatty &opt file)",
    "Whether a file, standard output unless given, is a terminal.",
    (args) => isatty((args[0] ?? null) === null ? 1 : fileAt(args, 0).number()),
  );
  core.cfun(
    "os/setlocale",
    0,
    2,
    "(os/setlocale &opt locale category)",
    "The locale, which is always C; nil when another is asked for.",
    (args) => {
      const wanted = (args[0] ?? null) === null ? "" : cstringAt(args, 0);
      return ["", "C", "POSIX"].includes(wanted) ? "C" : null;
    },
  );
  core.cfun("os/getpid", 0, 0, "(os/getpid)", "The number of this process.", () => process.pid);
  core.cfun(
    "os/getenv",
    1,
    2,
    "(os/getenv variable &opt dflt)",
    "The value of an environment variable, or `dflt`.",
    (args, vm) => {
      const name = toText(cstringAt(args, 0));
      environment(vm, name);
      const value = variables(vm)[name];
      return value === undefined ? (args[1] ?? null) : toBytes(value);
    },
  );
  core.cfun(
    "os/setenv",
    1,
    2,
    "(os/setenv variable value)",
    "Sets an environment variable for this engine and the programs it starts; nil removes it.",
    (args, vm) => {
      const name = toText(cstringAt(args, 0));
      environment(vm, name);
      if ((args[1] ?? null) === null) delete variables(vm)[name];
      else variables(vm)[name] = toText(cstringAt(args, 1));
      return null;
    },
  );
  core.cfun("os/environ", 0, 0, "(os/environ)", "All environment variables as a table.", (_args, vm) => {
    environment(vm, null);
    return tableOf(
      Object.entries(variables(vm)).map(([name, value]) => [toBytes(name), toBytes(value ?? "")]),
    );
  });
  core.cfun(
    "os/exit",
    0,
    2,
    "(os/exit &opt x force)",
    "Ends the program with this status: 0 unless given; any value that is not a number counts as 1.",
    (args, vm) => {
      const status = exitStatus(args[0] ?? null);
      if (!vm.host.capabilities.exit) denied("ending the program", "");
      vm.host.capabilities.exit(status);
      return panic("the program has ended");
    },
  );
}

function exitStatus(value: Value): number {
  if (value === null) return 0;
  return typeof value === "number" && Number.isInteger(value) ? value & 0xff : 1;
}

function environment(vm: Vm, name: string | null): void {
  if (!vm.host.capabilities.environment?.(name)) denied("reading the environment", name ?? "");
}

const environments = new WeakMap<Vm, Record<string, string | undefined>>();

/** An engine's own copy of the environment, so that `os/setenv` changes nothing of the process around it. */
export function variables(vm: Vm): Record<string, string | undefined> {
  let found = environments.get(vm);
  if (!found) {
    // Without a prototype, so that no name means more than others.
    found = Object.assign(Object.create(null) as NodeJS.ProcessEnv, process.env);
    environments.set(vm, found);
  }
  return found;
}

function platform(): string {
  if (process.platform === "darwin") return "macos";
  if (process.platform === "win32") return "windows";
  return ["linux", "freebsd", "openbsd", "netbsd"].includes(process.platform) ? process.platform : "posix";
}

function architecture(): string {
  const names: Record<string, string> = { x64: "x64", ia32: "x86", arm64: "aarch64", arm: "arm" };
  return names[process.arch] ?? process.arch;
}
