import {
  type RecordEvent,
  type SpanKind,
  type SpanState,
  type TraceSpan,
  traceOf,
} from "../../../../contract/index.ts";
import { between } from "../../record/project-tool.ts";
import { noteOfPoint, noteOfSpan } from "./notes.ts";
import type { Words } from "./words.ts";

/** A line of a turn as it is told: a stretch, or something that happened at a moment (`ms` is null then). */
export interface Row {
  depth: number;
  kind: SpanKind | "moment";
  state: SpanState;
  /** What happened, and with what: `Tool · send`. */
  label: string;
  name: string;
  /** Key of the plugin whose doing it was; null: nobody's. */
  owner: string | null;
  /** What came of it; may be empty. */
  note: string;
  /** Milliseconds since the turn began. */
  from: number;
  /** Null for a moment, and while it runs. */
  ms: number | null;
  /** The events that it is made of. */
  events: RecordEvent[];
}

/** The lines of a turn in the order in which they began, each below what contains it. @param events of one turn, in order */
export function rowsOf(events: readonly RecordEvent[], words: Words): Row[] {
  const { spans, points } = traceOf(events);
  const bySeq = new Map(events.map((event) => [event.seq, event]));
  const byId = new Map(spans.map((span) => [span.id, span]));
  const start = events[0]?.at ?? 0;
  const ofSpan = Map.groupBy(events, (event) => event.spanId);
  const depthOf = (id: string | null): number => {
    const span = id === null ? undefined : byId.get(id);
    return span ? 1 + depthOf(span.parentId) : 0;
  };
  const last = events.at(-1)?.at ?? start;
  const rows: (Row & { seq: number })[] = spans.map((span) => {
    const own = eventsOf(span, ofSpan, bySeq);
    return {
      seq: span.first,
      depth: depthOf(span.parentId),
      kind: span.kind,
      state: span.state,
      label: words.kinds[span.kind],
      name: span.kind === "turn" ? "" : span.name,
      owner: span.owner,
      note: noteOfSpan(span, own, words),
      from: between(start, span.begin),
      ms: between(span.begin, span.end ?? last),
      events: own,
    };
  });
  for (const point of points) {
    const event = bySeq.get(point.seq);
    const told = event && noteOfPoint(event, words);
    if (!event || !told) continue;
    rows.push({
      seq: point.seq,
      depth: depthOf(point.spanId),
      kind: "moment",
      state: told.isBad ? "failed" : "done",
      label: told.label,
      name: "",
      owner: point.owner,
      note: told.note,
      from: between(start, point.at),
      ms: null,
      events: [event],
    });
  }
  return rows.sort((a, b) => a.seq - b.seq).map(({ seq: _, ...row }) => row);
}

/** The first and the last event of a stretch, and of those that are the record's own spans all events between. */
function eventsOf(
  { id, first, last }: TraceSpan,
  ofSpan: ReadonlyMap<string, RecordEvent[]>,
  bySeq: ReadonlyMap<number, RecordEvent>,
): RecordEvent[] {
  const whole = ofSpan.get(id);
  if (whole) return whole;
  const ends = [bySeq.get(first), last === null ? undefined : bySeq.get(last)];
  return ends.filter((event) => event !== undefined);
}
