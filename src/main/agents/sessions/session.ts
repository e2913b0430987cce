import { createHash } from "node:crypto";
import {
  type LiveFact,
  PatchbayError,
  type RecordEvent,
  type Session,
  type SessionEntry,
  SessionTree,
  type TraceEntry,
  type TurnEvent,
  toProblem,
} from "../../../contract/index.ts";
import { type Clock, isoTime } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import { SerialQueue } from "../../base/serial-queue.ts";
import type { SessionFiles } from "../../store/index.ts";
import { EventFeed } from "../event-feed.ts";
import type { SecretLookup } from "../ports.ts";
import { liveOf } from "../record/project-live.ts";
import { transcriptOf } from "../record/project-transcript.ts";
import { withoutExchange } from "../record/read-record.ts";
import type { RecordWriter } from "../record/record-writer.ts";
import type { RecordSink } from "../record/recorder.ts";
import { redactDeep } from "../redact.ts";
import { isMessage, isName, withAbout, withTraffic } from "./summary.ts";

/** Ids sort by the time at which they were made, and are safe as file names. */
export function newSessionId(clock: Clock, ids: Ids): string {
  const unique = createHash("sha256").update(ids.next()).digest("hex").slice(0, 10);
  return `${clock.now().toString(36)}-${unique}`;
}

export const sessionIdPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

export function nullIfNotFound(error: unknown): null {
  if (error instanceof PatchbayError && error.code === "SESSION_NOT_FOUND") return null;
  throw error;
}

export function notFound(id: string): PatchbayError {
  return new PatchbayError("SESSION_NOT_FOUND", `There is no conversation with the id ${id}.`);
}

/** Where the lines of a conversation lie. */
export interface SessionFile {
  append(...entries: SessionEntry[]): Promise<void>;
  close(): Promise<void>;
}

