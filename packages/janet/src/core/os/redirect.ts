import type { ChildProcess } from "node:child_process";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { show } from "../../print/describe.ts";
import { Abstract } from "../../values/abstract.ts";
import { fromArray } from "../../values/bytes.ts";
import { Kw } from "../../values/names.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Vm } from "../../vm/vm.ts";
import { fileType, type JFile, StandardFile } from "./file.ts";
import { JStream, streamMethods, streamType } from "./stream.ts";

export type Slot = "in" | "out" | "err";
const slots = ["in", "out", "err"] as const;

/** Where a standard stream of a program leads. */
type End =
  | { kind: "fd"; fd: "ignore" | "inherit" | number }
  /** The Janet program holds the other end. */
  | { kind: "held" }
  | { kind: "stream"; stream: JStream }
  /** The host's own output. */
  | { kind: "host"; fd: 1 | 2 }
  /** What is said as an error goes where the output goes. */
  | { kind: "as-out" };

/** The standard streams of a program as `os/spawn` is told of them. */
export class Redirections {
  private readonly ends: Record<Slot, End>;
  private readonly vm: Vm;

  /** @throws JanetError for what is no end of a stream */
  constructor(given: Record<Slot, Value>, vm: Vm) {
    this.vm = vm;
    this.ends = {
      in: this.end("in", given.in),
      out: this.end("out", given.out),
      err: this.end("err", given.err),
    };
    const { out, err } = this.ends;
    if (err.kind === "as-out" && (out.kind === "fd" || out.kind === "host"))
      this.ends.err = out.kind === "fd" && out.fd === "inherit" ? { kind: "fd", fd: 1 } : out;
  }

  private end(slot: Slot, value: Value): End {
    if (value === null) return this.standard(slot === "in" ? 0 : slot === "out" ? 1 : 2, "inherit");
    if (value instanceof Kw && value.name === "pipe") return { kind: "held" };
    if (value instanceof Kw && value.name === "out" && slot === "err") return { kind: "as-out" };
    if (value instanceof Abstract && value.type === streamType)
      return { kind: "stream", stream: value.data as JStream };
    if (value instanceof Abstract && value.type === fileType) {
      const number = (value.data as JFile).number();
      return value.data instanceof StandardFile ? this.standard(number, number) : { kind: "fd", fd: number };
    }
    return panic(`expected file or stream, got ${show(value)}`);
  }

  /** A standard stream of this process, as far as it is the engine's. */
  private standard(number: number, own: "inherit" | number): End {
    if (this.vm.host.sharesStreams) return { kind: "fd", fd: own };
    return number === 1 || number === 2 ? { kind: "host", fd: number } : { kind: "fd", fd: "ignore" };
  }

  /** As Node's `spawn` takes it. */
  get stdio(): ("pipe" | "ignore" | "inherit" | number)[] {
    return slots.map((slot) => {
      const end = this.ends[slot];
      return end.kind === "fd" ? end.fd : "pipe";
    });
  }

  /** Connects a program that was started. `done`: what it still says has arrived. */
  connect(child: ChildProcess): Record<Slot, Abstract<JStream> | null> & { done: Promise<unknown> } {
    const arriving: Promise<void>[] = [];
    const forward = (from: Readable, write: (chunk: Uint8Array) => void) => {
      from.on("data", write);
      arriving.push(new Promise((resolve) => from.once("close", resolve)));
    };
    const { in: input, out, err } = this.ends;
    child.stdin?.on("error", () => {});
    const held: Record<Slot, Abstract<JStream> | null> = { in: null, out: null, err: null };
    if (input.kind === "held" && child.stdin) held.in = writing(child.stdin);
    else if (input.kind === "stream" && child.stdin) input.stream.readable?.pipe(child.stdin);
    const follow = (from: Readable | null, end: End, slot: Slot): void => {
      if (!from) return;
      if (end.kind === "held") held[slot] = reading(from);
      else if (end.kind === "stream") forward(from, (chunk) => end.stream.writable?.write(chunk));
      else if (end.kind === "host") {
        const { host } = this.vm;
        forward(from, (chunk) =>
          end.fd === 1 ? host.stdout(fromArray(chunk)) : host.stderr(fromArray(chunk)),
        );
      }
    };
    if (err.kind === "as-out" && out.kind === "held" && child.stdout && child.stderr)
      held.out = reading(merged(child.stdout, child.stderr));
    else {
      follow(child.stdout, out, "out");
      follow(child.stderr, err.kind === "as-out" ? out : err, "err");
    }
    return { ...held, done: Promise.all(arriving) };
  }
}

function reading(from: Readable): Abstract<JStream> {
  return new Abstract(streamType, new JStream(from, null, streamMethods));
}
function writing(to: Writable): Abstract<JStream> {
  return new Abstract(streamType, new JStream(null, to, streamMethods));
}

/** Both in one, which ends with the later. */
function merged(one: Readable, other: Readable): Readable {
  const both = new PassThrough();
  let left = 2;
  for (const each of [one, other]) {
    each.pipe(both, { end: false });
    each.once("end", () => {
      if (--left === 0) both.end();
    });
  }
  return both;
}
