import { randomBytes } from "node:crypto";
import type { Session, SessionEntry, TraceEntry, TurnEvent } from "../../../contract/index.ts";
import { SerialQueue } from "../../base/serial-queue.ts";
import type { JsonLines } from "../../store/index.ts";
import { EventFeed } from "../event-feed.ts";
import type { SecretLookup } from "../ports.ts";
import { redactDeep } from "../redact.ts";
import { isMessage, withAbout, withTraffic } from "./summary.ts";

/** Ids sort by the time of their making and are safe as file names. */
export function newSessionId(): string {
  return `${Date.now().toString(36)}-${randomBytes(5).toString("hex")}`;
}

export const sessionIdPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

/** A conversation in memory, with its two files. Turns of it run one after the other. */
export class LiveSession {
  readonly id: string;
  readonly agentId: string;
  /** Absolute path of the folder for files that came with its messages; made when there is one. */
  readonly filesFolder: string;
  readonly feed = new EventFeed<TurnEvent>();
  lastUsed = Date.now();
  private state: Omit<Session, "messages" | "updatedAt"> & { updatedAt: string; messages: number };
  private readonly log: JsonLines<SessionEntry>;
  private readonly traceLog: JsonLines<TraceEntry>;
  private readonly secrets: SecretLookup;
  private readonly changed: (session: Session) => void;
  private readonly all: SessionEntry[];
  private readonly queue = new SerialQueue();
  private writes: Promise<unknown> = Promise.resolve();
  private writeError: unknown;
  private readonly running = new Set<AbortController>();

  constructor(options: {
    session: Session;
    entries: SessionEntry[];
    log: JsonLines<SessionEntry>;
    traceLog: JsonLines<TraceEntry>;
    filesFolder: string;
    secrets: SecretLookup;
    changed(session: Session): void;
  }) {
    this.id = options.session.id;
    this.agentId = options.session.agentId;
    this.state = options.session;
    this.filesFolder = options.filesFolder;
    this.log = options.log;
    this.traceLog = options.traceLog;
    this.secrets = options.secrets;
    this.changed = options.changed;
    this.all = options.entries;
  }

  get view(): Session {
    return { ...this.state };
  }

  get entries(): readonly SessionEntry[] {
    return this.all;
  }

  /** Nobody uses it now; it may be dropped from memory. */
  get idle(): boolean {
    return this.running.size === 0 && this.feed.size === 0;
  }

  /** Appends to the session's file; the entry is on disk when it resolves. Stored secrets are taken out. */
  async append(entry: SessionEntry): Promise<void> {
    const clean = redactDeep(entry, this.secrets);
    this.all.push(clean);
    this.noteEntry(clean);
    await this.log.append(clean);
  }

  /** Appends to the trace beside it, in order, without making anybody wait. */
  trace(entry: TraceEntry): void {
    const clean = redactDeep(entry, this.secrets);
    this.writes = this.writes
      .then(() => this.traceLog.append(clean))
      .catch((error: unknown) => {
        this.writeError ??= error;
      });
  }

  /** Resolves when everything that was traced is on disk. @throws the first write error since the last flush */
  async flush(): Promise<void> {
    await this.writes;
    const error = this.writeError;
    this.writeError = undefined;
    if (error !== undefined) throw error;
  }

  readTraces(): Promise<TraceEntry[]> {
    return this.writes.then(() => this.traceLog.readAll());
  }

  publish(event: TurnEvent): void {
    this.feed.push(redactDeep(event, this.secrets));
    if (event.type === "approval_requested") this.setStatus("awaiting_approval");
    if (event.type === "approval_resolved") this.setStatus("running");
  }

  setStatus(status: Session["status"]): void {
    if (this.state.status === status || this.state.status === "closed") return;
    this.state = { ...this.state, status };
    this.changed(this.view);
  }

  /** Runs `work` when everything that was asked of this session before is done. `signal` is aborted by {@link abort}. */
  serial<T>(work: (signal: AbortSignal) => Promise<T>, outer?: AbortSignal): Promise<T> {
    this.lastUsed = Date.now();
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
        this.lastUsed = Date.now();
      }
    });
  }

  /** Stops what runs and what waits to run. Resolves when all of it has ended. */
  async abort(): Promise<void> {
    for (const controller of this.running) controller.abort();
    await this.queue.idle();
  }

  async dispose(): Promise<void> {
    await this.abort();
    this.feed.end();
    await this.writes;
    await Promise.all([this.log.close(), this.traceLog.close()]);
  }

  private noteEntry(entry: SessionEntry): void {
    const { state } = this;
    this.state = {
      ...state,
      updatedAt: "at" in entry ? entry.at : state.updatedAt,
      ...(entry.type === "about" && withAbout(state, entry)),
      ...(state.traffic && { traffic: withTraffic(state.traffic, entry) }),
      title: entry.type === "title" ? entry.title : state.title,
      messages: state.messages + (isMessage(entry) ? 1 : 0),
      status: entry.type === "closed" ? "closed" : state.status,
    };
    if (entry.type !== "tool_result") this.changed(this.view);
  }
}
