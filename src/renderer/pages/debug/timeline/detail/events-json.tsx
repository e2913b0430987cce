import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordEvent } from "../../../../../contract/record.ts";
import { problemOf, type ShownProblem } from "../../../../base/client/problem.ts";
import { rpc } from "../../../../base/client/rpc.ts";
import { JsonTree } from "../../../../ui/json/json-tree.tsx";
import { ProblemNote } from "../../../../ui/problem-note.tsx";
import type { TimelineRow } from "../rows/rows.ts";
import type { RecordPlace } from "./record-place.ts";

interface EventsJsonProps {
  place: RecordPlace;
  row: TimelineRow;
  events: readonly RecordEvent[];
}

/** The events of a row as they are kept. What the model was sent and answered is read when it is opened. */
export function EventsJson({ place, row, events }: EventsJsonProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="w-fit rounded-sm text-xs text-mute hover:text-ink">{t("detail.events")}</summary>
      {open && (
        <div className="mt-1.5 space-y-2">
          {eventsOf(row, events).map((event) => (
            <EventJson key={event.seq} place={place} event={event} />
          ))}
        </div>
      )}
    </details>
  );
}

/** At most so many events of one row are shown. */
const MOST = 30;

function eventsOf({ of }: TimelineRow, events: readonly RecordEvent[]): RecordEvent[] {
  if (of.kind === "point") return events.filter(({ seq }) => seq === of.point.seq);
  const { id, first, last } = of.span;
  if (id.includes("/")) return events.filter(({ seq }) => seq === first || seq === last);
  return events
    .filter(({ spanId, type }) => spanId === id && type !== "log" && type !== "tool_progress")
    .slice(0, MOST);
}

function EventJson({ place, event }: { place: EventsJsonProps["place"]; event: RecordEvent }) {
  const { t } = useTranslation();
  const { seq } = event;
  const { agentId, turn } = place;
  const { sessionId, turnId } = turn ?? {};
  const isWhole =
    (event.type !== "model_asked" && event.type !== "model_answered") ||
    sessionId === undefined ||
    turnId === undefined;
  const [whole, setWhole] = useState<RecordEvent | null>(isWhole ? event : null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  useEffect(() => {
    if (isWhole) return;
    const scope = new AbortController();
    rpc.traces
      .event({ agentId, sessionId, turnId, seq }, { signal: scope.signal })
      .then(setWhole, (error: unknown) => !scope.signal.aborted && setProblem(problemOf(error)));
    return () => scope.abort();
  }, [isWhole, agentId, sessionId, turnId, seq]);
  if (problem) return <ProblemNote problem={problem} />;
  if (!whole) return <p className="text-xs text-mute">{t("detail.loading")}</p>;
  return <JsonTree value={whole} label={t("detail.event", { seq })} />;
}
