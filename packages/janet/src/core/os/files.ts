import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { show } from "../../print/describe.ts";
import { Abstract } from "../../values/abstract.ts";
import { type Call, Native } from "../../values/functions.ts";
import { Kw, kw } from "../../values/names.ts";
import { JBuffer } from "../../values/sequences.ts";
import type { Value } from "../../values/value.ts";
import { makeFiber } from "../../vm/fibers.ts";
import { JanetError, panic } from "../../vm/janet-error.ts";
import { signals } from "../../vm/signal.ts";
import type { Vm } from "../../vm/vm.ts";
import { badSlot, bufferAt, bytesAt, naturalAt, numberAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";
import { codeOf, cstringAt, readable, reason, writable } from "./access.ts";
import { fileAt, fileMethods, fileType, type JFile, OpenFile, StandardFile } from "./file.ts";
import { keepOpen } from "./open.ts";

/** `file/*`, `stdin`, `stdout`, `stderr`, `slurp`, `spit`, `getline`. */
export function install(core: Registrar): void {
  core.value("stdin", new Abstract<JFile>(fileType, new StandardFile(0)), "The standard input.");
  core.value("stdout", new Abstract<JFile>(fileType, new StandardFile(1)), "The standard output.");
  core.value("stderr", new Abstract<JFile>(fileType, new StandardFile(2)), "The standard error output.");
  core.cfun(
    "file/open",
    1,
    3,
    "(file/open path &opt mode buffer-size)",
    "Opens a file in a mode such as :r, :wb or :a+; nil when it cannot be opened, or an error with flag n.",
    (args, vm) => {
      const path = cstringAt(args, 0);
      const mode = modeAt(args, 1);
      try {
        return open(vm, path, mode);
      } catch (error) {
        if (error instanceof JanetError && codeOf(error) === "") throw error;
        return mode.raises ? panic(`failed to open file ${path}: ${reason(error)}`) : null;
      }
    },
  );
  core.cfun(
    "file/temp",
    0,
    0,
    "(file/temp)",
    "Opens a new file for reading and writing that nobody else sees.",
    (_, vm) => {
      writable(vm, join(tmpdir(), "janet"));
      const directory = mkdtempSync(join(tmpdir(), "janet-"));
      const file = opened(vm, join(directory, "temp"), "w+");
      rmSync(directory, { recursive: true });
      return file;
    },
  );
  core.cgen(
    "file/read",
    2,
    3,
    "(file/read f what &opt buf)",
    "Reads :all, a :line or this many bytes into a buffer; nil at the end of the file.",
    read,
  );
  core.cfun(
    "file/write",
    1,
    Infinity,
    "(file/write f & bytes)",
    "Writes bytes to a file; gives the file.",
    (args, vm) => {
      const file = fileAt(args, 0);
      for (let at = 1; at < args.length; at++) bytesAt(args, at);
      for (let at = 1; at < args.length; at++) file.write(bytesAt(args, at), vm);
      return args[0] as Value;
    },
  );
  core.cfun(
    "file/flush",
    1,
    1,
    "(file/flush f)",
    "Sees that all written bytes have left; gives the file.",
    (args) => {
      fileAt(args, 0).flush();
      return args[0] as Value;
    },
  );
  core.cfun("file/close", 1, 1, "(file/close f)", "Closes a file.", (args) => {
    fileAt(args, 0).close();
    return null;
  });
  core.cfun(
    "file/seek",
    2,
    3,
    "(file/seek f &opt whence n)",
    "Goes to a place in a file, counted from :cur, :set (its beginning) or :end; gives the file.",
    (args) => {
      const file = fileAt(args, 0);
      const whence = args[1] ?? null;
      if (!(whence instanceof Kw)) return badSlot(args, 1, "keyword");
      const { name } = whence;
      if (name !== "cur" && name !== "set" && name !== "end")
        return panic(`expected one of :cur, :set, :end, got ${show(whence)}`);
      file.seek((args[2] ?? null) === null ? 0 : offsetAt(args, 2), name);
      return args[0] as Value;
    },
  );
  core.cfun("file/tell", 1, 1, "(file/tell f)", "The place in a file, in bytes from its beginning.", (args) =>
    fileAt(args, 0).tell(),
  );
  core.fun(
    "file/lines",
    1,
    1,
    "(file/lines file)",
    "A fiber that gives the lines of a file one by one.",
    (args, vm) => {
      const file = args[0] ?? null;
      const lines = new Native("function", "lines", 0, 0, null, function* (_none, running): Call {
        for (;;) {
          const line = yield* read([file, kw("line")], running);
          if (line === null) return null;
          yield { kind: "raise", signal: signals.yield, value: line, from: running.fiber };
        }
      });
      return makeFiber(vm, lines, 1 << signals.yield, vm.fiber?.env ?? null);
    },
  );
  for (const method of ["read", "write", "close", "flush", "seek", "tell"])
    fileMethods.set(method, core.find(`file/${method}`));

  core.gen("slurp", 1, 1, "(slurp path)", "All bytes of a file in a buffer.", function* (args, vm) {
    const path = cstringAt(args, 0);
    const file = tryOpen(vm, path, "r");
    if (!file) panic(`could not open file ${path}`);
    try {
      return JBuffer.of(yield* file.read(vm, Number.POSITIVE_INFINITY));
    } finally {
      file.close();
    }
  });
  core.fun(
    "spit",
    2,
    3,
    "(spit path contents &opt mode)",
    "Writes bytes to a file, which is made or emptied before unless the mode is another, such as :a.",
    (args, vm) => {
      const path = cstringAt(args, 0);
      const mode = (args[2] ?? null) === null ? { flags: "w", raises: false } : modeAt(args, 2);
      const contents = bytesAt([args[0] ?? null, args[1] ?? null], 1);
      const file = tryOpen(vm, path, mode.flags);
      if (!file) panic(`could not open file ${path} with mode ${show(args[2] ?? kw("wb")).slice(1)}`);
      try {
        file.write(contents);
      } finally {
        file.close();
      }
      return null;
    },
  );
  core.cgen(
    "getline",
    0,
    3,
    "(getline &opt prompt buf env)",
    "Shows a prompt and reads a line from the standard input into a buffer; an empty one at the end of the input.",
    function* (args, vm) {
      const buffer = (args[1] ?? null) === null ? new JBuffer() : bufferAt(args, 1);
      if ((args[0] ?? null) !== null) vm.host.stdout(cstringAt(args, 0));
      const input = (core.find("stdin") as Abstract<JFile>).data;
      buffer.length = 0;
      buffer.pushString(yield* input.readLine(vm));
      return buffer;
    },
  );
}

function* read(args: Value[], vm: Vm): Call {
  const file = fileAt(args, 0);
  const what = args[1] ?? null;
  const buffer = (args[2] ?? null) === null ? new JBuffer() : bufferAt(args, 2);
  let got: string;
  if (!(what instanceof Kw)) got = yield* file.read(vm, naturalAt(args, 1));
  else if (what.name === "line") got = yield* file.readLine(vm);
  else if (what.name === "all") {
    buffer.pushString(yield* file.read(vm, Number.POSITIVE_INFINITY));
    return buffer;
  } else return panic(`expected one of :all, :line, got ${show(what)}`);
  if (got === "") return null;
  buffer.pushString(got);
  return buffer;
}

function offsetAt(args: readonly Value[], at: number): number {
  const offset = numberAt(args, at);
  return Number.isSafeInteger(offset) ? offset : badSlot(args, at, "64 bit signed integer");
}

interface Mode {
  /** As `fs.open` takes them. */
  flags: string;
  raises: boolean;
}

function modeAt(args: readonly Value[], at: number): Mode {
  const value = args[at] ?? null;
  if (value === null) return { flags: "r", raises: false };
  if (!(value instanceof Kw)) return badSlot(args, at, "keyword");
  const mode = value.name;
  if (mode.length < 1 || mode.length > 10) panic("file mode must have a length between 1 and 10");
  const kind = mode[0] as string;
  if (!"rwa".includes(kind)) panic(`invalid flag ${kind}, expected w, a, or r`);
  for (const flag of mode.slice(1))
    if (!"+bn".includes(flag)) panic(`invalid flag ${flag}, expected +, b, or n`);
  return { flags: mode.includes("+") ? `${kind}+` : kind, raises: mode.includes("n") };
}

/** @throws Error of the system when it cannot be opened, JanetError when it is not allowed */
function open(vm: Vm, path: string, mode: Mode): Value {
  return opened(vm, allowed(vm, path, mode.flags), mode.flags);
}

function opened(vm: Vm, absolute: string, flags: string): Value {
  const file: OpenFile = new OpenFile(absolute, flags, () => release());
  const release = keepOpen(vm, () => file.close());
  return new Abstract<JFile>(fileType, file);
}

function tryOpen(vm: Vm, path: string, flags: string): OpenFile | null {
  const absolute = allowed(vm, path, flags);
  try {
    return new OpenFile(absolute, flags);
  } catch (error) {
    if (error instanceof JanetError) throw error;
    return null;
  }
}

function allowed(vm: Vm, path: string, flags: string): string {
  if (flags === "r") return readable(vm, path);
  if (flags.includes("+")) readable(vm, path);
  return writable(vm, path);
}
