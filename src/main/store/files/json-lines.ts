import { type FileHandle, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { z } from "zod";
import { PatchbayError, type Problem } from "../../../contract/errors.ts";
import { SerialQueue } from "../../base/serial-queue.ts";
import type { Log } from "../storage.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER, readError, systemCode, writeError } from "./files.ts";

export interface JsonLinesOptions {
  /** Path of the older half, for logs that use `turnOver`. */
  olderPath?: string | undefined;
  /** Called for a last line that was cut short, and for lines that cannot be read (STATE_FILE_DAMAGED). */
  onNotice?(problem: Problem): void;
  /** Called before each write; when it throws, the write is refused with that error. */
  beforeWrite?(): void;
}

/**
 * Opens an append-only file, one JSON value a line; the file is read or made only when the log is used. Positions are
 * in bytes.
 */
export function openJsonLines<T>(path: string, schema: z.ZodType<T>, options: JsonLinesOptions = {}): Log<T> {
  return new OpenJsonLines(path, schema, options);
}

class OpenJsonLines<T> implements Log<T> {
  readonly #path: string;
  readonly #olderPath: string | undefined;
  readonly #schema: z.ZodType<T>;
  readonly #onNotice: (problem: Problem) => void;
  readonly #beforeWrite: () => void;
  readonly #queue = new SerialQueue();
  #file: FileHandle | undefined;
  #mended = false;
  #reported = false;
  #closed = false;

  constructor(path: string, schema: z.ZodType<T>, options: JsonLinesOptions) {
    this.#path = path;
    this.#olderPath = options.olderPath;
    this.#schema = schema;
    this.#onNotice = options.onNotice ?? (() => {});
    this.#beforeWrite = options.beforeWrite ?? (() => {});
  }

  append(...entries: T[]): Promise<void> {
    if (this.#closed) return Promise.reject(this.#closedError());
    const lines = Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    return this.#queue.run(() => this.#write(lines));
  }

  async readAll(wanted?: (json: string) => boolean): Promise<T[]> {
    const older =
      this.#olderPath === undefined ? [] : this.#entriesOf(await bytesOf(this.#olderPath), wanted);
    return [...older, ...(await this.#readIn(0, wanted)).entries];
  }

  async glance(from: number, types: readonly string[]): Promise<{ entries: T[]; next: number }> {
    const bytes = await bytesOf(this.#path, from);
    const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
    const wanted = new RegExp(`^\\{"type":"(?:${types.join("|")})"`);
    const entries: T[] = [];
    for (const line of linesOf(whole)) {
      if (!wanted.test(line)) continue;
      const entry = this.#parse(line);
      if (entry.ok) entries.push(entry.value);
    }
    return { entries, next: from + whole.length };
  }

  async size(): Promise<number> {
    return sizeOfThere(this.#path);
  }

  turnOver(): Promise<number> {
    return this.#queue.run(async () => {
      const olderPath = this.#olderPath;
      if (olderPath === undefined) {
        throw new PatchbayError("INTERNAL", `${basename(this.#path)} has no older half.`);
      }
      this.#beforeWrite();
      try {
        await this.#startOver();
        const dropped = await sizeOfThere(olderPath);
        await rename(this.#path, olderPath);
        return dropped;
      } catch (error) {
        throw writeError(error, this.#path);
      }
    });
  }

  remove(): Promise<void> {
    return this.#queue.run(async () => {
      this.#beforeWrite();
      try {
        await this.#startOver();
        for (const path of [this.#path, this.#olderPath])
          if (path !== undefined) await rm(path, { force: true });
      } catch (error) {
        throw writeError(error, this.#path);
      }
    });
  }

  read(from = 0): Promise<{ entries: T[]; next: number }> {
    return this.#readIn(from);
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.#queue.run(async () => {
      await this.#file?.close();
      this.#file = undefined;
    });
  }

  async #write(line: Buffer): Promise<void> {
    this.#beforeWrite();
    try {
      this.#file ??= await this.#openForAppend();
      const { bytesWritten } = await this.#file.write(line);
      if (bytesWritten < line.length) {
        throw Object.assign(new Error("the disk took only a part of the line"), { code: "ENOSPC" });
      }
    } catch (error) {
      await this.#startOver();
      throw writeError(error, this.#path);
    }
  }

  /**
   * After a failed write: closes the file, so that the next write opens it again and first cuts off what is incomplete.
   */
  async #startOver(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    this.#mended = false;
    await file?.close().catch(() => {});
  }

  async #openForAppend(): Promise<FileHandle> {
    await mkdir(dirname(this.#path), { recursive: true, mode: PRIVATE_FOLDER });
    await this.#mend();
    return open(this.#path, "a", PRIVATE_FILE);
  }

  #readIn(from: number, wanted?: (json: string) => boolean): Promise<{ entries: T[]; next: number }> {
    if (this.#closed) return Promise.reject(this.#closedError());
    return this.#queue.run(async () => {
      await this.#mend();
      const bytes = await bytesOf(this.#path, from);
      return { entries: this.#entriesOf(bytes, wanted), next: from + bytes.length };
    });
  }

  #entriesOf(bytes: Buffer, wanted?: (json: string) => boolean): T[] {
    const entries: T[] = [];
    const unreadable: number[] = [];
    let number = 0;
    for (const line of linesOf(bytes)) {
      number += 1;
      if (line === "" || wanted?.(line) === false) continue;
      const entry = this.#parse(line);
      if (entry.ok) entries.push(entry.value);
      else unreadable.push(number);
    }
    if (unreadable.length > 0) this.#reportUnreadable(unreadable);
    return entries;
  }

  #parse(line: string): { ok: true; value: T } | { ok: false } {
    try {
      const result = this.#schema.safeParse(JSON.parse(line));
      return result.success ? { ok: true, value: result.data } : { ok: false };
    } catch {
      return { ok: false };
    }
  }

  /**
   * Repairs the last line when it has no line end, because the process ended while writing it: a complete entry gets
   * its line end, any other is cut off.
   */
  async #mend(): Promise<void> {
    if (this.#mended) return;
    let file: FileHandle;
    try {
      file = await open(this.#path, "r+");
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw readError(error, this.#path);
      this.#mended = true;
      return;
    }
    try {
      const { size } = await file.stat();
      const tail = await lastUnfinishedLine(file, size);
      if (tail.length > 0 && this.#parse(tail.toString("utf8")).ok) await file.write("\n", size);
      else if (tail.length > 0) {
        await file.truncate(size - tail.length);
        this.#reportTorn(tail);
      }
    } finally {
      await file.close();
    }
    this.#mended = true;
  }

  #reportTorn(tail: Buffer): void {
    const name = basename(this.#path);
    this.#onNotice({
      code: "STATE_FILE_DAMAGED",
      message: `The last line of ${name} was cut short when Patchbay ended; it was removed.`,
      help: "Everything before it is unharmed. The rest of the line is in the details.",
      details: { path: this.#path, line: tail.toString("utf8").slice(0, 64 * 1024) },
    });
  }

  #reportUnreadable(lines: number[]): void {
    if (this.#reported) return;
    this.#reported = true;
    const name = basename(this.#path);
    const what = lines.length === 1 ? `Line ${lines[0]} of ${name}` : `${lines.length} lines of ${name}`;
    this.#onNotice({
      code: "STATE_FILE_DAMAGED",
      message: `${what} cannot be read and ${lines.length === 1 ? "is" : "are"} left out.`,
      help: "Nothing was removed from the file.",
      details: { path: this.#path, lines: lines.slice(0, 100) },
    });
  }

  #closedError(): PatchbayError {
    return new PatchbayError("SHUTTING_DOWN", `${basename(this.#path)} is no longer open.`);
  }
}

async function sizeOfThere(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/**
 * The bytes of a file from a position on; empty when there is no file.
 * @throws PatchbayError READ_FAILED
 */
async function bytesOf(path: string, from = 0): Promise<Buffer> {
  try {
    return from === 0 ? await readFile(path) : await restOf(path, from);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return Buffer.alloc(0);
    throw readError(error, path);
  }
}

async function restOf(path: string, from: number): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const size = Math.max(0, (await file.stat()).size - from);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The lines of a file, made one at a time, so that a large file is not in memory twice. */
function* linesOf(bytes: Buffer): Generator<string, void> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0x0a, start);
    yield bytes.toString("utf8", start, end < 0 ? bytes.length : end);
    if (end < 0) return;
    start = end + 1;
  }
}

const CHUNK = 64 * 1024;

/** The bytes after the last line end. */
async function lastUnfinishedLine(file: FileHandle, size: number): Promise<Buffer> {
  let tail = Buffer.alloc(0);
  for (let end = size; end > 0; end -= CHUNK) {
    const start = Math.max(0, end - CHUNK);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
    const chunk = buffer.subarray(0, bytesRead);
    const lineEnd = chunk.lastIndexOf(0x0a);
    if (lineEnd >= 0) return Buffer.concat([chunk.subarray(lineEnd + 1), tail]);
    tail = Buffer.concat([chunk, tail]);
  }
  return tail;
}
