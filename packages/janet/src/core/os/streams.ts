import { constants, createReadStream, createWriteStream, openSync } from "node:fs";
import { PassThrough, Readable, Writable } from "node:stream";
import { Abstract } from "../../values/abstract.ts";
import { fromArray, toArray } from "../../values/bytes.ts";
import type { Call } from "../../values/functions.ts";
import { Kw } from "../../values/names.ts";
import { JBuffer, Tuple } from "../../values/sequences.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Vm } from "../../vm/vm.ts";
import { badSlot, bufferAt, bytesAt, naturalAt, numberAt } from "../arguments.ts";
import { closeChannel, isChannel } from "../ev/channel.ts";
import type { Registrar } from "../registrar.ts";
import { attempt, cstringAt, readable, writable } from "./access.ts";
import { fileAt, OpenFile } from "./file.ts";
import { keepOpen } from "./open.ts";
import { modeAt } from "./permissions.ts";
import { JStream, streamAt, streamMethods, streamType } from "./stream.ts";

/** `ev/read`, `ev/write`, `ev/chunk`, `ev/close`, `ev/to-stream`, `os/pipe`, `os/open`. */
export function install(core: Registrar): void {
  core.cgen(
    "ev/read",
    2,
    4,
    "(ev/read stream n &opt buffer timeout)",
    "Reads up to n bytes, or :all, as soon as there are some; nil at the end.",
    (args) => read(args, false),
  );
  core.cgen(
    "ev/chunk",
    2,
    4,
    "(ev/chunk stream n &opt buffer timeout)",
    "Reads exactly n bytes unless the end comes before; nil at the end.",
    (args) => read(args, true),
  );
  core.cgen(
    "ev/write",
    2,
    3,
    "(ev/write stream data &opt timeout)",
    "Writes bytes and waits until they have left.",
    write,
  );
  core.cfun("ev/close", 1, 1, "(ev/close stream)", "Closes a stream or a channel.", (args) => {
    const value = args[0] ?? null;
    if (isChannel(value)) closeChannel(value.data);
    else streamAt(args, 0).close();
    return null;
  });
  core.cfun(
    "os/pipe",
    0,
    1,
    "(os/pipe &opt flags)",
    "Two streams: what is written to the second can be read from the first.",
    () => {
      const pipe = new PassThrough();
      return new Tuple([
        new Abstract(streamType, new JStream(pipe, null, streamMethods)),
        new Abstract(streamType, new JStream(null, pipe, streamMethods)),
      ]);
    },
  );
  core.cfun(
    "os/open",
    1,
    3,
    "(os/open path &opt flags mode)",
    "Opens a file as a stream. Flags: r reads, w writes, c makes it, e only if it is new, t empties it, a adds at its end.",
    (args, vm) => {
      const flags = (args[1] ?? null) === null ? "r" : bytesAt(args, 1);
      const mode = (args[2] ?? null) === null ? 0o666 : modeAt(args, 2);
      const path = cstringAt(args, 0);
      const writes = flags.includes("w");
      const reads = !writes || flags.includes("r");
      if (reads) readable(vm, path);
      const target = writes ? writable(vm, path) : readable(vm, path);
      const open = (each: string) => attempt(path, () => openSync(target, openFlags(each), mode));
      const writer = writes ? createWriteStream("", { fd: open(flags) }) : null;
      const reader = reads ? createReadStream("", { fd: open("r") }) : null;
      return streamOf(vm, reader, writer);
    },
  );
  core.cfun(
    "ev/to-stream",
    1,
    1,
    "(ev/to-stream file)",
    "A file as a stream; the file stays open.",
    (args, vm) => {
      const file = fileAt(args, 0);
      if (!(file instanceof OpenFile)) return standardStream(vm, file.number());
      return streamOf(vm, ...file.streams());
    },
  );
  for (const method of ["read", "write", "chunk", "close"])
    streamMethods.set(method, core.find(`ev/${method}`));
}

export function* read(args: readonly Value[], whole: boolean): Call {
  const stream = streamAt(args, 0);
  const amount = args[1] ?? null;
  const all = amount instanceof Kw;
  if (all && amount.name !== "all") panic("expected :all");
  const count = all ? Number.POSITIVE_INFINITY : naturalAt(args, 1);
  const buffer = (args[2] ?? null) === null ? new JBuffer() : bufferAt(args, 2);
  const got = yield* stream.read(count, whole || all, secondsAt(args, 3));
  if (got === "" && count > 0) return null;
  buffer.pushString(got);
  return buffer;
}

export function* write(args: readonly Value[]): Call {
  const stream = streamAt(args, 0);
  return yield* stream.write(bytesAt(args, 1), secondsAt(args, 2));
}

function openFlags(flags: string): number {
  const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_TRUNC, O_APPEND } = constants;
  let bits = flags.includes("w") ? O_WRONLY : O_RDONLY;
  for (const [flag, bit] of Object.entries({ c: O_CREAT, e: O_EXCL, t: O_TRUNC, a: O_APPEND }))
    if (flags.includes(flag)) bits |= bit;
  return bits;
}

function streamOf(vm: Vm, reader: Readable | null, writer: Writable | null): Value {
  const stream = new JStream(reader, writer, streamMethods);
  const release = keepOpen(vm, () => stream.close());
  stream.onClose = () => {
    release();
    reader?.destroy();
  };
  return new Abstract(streamType, stream);
}

/** A standard stream of the host. */
function standardStream({ host }: Vm, fd: number): Value {
  if (fd > 0) {
    const write = (chunk: Uint8Array) =>
      fd === 1 ? host.stdout(fromArray(chunk)) : host.stderr(fromArray(chunk));
    const writable = new Writable({
      write(chunk, _encoding, done) {
        write(chunk);
        done();
      },
    });
    return new Abstract(streamType, new JStream(null, writable, streamMethods));
  }
  const readable = new Readable({
    read() {
      const line = host.readLine?.() ?? Promise.resolve(null);
      line.then((bytes) => this.push(bytes === null ? null : toArray(bytes)));
    },
  });
  return new Abstract(streamType, new JStream(readable, null, streamMethods));
}

/** A time limit in seconds; null when the argument is absent. */
export function secondsAt(args: readonly Value[], at: number): number | null {
  if ((args[at] ?? null) === null) return null;
  const seconds = numberAt(args, at);
  return seconds >= 0 ? seconds : badSlot(args, at, "non-negative number");
}
