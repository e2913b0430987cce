import {
  type RecordEvent,
  type SessionEntry,
  type TraceEntry,
  traceEntrySchema,
} from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log, Storage } from "../../store/index.ts";
import type { SecretLookup } from "../ports.ts";
import { mendingsOf } from "../record/mend.ts";
import { tracesOf } from "../record/project-traces.ts";
import { withPayloads } from "../record/read-record.ts";
import { SessionRecordFiles } from "../record/record-files.ts";
import { RecordWriter } from "../record/record-writer.ts";
import type { SessionRecord } from "./session.ts";

/** The stored record of a session. Sessions that are older than the record have their traces in a log of their own. */
export class StoredRecord implements SessionRecord {
  readonly writer: RecordWriter;
  private readonly files: SessionRecordFiles;
  private readonly openTracesOfBefore: () => Log<TraceEntry>;

  constructor(options: {
    storage: Pick<Storage, "log" | "blobs">;
    agentId: string;
    sessionId: string;
    clock: Clock;
    secrets: SecretLookup;
  }) {
    const { storage, agentId, sessionId, clock, secrets } = options;
    this.files = new SessionRecordFiles(options);
    this.writer = new RecordWriter({ files: this.files, secrets, clock });
    this.openTracesOfBefore = () =>
      storage.log({ place: { kind: "traces", agentId, sessionId }, schema: traceEntrySchema });
  }

  async readTraces(): Promise<TraceEntry[]> {
    const before = this.openTracesOfBefore();
    const old = await before.readAll();
    await before.close();
    const events = await this.files.readAll();
    return [...old, ...tracesOf(await withPayloads(events, (address) => this.files.getBlob(address)))];
  }

  async readEvents(wanted?: (json: string) => boolean): Promise<RecordEvent[]> {
    await this.writer.flush();
    return this.files.readAll(wanted);
  }

  getBlob(address: string): Promise<string | undefined> {
    return this.files.getBlob(address);
  }

  /** Completes the record of a turn during which the app died, in the same way as the session's lines. */
  async mend(repairs: readonly SessionEntry[]): Promise<void> {
    if (repairs.length === 0) return;
    const events = await this.files.readAll();
    for (const event of mendingsOf(events, repairs)) this.writer.add(event);
    await this.writer.flush();
  }

  close(): Promise<void> {
    return this.files.close();
  }
}
