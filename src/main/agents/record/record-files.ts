import { type RecordEvent, type RecordLine, recordLineSchema } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log, Storage } from "../../store/index.ts";
import { BoundedBlobs } from "./bounded-blobs.ts";
import type { RecordFiles } from "./record-writer.ts";

/**
 * A record that is larger than this many bytes is put aside when a turn begins, and a new one is begun. The one that
 * was put aside before is dropped.
 */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * The stored record of a session: a log in two halves (present and older), and blobs. Both are bounded. Each time
 * something is dropped, a line of the record says how much.
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
    for (const line of lines) this.bytes = (this.bytes ?? 0) + Buffer.byteLength(JSON.stringify(line)) + 1;
  }

  putBlobs(blobs: ReadonlyMap<string, string>): Promise<{ dropped: string[]; bytes: number }> {
    return this.blobs.put(blobs);
  }

  getBlob(address: string): Promise<string | undefined> {
    return this.blobs.get(address);
  }

  /**
   * Every event, oldest first, with the parts that were taken out of it still in their blobs.
   * @param wanted looks at an event's JSON; those that it says no to are left out
   */
  async readAll(wanted?: (json: string) => boolean): Promise<RecordEvent[]> {
    const lines = await this.lines.readAll(wanted);
    return lines.filter(
      (line): line is RecordEvent => line.type !== "blobs_dropped" && line.type !== "turns_dropped",
    );
  }

  close(): Promise<void> {
    return this.lines.close();
  }

  /** Puts a full record aside. Only done when a turn begins, so that all events of a turn are in one half. */
  private async makeRoom(next: RecordLine | undefined): Promise<void> {
    this.bytes ??= await this.lines.size();
    if (this.bytes <= this.mostBytes || next?.type !== "turn_begun") return;
    const dropped = await this.lines.turnOver();
    this.bytes = 0;
    if (dropped > 0) await this.lines.append({ type: "turns_dropped", at: this.clock.now(), bytes: dropped });
  }
}
