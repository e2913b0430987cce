import type { RecordEvent, SessionEntry } from "../../../contract/index.ts";
import { turnOf } from "./read-record.ts";

/**
 * The events that complete the record of a turn during which the app died. They are made from the lines that repaired
 * its session.
 */
export function mendingsOf(events: readonly RecordEvent[], repairs: readonly SessionEntry[]): RecordEvent[] {
  const end = repairs.find((repair) => repair.type === "turn_end");
  if (end?.type !== "turn_end") return [];
  const { turnId } = end;
  const at = Date.parse(end.at);
  const turn = turnOf(events, turnId);
  const last = turn.at(-1);
  if (!last || last.type === "turn_ended") return [];
  let { seq } = last;
  const place = () => {
    seq += 1;
    return { turnId, seq, spanId: "0", parentId: null, at };
  };
  const mendings: RecordEvent[] = [];
  for (const repair of repairs) {
    if (repair.type !== "tool_result") continue;
    const { id, toolCallId, tool, content } = repair;
    mendings.push({ type: "tool_skipped", ...place(), id, toolCallId, tool, content });
  }
  const { outcome, problem } = end;
  mendings.push({ type: "turn_ended", ...place(), outcome, text: "", problem, cut: true });
  return mendings;
}
