import { rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  type Problem,
  type RecordEvent,
  type RecordLine,
  recordLineSchema,
} from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import { type JsonLines, openJsonLines, writeError } from "../../store/index.ts";
import { BlobFolder } from "./blob-folder.ts";
import type { RecordFiles } from "./record-writer.ts";

/** Bytes of a record file after which a new one is begun; the one before it stays until the next time. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * The record beside a session: `<sid>.record.jsonl`, the older half in `<sid>.record.1.jsonl`, and `<sid>.blobs/`. Both are
 * bounded, and what was dropped is said in a line of its own.
 */
export class SessionRecordFiles implements RecordFiles {
  private readonly path: string;
  private readonly older: string;
  private readonly clock: Clock;
  private readonly onNotice: (problem: Problem) => void;
  private readonly blobs: BlobFolder;
  private readonly mostBytes: number;
  private lines: JsonLines<RecordLine>;
  private bytes: number | undefined;

  constructor(options: {
    folder: string;
    sessionId: string;
    clock: Clock;
    onNotice(problem: Problem): void;
    mostBytes?: number;
  }) {
    const { folder, sessionId } = options;
    this.path = join(folder, `${sessionId}.record.jsonl`);
    this.older = join(folder, `${sessionId}.record.1.jsonl`);
    this.clock = options.clock;
    this.onNotice = options.onNotice;
    this.mostBytes = options.mostBytes ?? MOST_BYTES;
    this.blobs = new BlobFolder(join(folder, `${sessionId}.blobs`), options.clock);
    this.lines = this.open(this.path);
  }

  async append(...lines: RecordLine[]): Promise<void> {
    await this.makeRoom(lines[0]);
    await this.lines.append(...lines);
    for (const line of lines) this.bytes = (this.bytes ?? 0) + JSON.stringify(line).length + 1;
  }

  async putBlobs(blobs: ReadonlyMap<string, string>): Promise<{ dropped: string[]; bytes: number }> {
    try {
      return await this.blobs.put(blobs);
    } catch (error) {
      throw writeError(error, this.path);
    }
  }

  getBlob(address: string): Promise<string | undefined> {
    return this.blobs.get(address);
  }

  /** Every event, oldest first, with the parts that were taken out of it still in their blobs. */
  async readAll(): Promise<RecordEvent[]> {
    const older = this.open(this.older);
    const lines = [...(await older.readAll()), ...(await this.lines.readAll())];
    await older.close();
    return lines.filter(
      (line): line is RecordEvent => line.type !== "blobs_dropped" && line.type !== "turns_dropped",
    );
  }

  close(): Promise<void> {
    return this.lines.close();
  }

  /** A full file is put aside when a turn begins: a turn lies in one file. */
  private async makeRoom(next: RecordLine | undefined): Promise<void> {
    this.bytes ??= await stat(this.path).then(
      ({ size }) => size,
      () => 0,
    );
    if (this.bytes <= this.mostBytes || next?.type !== "turn_begun") return;
    await this.lines.close();
    const { size } = await stat(this.older).catch(() => ({ size: 0 }));
    await rm(this.older, { force: true });
    await rename(this.path, this.older);
    this.lines = this.open(this.path);
    this.bytes = 0;
    if (size > 0) await this.lines.append({ type: "turns_dropped", at: this.clock.now(), bytes: size });
  }

  private open(path: string): JsonLines<RecordLine> {
    return openJsonLines(path, recordLineSchema, { onNotice: this.onNotice });
  }
}