/** The record beside the conversation; or the traces that an older version kept in its place. */
export interface SessionRecord {
  readonly writer: RecordWriter;
  readTraces(): Promise<TraceEntry[]>;
  /** Events, oldest first, with large parts still in their blobs; only those whose JSON is `wanted`. */
  readEvents(wanted?: (json: string) => boolean): Promise<RecordEvent[]>;
  /** The text of a part that was taken out of an event; undefined when it is no longer kept. */
  getBlob(address: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/**
 * A conversation in memory, with its file and the record of its turns. Its turns run one after the other. It receives
 * the events of a turn as they are recorded. An event that belongs into the conversation is on disk before those who
 * watch are told of it.
 */
export class LiveSession implements RecordSink {
  readonly id: string;
  readonly agentId: string;
  /** The files that came with its messages or go out with its answers. */
  readonly files: SessionFiles;
  /** Files that were handed in for a later message. */
  readonly uploads: SessionFiles;
  readonly feed = new EventFeed<TurnEvent>();
  /** Every event of its turns as it is recorded, without stored secrets and without what the model was sent. */
  readonly recorded = new EventFeed<RecordEvent>();
  lastUsed: number;
  private state: Omit<Session, "messages" | "updatedAt"> & { updatedAt: string; messages: number };
  private readonly file: SessionFile;
  private readonly record: SessionRecord;
  private readonly clock: Clock;
  private readonly secrets: SecretLookup;
  private readonly changed: (session: Session) => void;
  private readonly all: SessionEntry[];
  /** Its lines as a tree: a conversation may go back and on from there. */
  readonly tree: SessionTree;
  private readonly queue = new SerialQueue();
  /** Becomes idle when everything recorded so far is on disk and was published. */
  private readonly publishing = new SerialQueue();
  private writeError: unknown;
  private readonly running = new Set<AbortController>();

  constructor(options: {
    session: Session;
    entries: SessionEntry[];
    file: SessionFile;
    record: SessionRecord;
    files: SessionFiles;
    uploads: SessionFiles;
    clock: Clock;
    secrets: SecretLookup;
    changed(session: Session): void;
  }) {
    this.id = options.session.id;
    this.agentId = options.session.agentId;
    this.state = options.session;
    this.files = options.files;
    this.uploads = options.uploads;
    this.file = options.file;
    this.record = options.record;
    this.clock = options.clock;
    this.secrets = options.secrets;
    this.changed = options.changed;
    this.all = options.entries;
    this.tree = new SessionTree(options.entries);
    this.lastUsed = this.clock.now();
  }

  get view(): Session {
    return { ...this.state };
  }

  /** Every line of its file, those of branches that were left, too. */
  get entries(): readonly SessionEntry[] {
    return this.all;
  }

  /** The lines of the conversation as it stands now. */
  get path(): readonly SessionEntry[] {
    return this.tree.path;
  }

  /** True when nothing runs in it or waits to run. */
  get isStill(): boolean {
    return this.running.size === 0;
  }

  /** True when nothing runs in it and nobody watches it, so that it may be dropped from memory. */
  get idle(): boolean {
    return this.running.size === 0 && this.feed.size === 0 && this.recorded.size === 0;
  }

  /** Appends to the session's file; the entries are on disk when it resolves. Stored secrets are taken out. */
  async append(...entries: SessionEntry[]): Promise<void> {
    const clean = entries.map((entry) => redactDeep(entry, this.secrets));
    for (const entry of clean) {
      this.all.push(entry);
      this.tree.add(entry);
      this.noteEntry(entry);
    }
    await this.file.append(...clean);
  }

  /** Puts it to the top of lists, or takes it down from there. @throws PatchbayError DISK_FULL, WRITE_FAILED */
  async pin(pinned: boolean): Promise<void> {
    await this.append({ type: "pin", pinned, at: isoTime(this.clock) });
  }

  take(event: RecordEvent, turn: readonly RecordEvent[]): void {
    const { writer } = this.record;
    writer.add(event);
    if (this.recorded.size > 0) this.recorded.push(redactDeep(withoutExchange(event), this.secrets));
    const entries = transcriptOf(event);
    const live = liveOf(event, turn);
    if (entries.length === 0) {
      if (live) this.inOrder(() => this.publish(live));
      return;
    }
    const written = Promise.all([this.append(...entries), writer.flush()]);
    written.catch(() => {});
    this.inOrder(async () => {
      try {
        await written;
        if (live?.type === "turn_ended") writer.check();
        if (live) this.publish(live);
      } catch (error) {
        this.writeError ??= error;
        // The end of the turn is published even when it could not be written.
        if (live?.type === "turn_ended")
          this.publish({ ...live, outcome: "failed", problem: toProblem(error, "WRITE_FAILED") });
      }
    }, true);
  }

  /** Adds an event to the record alone: the transcript stays as it is, and nobody who watches is told. */
  keep(event: RecordEvent): void {
    this.record.writer.add(event);
  }

  stream(turnId: string, fact: LiveFact): void {
    this.inOrder(() => this.publish({ turnId, ...fact }));
  }

  /** Resolves when everything recorded is on disk and published. @throws the first write error since the last call */
  async settled(): Promise<void> {
    await this.publishing.idle();
    const { writeError } = this;
    this.writeError = undefined;
    if (writeError !== undefined) throw writeError;
  }

  /** What happened inside of its turns, in order. */
  async readTraces(): Promise<TraceEntry[]> {
    await this.record.writer.flush();
    return this.record.readTraces();
  }

  /** The events of its turns, as they are stored. */
  get events(): Pick<SessionRecord, "readEvents" | "getBlob"> {
    return this.record;
  }

  publish(event: TurnEvent): void {
    if (event.type === "turn_ended") this.setStatus("idle");
    this.feed.push(redactDeep(event, this.secrets));
    if (event.type === "approval_requested") this.setStatus("awaiting_approval");
    if (event.type === "approval_resolved") this.setStatus("running");
  }

  setStatus(status: Session["status"]): void {
    if (this.state.status === status || this.state.status === "closed") return;
    this.state = { ...this.state, status };
    this.changed(this.view);
  }

  /** Runs `work` after all work that was given to this session before. Its `signal` is aborted by {@link abort}. */
  serial<T>(work: (signal: AbortSignal) => Promise<T>, outer?: AbortSignal): Promise<T> {
    this.lastUsed = this.clock.now();
    const controller = new AbortController();
    this.running.add(controller);
    const onAbort = () => controller.abort();
    outer?.addEventListener("abort", onAbort, { once: true });
    if (outer?.aborted) onAbort();
    return this.queue.run(async () => {
      try {
        return await work(controller.signal);
      } finally {
        outer?.removeEventListener("abort", onAbort);
        this.running.delete(controller);
        this.lastUsed = this.clock.now();
      }
    });
  }

  /** Runs `work` at once, beside what runs: what comes before a turn. Its `signal` is aborted by {@link abort}. */
  async beside<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.running.add(controller);
    try {
      return await work(controller.signal);
    } finally {
      this.running.delete(controller);
      this.lastUsed = this.clock.now();
    }
  }

  /** Stops what runs and what waits to run. Resolves when all of it has ended. */
  async abort(): Promise<void> {
    for (const controller of this.running) controller.abort();
    await this.queue.idle();
  }

  async dispose(): Promise<void> {
    await this.abort();
    this.feed.end();
    this.recorded.end();
    await this.publishing.idle();
    await this.record.writer.flush();
    await Promise.all([this.file.close(), this.record.close()]);
  }

  /**
   * Keeps the order of published events. Work runs at once when nothing waits, else after what waits. `waits`: later
   * events must wait for this work, too.
   */
  private inOrder(work: () => void | Promise<void>, waits = false): void {
    if (this.publishing.busy || waits) void this.publishing.run(work);
    else void work();
  }

  private noteEntry(entry: SessionEntry): void {
    const { state } = this;
    this.state = {
      ...state,
      // A new name is no news.
      updatedAt: "at" in entry && !isName(entry) ? entry.at : state.updatedAt,
      ...(entry.type === "about" && withAbout(state, entry)),
      ...(state.traffic && { traffic: withTraffic(state.traffic, entry) }),
      title: entry.type === "title" ? entry.title : state.title,
      ...(entry.type === "pin" && { pinned: entry.pinned }),
      messages: state.messages + (isMessage(entry) ? 1 : 0),
      status: entry.type === "closed" ? "closed" : state.status,
    };
    if (entry.type !== "tool_result") this.changed(this.view);
  }
}
