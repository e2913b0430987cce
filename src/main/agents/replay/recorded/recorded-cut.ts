import type { RecordEvent, SessionEntry } from "../../../../contract/index.ts";
import { isoOf } from "../../../base/clock.ts";
import { mendingsOf } from "../../record/mend.ts";
import { repairsFor } from "../../sessions/repair.ts";
import type { RecordedTurn } from "./recorded-turn.ts";

/**
 * For a recorded turn during which the app was killed: the place where its own record ends. The events after it were
 * added when the session was opened again.
 */
export class RecordedCut {
  /** How many events the turn itself recorded. */
  readonly seq: number;
  private readonly turn: RecordedTurn;
  /** When the session was mended. */
  private readonly at: number;

  private constructor(turn: RecordedTurn, seq: number, at: number) {
    this.turn = turn;
    this.seq = seq;
    this.at = at;
  }

  /** Undefined for a turn that came to an end of its own. */
  static of(turn: RecordedTurn): RecordedCut | undefined {
    const end = turn.events.at(-1);
    if (end?.type !== "turn_ended" || !end.cut) return undefined;
    const seq = turn.events.findIndex(({ type, at }) => type === "tool_skipped" && at === end.at);
    return new RecordedCut(turn, seq < 0 ? end.seq : seq, end.at);
  }

  /** The events with the end that they get when the session is opened again, computed from the session's lines. */
  mend(events: readonly RecordEvent[], entries: readonly SessionEntry[]): RecordEvent[] {
    const repairs = repairsFor(this.asFound(entries), isoOf(this.at));
    return mendingsOf(events.slice(0, this.seq), repairs);
  }

  /** The session's lines before that end was added. */
  private asFound(entries: readonly SessionEntry[]): readonly SessionEntry[] {
    const { begun, world } = this.turn;
    const own = entries.slice(world.entries);
    const end = own.findIndex((entry) => entry.type === "turn_end" && entry.turnId === begun.turnId);
    const at = isoOf(this.at);
    const found = own
      .slice(0, end < 0 ? undefined : end)
      .filter((entry) => entry.type !== "tool_result" || entry.at !== at);
    return [...entries.slice(0, world.entries), ...found];
  }
}
