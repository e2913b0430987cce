import type { RecordEvent } from "../../../../contract/index.ts";
import type { RecordedTurn } from "../recorded/recorded-turn.ts";

/** Events that come whenever they do: nothing is counted by them. */
const noise = new Set<RecordEvent["type"]>(["log", "tool_progress", "stop_asked", "left_out"]);

/**
 * Where the person stopped the recorded turn: after which event of its kind. Given the events of a replay one by one, it says
 * when the same place is reached.
 */
export class RecordedStops {
  private readonly places = new Set<string>();
  private readonly seen = new Map<string, number>();

  constructor(turn: RecordedTurn) {
    const counted = new Map<string, number>();
    let last = "";
    for (const { type } of turn.events) {
      if (type === "stop_asked") this.places.add(last);
      if (!noise.has(type)) last = counting(counted, type);
    }
  }

  /** Whether the turn was stopped after this event. */
  isAt({ type }: RecordEvent): boolean {
    return !noise.has(type) && this.places.has(counting(this.seen, type));
  }
}

function counting(counted: Map<string, number>, type: string): string {
  const count = (counted.get(type) ?? 0) + 1;
  counted.set(type, count);
  return `${type} ${count}`;
}
