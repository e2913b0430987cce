import { type FileHandle, mkdir, open, readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { z } from "zod";
import { PatchbayError, type Problem } from "../../../contract/errors.ts";
import { SerialQueue } from "../../base/serial-queue.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER, readError, systemCode, writeError } from "./files.ts";

/** An append-only file, one JSON value a line. */
export interface JsonLines<T> {
  /**
   * Resolves when the line is in the file, or all of several, which are written at once. Lines stand in the order of the calls.
   * @throws DISK_FULL, WRITE_FAILED
   */
  append(...entries: T[]): Promise<void>;
  /** All lines that can be read, those appended so far included. Others are reported once and stay in the file. */
  readAll(): Promise<T[]>;
  /** What stands from a position (in bytes, as `next` gave it) on, and where to go on. */
  read(from?: number): Promise<{ entries: T[]; next: number }>;
  /** Waits for what is under way and closes the file. */
  close(): Promise<void>;
}

export interface JsonLinesOptions {
  /** Told of a last line that was cut short and of lines that cannot be read (STATE_FILE_DAMAGED). */
  onNotice?(problem: Problem): void;
  /** Asked before each write; what it throws is what the write is refused with. */
  beforeWrite?(): void;
}

/** Opens a file of lines; nothing is read or made before it is used. */
export function openJsonLines<T>(
  path: string,
  schema: z.ZodType<T>,
  options: JsonLinesOptions = {},
): JsonLines<T> {
  return new OpenJsonLines(path, schema, options);
}

class OpenJsonLines<T> implements JsonLines<T> {
  readonly #path: string;
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
    this.#schema = schema;
    this.#onNotice = options.onNotice ?? (() => {});
    this.#beforeWrite = options.beforeWrite ?? (() => {});
  }

  append(...entries: T[]): Promise<void> {
    if (this.#closed) return Promise.reject(this.#closedError());
    const lines = Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    return this.#queue.run(() => this.#write(lines));
  }

  async readAll(): Promise<T[]> {
    return (await this.read()).entries;
  }

  read(from = 0): Promise<{ entries: T[]; next: number }> {
    if (this.#closed) return Promise.reject(this.#closedError());
    return this.#queue.run(() => this.#read(from));
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

  /** Whatever a failed write left behind is cut off before the next one. */
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

  async #read(from: number): Promise<{ entries: T[]; next: number }> {
    await this.#mend();
    const bytes = await this.#bytes();
    const text = bytes.subarray(from).toString("utf8");
    const entries: T[] = [];
    const unreadable: number[] = [];
    const lines = text.split("\n");
    for (const [index, line] of lines.entries()) {
      if (line === "") continue;
      const entry = this.#parse(line);
      if (entry.ok) entries.push(entry.value);
      else unreadable.push(index + 1);
    }
    if (unreadable.length > 0) this.#reportUnreadable(unreadable);
    return { entries, next: Math.max(from, bytes.length) };
  }

  async #bytes(): Promise<Buffer> {
    try {
      return await readFile(this.#path);
    } catch (error) {
      if (systemCode(error) === "ENOENT") return Buffer.alloc(0);
      throw readError(error, this.#path);
    }
  }

  #parse(line: string): { ok: true; value: T } | { ok: false } {
    try {
      const result = this.#schema.safeParse(JSON.parse(line));
      return result.success ? { ok: true, value: result.data } : { ok: false };
    } catch {
      return { ok: false };
    }
  }

  /** A line without its end was being written when the process died: it is completed when whole, else cut off. */
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

const CHUNK = 64 * 1024;

/** What stands after the last line end. */
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
