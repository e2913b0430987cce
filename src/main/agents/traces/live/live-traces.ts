import { EventEmitter } from "node:events";
import type { LiveFailure, LiveTracesView, OtlpSettings, RecordEvent } from "../../../../contract/index.ts";
import { type Clock, isoTime } from "../../../base/clock.ts";
import type { SecretLookup } from "../../ports.ts";
import type { RecordPlace } from "../../record/recording.ts";
import { redactDeep } from "../../redact.ts";
import { otlpOf } from "../export/otlp/otlp.ts";
import { turnsIn } from "../turns-in.ts";
import { type Sent, send } from "./send.ts";

/** Turns that wait at most, and their size in characters; the oldest ones make room. */
const MOST_TURNS = 200;
const MOST_CHARACTERS = 16_000_000;
/** Milliseconds before the second attempt; each further wait is twice as long, up to the longest. */
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 60_000;

export interface LiveTracesOptions {
  settings: { get(): { readonly otlp: OtlpSettings | null } };
  secrets: SecretLookup;
  /** The name of an agent; undefined for one that is gone. */
  nameOf(agentId: string): string | undefined;
  clock: Clock;
  /** Of Patchbay. */
  version: string;
}

/**
 * Sends the spans of each turn to the address of the settings when the turn has ended. Nothing waits for it: what cannot be
 * sent is tried again later, in order, and given up when too much waits.
 */
export class LiveTraces {
  readonly changes = new EventEmitter<{ view: [LiveTracesView] }>();
  readonly #options: LiveTracesOptions;
  #waiting: string[] = [];
  #characters = 0;
  #sent = 0;
  #dropped = 0;
  #lastSentAt: string | null = null;
  #failure: LiveFailure | null = null;
  #isSending = false;
  #wait = FIRST_WAIT;
  #cancelWait: (() => void) | undefined;
  /** The settings as they were last seen, as JSON. */
  #known: string;
  readonly #over = new AbortController();

  constructor(options: LiveTracesOptions) {
    this.#options = options;
    this.#known = this.#wanted;
  }

  get view(): LiveTracesView {
    return {
      sent: this.#sent,
      lastSentAt: this.#lastSentAt,
      waiting: this.#waiting.length,
      dropped: this.#dropped,
      failure: this.#failure,
    };
  }

  /** A turn has ended. Its spans are made in a later step of the event loop, so that the turn does not wait for them. */
  turnEnded(place: RecordPlace, events: readonly RecordEvent[]): void {
    if (!this.#options.settings.get().otlp || this.#over.signal.aborted) return;
    setImmediate(() => this.#add(place, events));
  }

  /** Some setting was changed: asks a new address at once whether it takes traces. */
  settingsChanged(): void {
    if (this.#wanted === this.#known) return;
    this.#known = this.#wanted;
    this.#cancelWait?.();
    this.#cancelWait = undefined;
    this.#wait = FIRST_WAIT;
    this.#failure = null;
    if (!this.#options.settings.get().otlp) this.#forget();
    else if (this.#waiting.length === 0)
      void this.#attempt('{"resourceSpans":[]}').then(() => this.#changed());
    this.#changed();
    void this.#sendAll();
  }

  /** Ends what is under way; what waits is not sent any more. */
  close(): void {
    this.#over.abort();
    this.#cancelWait?.();
    this.#forget();
    this.changes.removeAllListeners();
  }

  #add({ agentId, sessionId }: RecordPlace, events: readonly RecordEvent[]): void {
    const { settings, secrets, nameOf, clock, version } = this.#options;
    const { otlp } = settings.get();
    const [turn] = turnsIn(events);
    if (!otlp || !turn) return;
    const exported = {
      agent: { id: agentId, name: nameOf(agentId) ?? agentId },
      session: { id: sessionId, title: "" },
      turns: [{ ...turn, record: [...events] }],
      version,
      at: clock.now(),
    };
    const body = JSON.stringify(redactDeep(otlpOf(exported, otlp.contents), secrets));
    this.#waiting.push(body);
    this.#characters += body.length;
    while (
      this.#waiting.length > MOST_TURNS ||
      (this.#characters > MOST_CHARACTERS && this.#waiting.length > 1)
    )
      this.#dropOldest();
    this.#changed();
    void this.#sendAll();
  }

  /** Sends what waits, one after the other, until nothing waits or the receiver does not take it. */
  async #sendAll(): Promise<void> {
    if (this.#isSending || this.#cancelWait) return;
    this.#isSending = true;
    try {
      for (;;) {
        const [body] = this.#waiting;
        if (body === undefined || this.#over.signal.aborted) return;
        const sent = await this.#attempt(body);
        // What was tried may have made room meanwhile, or was forgotten with the settings.
        const isThere = this.#waiting[0] === body;
        if (sent.kind === "again") {
          this.#later(sent.afterMs);
          this.#changed();
          return;
        }
        if (isThere) this.#removeFirst();
        if (sent.kind === "sent") this.#sent += 1;
        else if (isThere) this.#dropped += 1;
        this.#changed();
      }
    } finally {
      this.#isSending = false;
    }
  }

  async #attempt(body: string): Promise<Sent> {
    const { settings, secrets, clock } = this.#options;
    const { otlp } = settings.get();
    if (!otlp) return { kind: "given_up", failure: null };
    const sent = await send(otlp, body, secrets, this.#over.signal, clock);
    // The answer of an address that is not in the settings any more says nothing of the one that is.
    if (this.#wanted !== JSON.stringify(otlp)) return { kind: "again", failure: null, afterMs: 0 };
    if (sent.kind === "sent") {
      this.#lastSentAt = isoTime(clock);
      this.#wait = FIRST_WAIT;
    }
    this.#failure = sent.kind === "sent" ? null : sent.failure;
    return sent;
  }

  get #wanted(): string {
    return JSON.stringify(this.#options.settings.get().otlp);
  }

  #later(afterMs: number | null): void {
    if (this.#over.signal.aborted) return;
    const ms = Math.min(LONGEST_WAIT, afterMs ?? this.#wait);
    this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
    this.#cancelWait = this.#options.clock.after(ms, () => {
      this.#cancelWait = undefined;
      void this.#sendAll();
    });
  }

  #dropOldest(): void {
    this.#removeFirst();
    this.#dropped += 1;
  }

  #removeFirst(): void {
    this.#characters -= this.#waiting.shift()?.length ?? 0;
  }

  #forget(): void {
    this.#waiting = [];
    this.#characters = 0;
  }

  #changed(): void {
    this.changes.emit("view", this.view);
  }
}
