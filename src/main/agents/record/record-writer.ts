import type { RecordEvent, RecordLine } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import { SerialQueue } from "../../base/serial-queue.ts";
import type { SecretLookup } from "../ports.ts";
import { encode } from "./encode.ts";

/** Milliseconds for which events are gathered before they are written, unless somebody asks for a flush. */
const GATHER_MS = 50;

/** Where a record is stored. */
export interface RecordFiles {
  /** Resolves when the lines are on disk. @throws PatchbayError DISK_FULL, WRITE_FAILED */
  append(...lines: RecordLine[]): Promise<void>;
  /** Stores these texts and drops the oldest when there are too many. Returns what was dropped. */
  putBlobs(blobs: ReadonlyMap<string, string>): Promise<{ dropped: string[]; bytes: number }>;
}

/**
 * Writes the events of a session's turns, many in one write. Secrets are taken out and large parts moved to blobs here,
 * and not when the event is recorded, so that the turn does not wait for it.
 */
export class RecordWriter {
  private readonly files: RecordFiles;
  private readonly secrets: Pick<SecretLookup, "redact">;
  private readonly clock: Clock;
  private waiting: RecordEvent[] = [];
  private cancel: (() => void) | undefined;
  private readonly queue = new SerialQueue();
  private problem: unknown;

  constructor(options: { files: RecordFiles; secrets: Pick<SecretLookup, "redact">; clock: Clock }) {
    this.files = options.files;
    this.secrets = options.secrets;
    this.clock = options.clock;
  }

  add(event: RecordEvent): void {
    this.waiting.push(event);
    this.cancel ??= this.clock.after(GATHER_MS, () => void this.flush());
  }

  /** Resolves when everything that was added is on disk, or could not be written: see `check`. */
  flush(): Promise<void> {
    this.cancel?.();
    this.cancel = undefined;
    const due = this.waiting;
    this.waiting = [];
    if (due.length > 0) {
      const writing = this.queue.run(() => this.write(due));
      writing.catch((error: unknown) => {
        this.problem ??= error;
      });
    }
    return this.queue.idle();
  }

  /** @throws the first write error since it was asked last */
  check(): void {
    const { problem } = this;
    this.problem = undefined;
    if (problem !== undefined) throw problem;
  }

  private async write(events: readonly RecordEvent[]): Promise<void> {
    const lines: RecordLine[] = [];
    const blobs = new Map<string, string>();
    for (const event of events) {
      const encoded = encode(event, this.secrets);
      lines.push(encoded.line);
      for (const [address, text] of encoded.blobs) blobs.set(address, text);
    }
    if (blobs.size > 0) {
      const { dropped, bytes } = await this.files.putBlobs(blobs);
      if (dropped.length > 0)
        lines.push({ type: "blobs_dropped", at: this.clock.now(), blobs: dropped, bytes });
    }
    await this.files.append(...lines);
  }
}
