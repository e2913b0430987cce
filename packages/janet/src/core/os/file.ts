import * as fs from "node:fs";
import type { Readable, Writable } from "node:stream";
import { Abstract, type AbstractType } from "../../values/abstract.ts";
import { fromArray, toArray, toBytes } from "../../values/bytes.ts";
import { Kw, kw } from "../../values/names.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Signal } from "../../vm/signal.ts";
import type { Vm } from "../../vm/vm.ts";
import { badSlot } from "../arguments.ts";

/** What `core/file` values hold. Bytes are Janet strings. Reading may wait, for a person at a keyboard. */
export interface JFile {
  /** The next `count` bytes, fewer at the end; "" at the end. */
  read(vm: Vm, count: number): Generator<Signal, string, Value>;
  /** The next line with its newline; "" at the end. */
  readLine(vm: Vm): Generator<Signal, string, Value>;
  write(bytes: string, vm: Vm): void;
  flush(): void;
  close(): void;
  seek(offset: number, from: "set" | "cur" | "end"): void;
  tell(): number;
  /** The number that the operating system knows it by. */
  number(): number;
}

const blockSize = 16_384;

/** A file on disk or a device. One block is read ahead. */
export class OpenFile implements JFile {
  private readonly fd: number;
  private readonly path: string;
  private readonly reads: boolean;
  private readonly writes: boolean;
  private readonly appends: boolean;
  /** Pipes and devices have no positions. */
  private readonly seekable: boolean;
  private position = 0;
  private ahead = "";
  private open = true;
  private readonly onClose: () => void;

  /** `flags`: those of `fs.open`. */
  constructor(path: string, flags: string, onClose: () => void = () => {}) {
    this.fd = fs.openSync(path, flags, 0o666);
    this.path = path;
    const stat = fs.fstatSync(this.fd);
    if (stat.isDirectory()) {
      fs.closeSync(this.fd);
      panic(`cannot open directory: ${toBytes(path)}`);
    }
    this.seekable = stat.isFile();
    this.reads = flags.startsWith("r") || flags.includes("+");
    this.writes = flags !== "r";
    this.appends = flags.startsWith("a");
    this.onClose = onClose;
  }

  // biome-ignore lint/correctness/useYield: the standard input waits, a file on disk does not
  *read(_vm: Vm, count: number): Generator<never, string, Value> {
    this.must(this.reads, "file is not readable");
    const parts = [this.ahead];
    let got = this.ahead.length;
    while (got < count) {
      const block = this.block();
      if (block === "") break;
      parts.push(block);
      got += block.length;
    }
    const all = parts.join("");
    this.ahead = all.slice(count);
    return all.slice(0, count);
  }

  // biome-ignore lint/correctness/useYield: the standard input waits, a file on disk does not
  *readLine(_vm: Vm): Generator<never, string, Value> {
    this.must(this.reads, "file is not readable");
    const parts: string[] = [];
    for (let block = this.ahead || this.block(); block !== ""; block = this.block()) {
      const end = block.indexOf("\n") + 1;
      if (end > 0) {
        parts.push(block.slice(0, end));
        this.ahead = block.slice(end);
        return parts.join("");
      }
      parts.push(block);
      this.ahead = "";
    }
    return parts.join("");
  }

  private block(): string {
    const bytes = new Uint8Array(blockSize);
    let got = 0;
    try {
      got = fs.readSync(this.fd, bytes, 0, blockSize, this.seekable ? this.position : null);
    } catch {
      return "";
    }
    this.position += got;
    return fromArray(bytes.subarray(0, got));
  }

  write(bytes: string): void {
    this.must(this.writes, "file is not writeable");
    this.position -= this.ahead.length;
    this.ahead = "";
    const array = toArray(bytes);
    for (let at = 0; at < array.length; ) {
      const where = this.seekable && !this.appends ? this.position : null;
      const written = fs.writeSync(this.fd, array, at, array.length - at, where);
      at += written;
      this.position += written;
    }
    if (this.appends && this.seekable) this.position = fs.fstatSync(this.fd).size;
  }

  flush(): void {
    this.must(this.writes, "file is not writeable");
  }

  close(): void {
    if (!this.open) return;
    this.open = false;
    fs.closeSync(this.fd);
    this.onClose();
  }

