import type { RecordEvent } from "../../../../../contract/record.ts";
import type { ChosenTurn } from "../../../../store/chosen-turn.ts";
import { eventAt, isProblem, type TimelineRow } from "./rows.ts";

/**
 * The row that answers "why?": of a tool call what refused, broke or changed it; of a turn what it failed of. Null when
 * nothing was asked, or it is not there.
 */
export function culpritOf(
  rows: readonly TimelineRow[],
  events: readonly RecordEvent[],
  { toolCallId, culprit }: Pick<ChosenTurn, "toolCallId" | "culprit">,
): TimelineRow | null {
  if (toolCallId !== null) {
    const call = rows.findLast((row) => callOf(row, events) === toolCallId);
    return call ? blamedFor(call, rows) : null;
  }
  switch (culprit?.kind) {
    case undefined:
      return null;
    case "end": {
      const spans = rows.filter(({ of, state }) => of.kind === "span" && state === "failed");
      return spans.at(-1) ?? rows.findLast(({ of }) => typeOf(of) === "turn_ended") ?? null;
    }
    case "message":
      return (
        rows.find((row) => isHookOf(row, "session.message.received") && tells(row)) ??
        rows.find(({ of }) => typeOf(of) === "message_received") ??
        null
      );
    case "answer": {
      const { messageId } = culprit;
      const said = rows.findIndex(({ of }) => {
        const event = of.kind === "point" ? eventAt(events, of.point.seq) : undefined;
        return event?.type === "assistant_said" && event.messageId === messageId;
      });
      const before = rows.slice(0, said + 1);
      return before.findLast((row) => isHookOf(row, "message.final") && tells(row)) ?? rows[said] ?? null;
    }
  }
}

function callOf({ of }: TimelineRow, events: readonly RecordEvent[]): string | null {
  if (of.kind !== "span" || of.span.kind !== "tool") return null;
  const event = eventAt(events, of.span.first);
  return event?.type === "tool_called" ? event.toolCallId : null;
}

/** Of the parts of a call the one that decided how it went. */
function blamedFor(call: TimelineRow, rows: readonly TimelineRow[]): TimelineRow {
  const parts = rows.filter(({ parentId }) => parentId === call.id);
  const [wrong, changed] = [parts.filter(isProblem), parts.filter(({ state }) => state === "changed")];
  if (isProblem(call)) return wrong.find(({ of }) => of.kind === "span") ?? wrong[0] ?? changed[0] ?? call;
  return changed[0] ?? wrong[0] ?? call;
}

function tells(row: TimelineRow): boolean {
  return row.state === "changed" || isProblem(row);
}

function isHookOf({ of }: TimelineRow, event: string): boolean {
  return of.kind === "span" && of.span.kind === "hook" && of.span.name.startsWith(`${event}@`);
}

function typeOf(of: TimelineRow["of"]): string | null {
  return of.kind === "point" ? of.point.type : null;
}
