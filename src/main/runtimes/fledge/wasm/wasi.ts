import {
  fstatSync,
  ftruncateSync,
  futimesSync,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  utimesSync,
  writeSync,
} from "node:fs";
import type { WasmMemory } from "./engine.ts";
import { GuestMemory } from "./guest-memory.ts";
import { processCalls, WasiExit } from "./process-calls.ts";
import { errno, errnoOf } from "./wasi-errors.ts";
import { fileType, GuestFiles, listFolder, refuse, statOf } from "./wasi-files.ts";
import { timesOf } from "./wasi-times.ts";
import type { Mount } from "./wire.ts";

const everyRight = 0x1fffffffn;

/**
 * WASI preview 1 for a guest that gets no arguments, no environment and no input, and only what is mounted of the
 * file system.
 */
export class Wasi {
  readonly #files: GuestFiles;
  readonly #memory: GuestMemory;
  readonly #print: (stream: "stdout" | "stderr", bytes: Uint8Array) => void;

  constructor(
    mounts: readonly Mount[],
    memory: () => WasmMemory | undefined,
    print: (stream: "stdout" | "stderr", bytes: Uint8Array) => void,
  ) {
    this.#files = new GuestFiles(mounts);
    this.#memory = new GuestMemory(memory);
    this.#print = print;
  }

  close(): void {
    this.#files.closeAll();
  }