  seek(offset: number, from: "set" | "cur" | "end"): void {
    this.must(this.seekable, "error seeking file");
    const base = { set: 0, cur: this.tell(), end: fs.fstatSync(this.fd).size }[from];
    if (base + offset < 0) panic("error seeking file");
    this.ahead = "";
    this.position = base + offset;
  }

  tell(): number {
    this.must(this.seekable, "error getting position in file");
    return this.position - this.ahead.length;
  }

  number(): number {
    this.must(true, "");
    return this.fd;
  }

  /** The file once more, as streams that begin where it stands. */
  streams(): [Readable | null, Writable | null] {
    this.must(true, "");
    const start = this.seekable ? this.tell() : undefined;
    return [
      this.reads ? fs.createReadStream(this.path, { start }) : null,
      this.writes ? fs.createWriteStream(this.path, { flags: this.appends ? "a" : "r+", start }) : null,
    ];
  }

  private must(able: boolean, words: string): void {
    if (!this.open) panic("file is closed");
    if (!able) panic(words);
  }
}

/** Standard input, output and error: what the host gives as such. */
export class StandardFile implements JFile {
  private readonly fd: 0 | 1 | 2;
  /** What an engine has read ahead. */
  private readonly states = new WeakMap<Vm, { ahead: string; ended: boolean }>();
  constructor(fd: 0 | 1 | 2) {
    this.fd = fd;
  }

  private state(vm: Vm): { ahead: string; ended: boolean } {
    let state = this.states.get(vm);
    if (!state) {
      state = { ahead: "", ended: false };
      this.states.set(vm, state);
    }
    return state;
  }

  *read(vm: Vm, count: number): Generator<Signal, string, Value> {
    const state = this.state(vm);
    while (state.ahead.length < count && (yield* this.more(vm)));
    const got = state.ahead.slice(0, count);
    state.ahead = state.ahead.slice(count);
    return got;
  }

  *readLine(vm: Vm): Generator<Signal, string, Value> {
    const state = this.state(vm);
    while (!state.ahead.includes("\n") && (yield* this.more(vm)));
    const end = state.ahead.indexOf("\n") + 1 || state.ahead.length;
    const got = state.ahead.slice(0, end);
    state.ahead = state.ahead.slice(end);
    return got;
  }

  private *more(vm: Vm): Generator<Signal, boolean, Value> {
    if (this.fd !== 0) panic("file is not readable");
    const { host } = vm;
    const state = this.state(vm);
    if (state.ended || !host.readLine) return false;
    const line = (yield {
      kind: "wait",
      begin(resolve, reject) {
        host.readLine?.().then(resolve, reject);
        return undefined;
      },
    }) as string | null;
    if (line === null) state.ended = true;
    else state.ahead += line;
    return !state.ended;
  }

  write(bytes: string, vm: Vm): void {
    if (this.fd === 0) panic("file is not writeable");
    if (this.fd === 1) vm.host.stdout(bytes);
    else vm.host.stderr(bytes);
  }

  flush(): void {
    if (this.fd === 0) panic("file is not writeable");
  }
  close(): void {
    panic("file not closable");
  }
  seek(): void {
    panic("error seeking file");
  }
  tell(): number {
    return panic("error getting position in file");
  }
  number(): number {
    return this.fd;
  }
}

/** Set by files.ts: methods by name, for `(:read file :all)`. */
export const fileMethods = new Map<string, Value>();

export const fileType: AbstractType<JFile> = {
  name: "core/file",
  get: (_file, key) => (key instanceof Kw ? fileMethods.get(key.name) : undefined),
  next: (_file, key) => nextMethod(fileMethods, key),
  write: (file, bytes, vm) => file.write(bytes, vm),
};

/** The name of the method after this one, for programs that list an abstract value's keys. */
export function nextMethod(methods: ReadonlyMap<string, Value>, key: Value): Value {
  const names = [...methods.keys()];
  const name = names[key instanceof Kw ? names.indexOf(key.name) + 1 : 0];
  return name === undefined ? null : kw(name);
}

/** An open file as an argument. */
export function fileAt(args: readonly Value[], at: number): JFile {
  const value = args[at] ?? null;
  return value instanceof Abstract && value.type === fileType
    ? (value.data as JFile)
    : badSlot(args, at, "core/file");
}
