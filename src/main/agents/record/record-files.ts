import { type RecordEvent, type RecordLine, recordLineSchema } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log, Storage } from "../../store/index.ts";
import { BoundedBlobs } from "./bounded-blobs.ts";
import type { RecordFiles } from "./record-writer.ts";

/** Bytes of a record after which a new one is begun; the one before it stays until the next time. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * The record of a session: a log with an older half, and blobs. Both are bounded, and what was dropped is said in a line of
 * its own.
 */
export class SessionRecordFiles implements RecordFiles {
  private readonly clock: Clock;
  private readonly blobs: BoundedBlobs;
  private readonly mostBytes: number;
  private readonly lines: Log<RecordLine>;
  private bytes: number | undefined;

  constructor(options: {
    storage: Pick<Storage, "log" | "blobs">;
    agentId: string;
    sessionId: string;
    clock: Clock;
    mostBytes?: number;
  }) {
    const { storage, agentId, sessionId } = options;
    this.clock = options.clock;
    this.mostBytes = options.mostBytes ?? MOST_BYTES;
    this.blobs = new BoundedBlobs(storage.blobs(agentId, sessionId));
    this.lines = storage.log({ place: { kind: "record", agentId, sessionId }, schema: recordLineSchema });
  }

  async append(...lines: RecordLine[]): Promise<void> {
    await this.makeRoom(lines[0]);
    await this.lines.append(...lines);
    for (const line of lines) this.bytes = (this.bytes ?? 0) + JSON.stringify(line).length + 1;
  }

  putBlobs(blobs: ReadonlyMap<string, string>): Promise<{ dropped: string[]; bytes: number }> {
    return this.blobs.put(blobs);
  }

  getBlob(address: string): Promise<string | undefined> {
    return this.blobs.get(address);
  }

  /** Every event, oldest first, with the parts that were taken out of it still in their blobs. */
  async readAll(): Promise<RecordEvent[]> {
    const lines = await this.lines.readAll();
    return lines.filter(
      (line): line is RecordEvent => line.type !== "blobs_dropped" && line.type !== "turns_dropped",
    );
  }

  close(): Promise<void> {
    return this.lines.close();
  }

  /** A full record is put aside when a turn begins: a turn lies in one half. */
  private async makeRoom(next: RecordLine | undefined): Promise<void> {
    this.bytes ??= await this.lines.size();
    if (this.bytes <= this.mostBytes || next?.type !== "turn_begun") return;
    const dropped = await this.lines.turnOver();
    this.bytes = 0;
    if (dropped > 0) await this.lines.append({ type: "turns_dropped", at: this.clock.now(), bytes: dropped });
  }
}
