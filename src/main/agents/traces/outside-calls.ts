import {
  mostOutsideCalls,
  type OutsideCall,
  PatchbayError,
  type RecordEvent,
  type RecordEventOf,
} from "../../../contract/index.ts";
import { isoOf } from "../../base/clock.ts";
import { EventFeed } from "../event-feed.ts";
import type { SecretLookup } from "../ports.ts";
import type { Span } from "../record/recorder.ts";
import type { Recording, RecordPlace } from "../record/recording.ts";
import { redactDeep } from "../redact.ts";

/** Most characters of texts and pictures of an agent's calls; the oldest calls make room. */
const MOST_CHARACTERS = 16_000_000;
/** How many values of an event are looked at for its size, so that a call never waits for that. */
const MOST_LOOKS = 2_000;

interface Kept {
  called: RecordEventOf<"tool_called">;
  events: readonly RecordEvent[];
  /** Known at its end. */
  characters: number;
}

/** The records of the newest calls outside of turns, in memory alone: the audit is what stays of them. */
export class OutsideCalls {
  readonly #recording: Pick<Recording, "outside">;
  readonly #secrets: SecretLookup;
  readonly #calls = new Map<string, Kept[]>();
  readonly #feeds = new Map<string, EventFeed<OutsideCall>>();

  constructor(recording: Pick<Recording, "outside">, secrets: SecretLookup) {
    this.#recording = recording;
    this.#secrets = secrets;
  }

  /** A span for a call, whose events are kept. */
  begin(place: RecordPlace): Span {
    return this.#recording.outside(place, (event, events) => this.#take(place.agentId, event, events));
  }

  /** Oldest first. */
  list(agentId: string): OutsideCall[] {
    return (this.#calls.get(agentId) ?? []).map((call) => this.#viewOf(call));
  }

  /** @throws PatchbayError NOT_FOUND */
  read(agentId: string, id: string): RecordEvent[] {
    const call = this.#calls.get(agentId)?.find(({ called }) => called.toolCallId === id);
    if (!call) throw new PatchbayError("NOT_FOUND", "That call is not kept any more.");
    return redactDeep([...call.events], this.#secrets);
  }

  watch(agentId: string, signal?: AbortSignal): AsyncIterableIterator<OutsideCall> {
    const feed = this.#feeds.get(agentId) ?? new EventFeed<OutsideCall>();
    this.#feeds.set(agentId, feed);
    return feed.read(signal);
  }

  forget(agentId: string): void {
    this.#calls.delete(agentId);
    this.#feeds.get(agentId)?.end();
    this.#feeds.delete(agentId);
  }

  #take(agentId: string, event: RecordEvent, events: readonly RecordEvent[]): void {
    if (event.type === "tool_called") {
      const calls = this.#calls.get(agentId) ?? [];
      this.#calls.set(agentId, calls);
      calls.push({ called: event, events, characters: 0 });
      if (calls.length > mostOutsideCalls) calls.shift();
    }
    if (!told.has(event.type)) return;
    const call = this.#calls.get(agentId)?.findLast((one) => one.events === events);
    if (!call) return;
    if (event.type === "tool_ended") this.#makeRoom(agentId, call);
    this.#feeds.get(agentId)?.push(this.#viewOf(call));
  }

  #makeRoom(agentId: string, ended: Kept): void {
    ended.characters = charactersOf(ended.events);
    const calls = this.#calls.get(agentId) ?? [];
    let all = calls.reduce((sum, { characters }) => sum + characters, 0);
    while (all > MOST_CHARACTERS && calls.length > 1) all -= calls.shift()?.characters ?? 0;
  }

  #viewOf({ called, events }: Kept): OutsideCall {
    const judged = events.findLast((event) => event.type === "tool_judged");
    const ended = events.findLast((event) => event.type === "tool_ended");
    return redactDeep(
      {
        id: called.toolCallId,
        title: judged?.title ?? called.title,
        owner: judged ? judged.owner : called.owner,
        caller: called.caller,
        straight: called.straight === true,
        at: isoOf(called.at),
        outcome: ended?.outcome ?? null,
        ms: ended ? ended.at - called.at : null,
        events: events.length,
      },
      this.#secrets,
    );
  }
}

const told: ReadonlySet<RecordEvent["type"]> = new Set([
  "tool_called",
  "approval_asked",
  "approval_answered",
  "tool_started",
  "tool_ended",
]);

/** About how much room the events take. The same value in two of them counts once. */
function charactersOf(events: readonly RecordEvent[]): number {
  const waiting: unknown[] = [...events];
  const seen = new Set<unknown>();
  let sum = 0;
  for (let looks = 0; looks < MOST_LOOKS && waiting.length > 0; looks += 1) {
    const value = waiting.pop();
    if (typeof value === "string") sum += value.length;
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const key in value) waiting.push(value[key as keyof typeof value]);
  }
  return sum;
}
