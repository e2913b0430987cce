import type { Readable, Writable } from "node:stream";
import { Abstract, type AbstractType } from "../../values/abstract.ts";
import { fromArray, toArray } from "../../values/bytes.ts";
import type { Call } from "../../values/functions.ts";
import { Kw } from "../../values/names.ts";
import type { Value } from "../../values/value.ts";
import { JanetError, panic } from "../../vm/janet-error.ts";
import type { Signal } from "../../vm/signal.ts";
import { badSlot } from "../arguments.ts";
import { millisOf } from "../ev/wait.ts";
import { reason } from "./access.ts";
import { nextMethod } from "./file.ts";

/**
 * What `core/stream` values hold: a socket, an end of a pipe, a program's input or output, or a listening server. What comes is
 * paused while nobody reads.
 */
export class JStream {
  readonly readable: Readable | null;
  readonly writable: Writable | null;
  /** Names of the extra methods that it has, such as `accept`. */
  readonly methods: ReadonlyMap<string, Value>;
  /** Bytes that came and were not read. */
  private ahead = "";
  private ended = false;
  private failure: Error | null = null;
  private listener: (() => void) | null = null;
  closed = false;
  onClose: () => void = () => {};
  /** What a server or a socket needs beside its bytes. */
  readonly origin: unknown;

  constructor(
    readable: Readable | null,
    writable: Writable | null,
    methods: ReadonlyMap<string, Value>,
    origin: unknown = null,
  ) {
    this.readable = readable;
    this.writable = writable;
    this.methods = methods;
    this.origin = origin;
    readable?.on("readable", () => this.listener?.());
    readable?.on("end", () => {
      this.ended = true;
      this.listener?.();
    });
    readable?.on("close", () => {
      this.ended = true;
      this.listener?.();
    });
    const fail = (error: Error) => {
      this.failure = error;
      this.ended = true;
      this.listener?.();
    };
    readable?.on("error", fail);
    if ((writable as unknown) !== readable) writable?.on("error", fail);
  }

  /** Up to `count` bytes as soon as some are there, or exactly so many (`whole`) unless the end comes first; "" at the end. */
  *read(count: number, whole: boolean, seconds: number | null): Generator<Signal, string, Value> {
    if (this.closed || !this.readable) panic("stream is closed");
    while (this.pull() < (whole ? count : 1) && !this.ended) yield* this.change(seconds);
    if (this.failure && this.ahead === "") panic(reason(this.failure));
    const got = this.ahead.slice(0, count);
    this.ahead = this.ahead.slice(got.length);
    return got;
  }

  /** Takes what has come. @returns how many bytes are there */
  private pull(): number {
    for (;;) {
      const chunk = this.ended && this.closed ? null : (this.readable?.read() as Uint8Array | null);
      if (chunk === null) return this.ahead.length;
      this.ahead += fromArray(chunk);
    }
  }

  private *change(seconds: number | null): Call {
    if (this.listener) panic("a task is already reading from this stream");
    return yield {
      kind: "wait",
      begin: (resolve, reject) => {
        let timer: NodeJS.Timeout | undefined;
        const stop = () => {
          clearTimeout(timer);
          this.listener = null;
        };
        this.listener = () => {
          stop();
          resolve(null);
        };
        if (seconds !== null) {
          timer = setTimeout(() => {
            stop();
            reject(new JanetError("timeout"));
          }, millisOf(seconds));
        }
        return stop;
      },
    };
  }

  /** Writes and waits until the bytes have left this process. */
  *write(bytes: string, seconds: number | null): Call {
    const { writable } = this;
    if (this.closed || !writable) panic("stream is closed");
    return yield {
      kind: "wait",
      begin(resolve, reject) {
        let timer: NodeJS.Timeout | undefined;
        if (seconds !== null) timer = setTimeout(() => reject(new JanetError("timeout")), millisOf(seconds));
        writable.write(toArray(bytes), (error) => {
          clearTimeout(timer);
          if (error) reject(new JanetError(reason(error)));
          else resolve(null);
        });
        return () => clearTimeout(timer);
      },
    };
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.ended = true;
    this.writable?.end();
    if (!this.writable || (this.writable as unknown) === this.readable) this.readable?.destroy();
    this.onClose();
    this.listener?.();
  }
}

export const streamType: AbstractType<JStream> = {
  name: "core/stream",
  get: (stream, key) => (key instanceof Kw ? stream.methods.get(key.name) : undefined),
  next: (stream, key) => nextMethod(stream.methods, key),
};

export function streamAt(args: readonly Value[], at: number): JStream {
  const value = args[at] ?? null;
  return value instanceof Abstract && value.type === streamType
    ? (value.data as JStream)
    : badSlot(args, at, "core/stream");
}

/** Set by streams.ts: methods by name. */
export const streamMethods = new Map<string, Value>();
