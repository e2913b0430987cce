import type { RecordEvent, RecordedTurn } from "../../../contract/index.ts";
import { isoOf } from "../../base/clock.ts";
import { between } from "../record/project-tool.ts";

/** The turns that events belong to, oldest first. */
export function turnsIn(events: readonly RecordEvent[]): RecordedTurn[] {
  const turns = new Map<string, RecordedTurn>();
  for (const event of events) {
    if (event.type === "turn_begun") {
      const { turnId, text } = event;
      const at = isoOf(event.at);
      turns.set(turnId, { turnId, text, at, outcome: null, ms: null, cut: false, events: 0 });
    }
    const turn = turns.get(event.turnId);
    if (!turn) continue;
    turn.events += 1;
    if (event.type !== "turn_ended") continue;
    turn.outcome = event.outcome;
    turn.ms = between(Date.parse(turn.at), event.at);
    turn.cut = event.cut === true;
  }
  return [...turns.values()];
}
