import { PassThrough } from "node:stream";
import { Abstract } from "../../values/abstract.ts";
import type { Call } from "../../values/functions.ts";
import { Kw } from "../../values/names.ts";
import { JBuffer, Tuple } from "../../values/sequences.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import { badSlot, bufferAt, bytesAt, naturalAt, numberAt } from "../arguments.ts";
import { closeChannel, isChannel } from "../ev/channel.ts";
import type { Registrar } from "../registrar.ts";
import { JStream, streamAt, streamMethods, streamType } from "./stream.ts";

/** `ev/read`, `ev/write`, `ev/chunk`, `ev/close`, `os/pipe`. */
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

/** A time limit in seconds; null when the argument is absent. */
export function secondsAt(args: readonly Value[], at: number): number | null {
  if ((args[at] ?? null) === null) return null;
  const seconds = numberAt(args, at);
  return seconds >= 0 ? seconds : badSlot(args, at, "non-negative number");
}
