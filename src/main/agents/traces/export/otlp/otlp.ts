import { type RecordEvent, type TraceSpan, traceOf } from "../../../../../contract/index.ts";
import type { Exported, WholeTurn } from "../whole-turn.ts";
import { attributes, type KeyValue } from "./attributes.ts";
import { eventsIn, type OtlpEvent } from "./events.ts";
import { factsOf, type SpanFacts, turnFactsOf } from "./facts.ts";
import { nanos, spanIdOf, traceIdOf } from "./ids.ts";

/** `INTERNAL` and `CLIENT` of OTLP. */
const kinds = { inside: 1, client: 3 } as const;
/** `ERROR` of OTLP; what went well has no status. */
const bad = 2;

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: KeyValue[];
  events?: OtlpEvent[];
  links?: { traceId: string; spanId: string; attributes: KeyValue[] }[];
  status?: { code: number; message?: string };
}

/** A request of OTLP over HTTP: `ExportTraceServiceRequest` in JSON. */
export interface OtlpRequest {
  resourceSpans: {
    resource: { attributes: KeyValue[] };
    scopeSpans: { scope: { name: string; version: string }; spans: OtlpSpan[] }[];
  }[];
}

/**
 * Recorded turns as OpenTelemetry spans, by the conventions for generative AI. Each turn is a trace of its own.
 * @param contents with what was said, asked and answered; else names, numbers and decisions alone
 */
export function otlpOf(exported: Exported, contents: boolean): OtlpRequest {
  const { version, turns } = exported;
  return {
    resourceSpans: [
      {
        resource: { attributes: attributes({ "service.name": "patchbay", "service.version": version }) },
        scopeSpans: [
          {
            scope: { name: "patchbay.trace", version },
            spans: turns.flatMap((turn) => spansOf(exported, turn, contents)),
          },
        ],
      },
    ],
  };
}

function spansOf(exported: Exported, turn: WholeTurn, contents: boolean): OtlpSpan[] {
  const { spans } = traceOf(turn.record);
  const facts = turnFactsOf(exported, turn, contents);
  const ofSpan = Map.groupBy(turn.record, (event) => event.spanId);
  const bySeq = new Map(turn.record.map((event) => [event.seq, event]));
  const last = turn.record.at(-1)?.at ?? 0;
  return spans.map((span) => {
    const own = ofSpan.get(span.id) ?? endsOf(span, bySeq);
    return otlpSpan(turn, span, factsOf(span, own, facts), eventsIn(own, contents), last);
  });
}

/** A stretch that has no span in the record has the two events of its ends. */
function endsOf({ first, last }: TraceSpan, bySeq: ReadonlyMap<number, RecordEvent>): RecordEvent[] {
  const ends = [bySeq.get(first), last === null ? undefined : bySeq.get(last)];
  return ends.filter((event) => event !== undefined);
}

function otlpSpan(
  { turnId }: WholeTurn,
  { id, parentId, begin, end }: TraceSpan,
  { name, isClient, error, links, given }: SpanFacts,
  events: OtlpEvent[],
  last: number,
): OtlpSpan {
  return {
    traceId: traceIdOf(turnId),
    spanId: spanIdOf(turnId, id),
    ...(parentId !== null && { parentSpanId: spanIdOf(turnId, parentId) }),
    name,
    kind: isClient ? kinds.client : kinds.inside,
    startTimeUnixNano: nanos(begin),
    endTimeUnixNano: nanos(end ?? last),
    attributes: attributes(given),
    ...(events.length > 0 && { events }),
    ...(links.length > 0 && {
      links: links.map((from) => ({
        traceId: traceIdOf(from),
        spanId: spanIdOf(from, "0"),
        attributes: attributes({ "patchbay.link": "begun_by" }),
      })),
    }),
    ...(error && { status: { code: bad, ...(error.message !== undefined && { message: error.message }) } }),
  };
}