  imports(): Record<string, unknown> {
    const calls: Record<string, (...args: never[]) => unknown> = {
      ...processCalls(this.#memory),
      ...this.#descriptorCalls(),
      ...this.#pathCalls(),
    };
    return Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, guarded(call)]));
  }

  #descriptorCalls() {
    const files = this.#files;
    return {
      fd_advise: (fd: number) => void files.file(fd),
      fd_allocate: () => errno.notsup,
      fd_close: (fd: number) => files.close(fd),
      fd_datasync: (fd: number) => void files.get(fd),
      fd_sync: (fd: number) => void files.get(fd),
      fd_renumber: (from: number, to: number) => files.renumber(from, to),
      fd_fdstat_get: (fd: number, at: number) => this.#fdstat(fd, at),
      fd_fdstat_set_flags: (fd: number, flags: number) => {
        files.file(fd).append = (flags & 1) !== 0;
      },
      fd_fdstat_set_rights: () => errno.success,
      fd_filestat_get: (fd: number, at: number) => {
        const entry = files.get(fd);
        if (entry.kind === "stream") this.#memory.bytes(at, 64).fill(0);
        else
          this.#filestat(
            at,
            entry.kind === "file" ? fstatSync(entry.fd) : (statOf(entry.path) ?? refuse(errno.noent)),
          );
      },
      fd_filestat_set_size: (fd: number, size: bigint) => {
        const file = files.writable(fd);
        files.grow(file, Number(size));
        ftruncateSync(file.fd, Number(size));
      },
      fd_filestat_set_times: (fd: number, atime: bigint, mtime: bigint, flags: number) => {
        const { fd: own } = files.writable(fd);
        const [accessed, modified] = timesOf(fstatSync(own), atime, mtime, flags);
        futimesSync(own, accessed, modified);
      },
      fd_prestat_get: (fd: number, at: number) => {
        const entry = files.get(fd);
        if (entry.kind !== "folder" || !entry.preopened) return errno.badf;
        this.#memory.u32(at, 0);
        this.#memory.u32(at + 4, Buffer.byteLength(entry.mount.name));
        return errno.success;
      },
      fd_prestat_dir_name: (fd: number, at: number, length: number) => {
        const name = Buffer.from(files.folder(fd).mount.name);
        if (length < name.length) return errno.nametoolong;
        this.#memory.bytes(at, name.length).set(name);
        return errno.success;
      },
      fd_read: (fd: number, vectors: number, count: number, at: number) =>
        this.#read(fd, vectors, count, null, at),
      fd_pread: (fd: number, vectors: number, count: number, offset: bigint, at: number) =>
        this.#read(fd, vectors, count, offset, at),
      fd_write: (fd: number, vectors: number, count: number, at: number) =>
        this.#write(fd, vectors, count, null, at),
      fd_pwrite: (fd: number, vectors: number, count: number, offset: bigint, at: number) =>
        this.#write(fd, vectors, count, offset, at),
      fd_readdir: (fd: number, at: number, length: number, cookie: bigint, used: number) =>
        this.#readdir(fd, at, length, cookie, used),
      fd_seek: (fd: number, offset: bigint, whence: number, at: number) => this.#seek(fd, offset, whence, at),
      fd_tell: (fd: number, at: number) => this.#memory.u64(at, files.file(fd).position),
    };
  }

  #pathCalls() {
    const files = this.#files;
    const changed = (fd: number, at: number, length: number, follow = false) => {
      const place = files.resolve(fd, this.#memory.text(at, length), follow);
      return place.mount.writable ? place : refuse(errno.rofs);
    };
    return {
      path_create_directory: (fd: number, at: number, length: number) =>
        files.makeFolder(changed(fd, at, length)),
      path_filestat_get: (fd: number, flags: number, at: number, length: number, out: number) => {
        const { path } = files.resolve(fd, this.#memory.text(at, length), (flags & 1) !== 0);
        this.#filestat(out, statOf(path) ?? refuse(errno.noent));
      },
      path_filestat_set_times: (
        fd: number,
        follow: number,
        at: number,
        length: number,
        atime: bigint,
        mtime: bigint,
        flags: number,
      ) => {
        const { path } = changed(fd, at, length, (follow & 1) !== 0);
        const stat = statOf(path) ?? refuse(errno.noent);
        if (stat.isSymbolicLink()) return errno.loop;
        utimesSync(path, ...timesOf(stat, atime, mtime, flags));
        return errno.success;
      },
      path_link: () => errno.notsup,
      path_symlink: () => errno.notsup,
      path_open: (
        fd: number,
        lookup: number,
        at: number,
        length: number,
        open: number,
        rights: bigint,
        _inherit: bigint,
        flags: number,
        out: number,
      ) => {
        const opened = files.open(fd, this.#memory.text(at, length), {
          follow: (lookup & 1) !== 0,
          create: (open & 1) !== 0,
          folder: (open & 2) !== 0,
          exclusive: (open & 4) !== 0,
          truncate: (open & 8) !== 0,
          read: (rights & 2n) !== 0n,
          write: (rights & 64n) !== 0n,
          append: (flags & 1) !== 0,
        });
        this.#memory.u32(out, opened);
      },
      path_readlink: (fd: number, at: number, length: number, buffer: number, size: number, used: number) => {
        const { path } = files.resolve(fd, this.#memory.text(at, length), false);
        const target = Buffer.from(readlinkSync(path)).subarray(0, size);
        this.#memory.bytes(buffer, target.length).set(target);
        this.#memory.u32(used, target.length);
      },
      path_remove_directory: (fd: number, at: number, length: number) =>
        rmdirSync(changed(fd, at, length).path),
      path_rename: (fd: number, at: number, length: number, toFd: number, toAt: number, toLength: number) =>
        renameSync(changed(fd, at, length).path, changed(toFd, toAt, toLength).path),
      path_unlink_file: (fd: number, at: number, length: number) => unlinkSync(changed(fd, at, length).path),
    };
  }

  #read(fd: number, vectors: number, count: number, offset: bigint | null, at: number): number {
    const entry = this.#files.get(fd);
    if (entry.kind === "stream") {
      if (entry.stream !== "stdin") return errno.badf;
      return this.#memory.u32(at, 0);
    }
    const file = this.#files.file(fd);
    let total = 0;
    for (const bytes of this.#memory.vectors(vectors, count)) {
      const done = readSync(
        file.fd,
        bytes,
        0,
        bytes.length,
        (offset ?? file.position) + BigInt(offset === null ? 0 : total),
      );
      total += done;
      if (offset === null) file.position += BigInt(done);
      if (done < bytes.length) break;
    }
    return this.#memory.u32(at, total);
  }

  #write(fd: number, vectors: number, count: number, offset: bigint | null, at: number): number {
    const entry = this.#files.get(fd);
    let total = 0;
    if (entry.kind === "stream") {
      if (entry.stream === "stdin") return errno.badf;
      for (const bytes of this.#memory.vectors(vectors, count)) {
        this.#print(entry.stream, bytes.slice());
        total += bytes.length;
      }
      return this.#memory.u32(at, total);
    }
    const file = this.#files.writable(fd);
    if (file.append && offset === null) file.position = BigInt(fstatSync(file.fd).size);
    for (const bytes of this.#memory.vectors(vectors, count)) {
      const from = offset === null ? file.position : offset + BigInt(total);
      this.#files.grow(file, Number(from) + bytes.length);
      const done = writeSync(file.fd, bytes, 0, bytes.length, Number(from));
      total += done;
      if (offset === null) file.position += BigInt(done);
    }
    return this.#memory.u32(at, total);
  }

  #seek(fd: number, offset: bigint, whence: number, at: number): number {
    const file = this.#files.file(fd);
    const bases = [0n, file.position, whence === 2 ? BigInt(fstatSync(file.fd).size) : 0n];
    const base = bases[whence];
    if (base === undefined || base + offset < 0n) return errno.inval;
    file.position = base + offset;
    return this.#memory.u64(at, file.position);
  }

  #readdir(fd: number, at: number, length: number, cookie: bigint, used: number): void {
    const { path } = this.#files.folder(fd);
    const out = this.#memory.bytes(at, length);
    let filled = 0;
    for (const [index, { name, type }] of listFolder(path).entries()) {
      if (BigInt(index) < cookie || filled >= length) continue;
      const bytes = Buffer.from(name);
      const record = Buffer.alloc(24 + bytes.length);
      record.writeBigUInt64LE(BigInt(index + 1), 0);
      record.writeUInt32LE(bytes.length, 16);
      record.writeUInt8(type, 20);
      record.set(bytes, 24);
      // The last record may be cut: the guest sees that its buffer is full and calls again with a larger one.
      const part = record.subarray(0, length - filled);
      out.set(part, filled);
      filled += part.length;
    }
    this.#memory.u32(used, filled);
  }

  #fdstat(fd: number, at: number): void {
    const entry = this.#files.get(fd);
    const view = this.#memory.view(at, 24);
    view.setUint8(0, entry.kind === "stream" ? 2 : entry.kind === "folder" ? 3 : 4);
    view.setUint8(1, 0);
    view.setUint16(2, entry.kind === "file" && entry.append ? 1 : 0, true);
    view.setUint32(4, 0, true);
    view.setBigUint64(8, everyRight, true);
    view.setBigUint64(16, everyRight, true);
  }

  #filestat(at: number, stat: Stats): void {
    const view = this.#memory.view(at, 64);
    const nanoseconds = (ms: number) => BigInt(Math.round(ms)) * 1_000_000n;
    view.setBigUint64(0, 1n, true);
    view.setBigUint64(8, BigInt(stat.ino), true);
    view.setBigUint64(16, BigInt(fileType(stat)), true);
    view.setBigUint64(24, BigInt(stat.nlink), true);
    view.setBigUint64(32, BigInt(stat.size), true);
    view.setBigUint64(40, nanoseconds(stat.atimeMs), true);
    view.setBigUint64(48, nanoseconds(stat.mtimeMs), true);
    view.setBigUint64(56, nanoseconds(stat.ctimeMs), true);
  }
}

/**
 * Wraps a WASI call so that it always returns an error number, whatever it throws. Only {@link WasiExit} is thrown on.
 */
function guarded(call: (...args: never[]) => unknown): (...args: never[]) => number {
  return (...args) => {
    try {
      const answer = call(...args);
      return typeof answer === "number" ? answer : errno.success;
    } catch (error) {
      if (error instanceof WasiExit) throw error;
      return errnoOf(error);
    }
  };
}
