import type { RecordEvent, RecordEventOf } from "../../../../../contract/record.ts";
import type { SpanState, TracePoint, TraceSpan, TurnTrace } from "../../../../../contract/trace/spans.ts";

/** What a row is about, as people sort it; the filter has one chip for each. */
export const rowGroups = ["model", "hook", "tool", "approval", "message", "log", "problem"] as const;
export type RowGroup = (typeof rowGroups)[number];

/** A line of the timeline: a stretch of the turn, or something that happened at a moment of it. */
export interface TimelineRow {
  /** The span's id; of a moment `#` and the number of its event. */
  id: string;
  parentId: string | null;
  depth: number;
  group: RowGroup;
  of: { kind: "span"; span: TraceSpan } | { kind: "point"; point: TracePoint };
  owner: string | null;
  /** Milliseconds since 1970; alike for a moment, `end` null while it runs. */
  begin: number;
  end: number | null;
  state: SpanState;
  /** Of a model call: when its answer began to arrive. */
  firstToken: number | null;
}

/** The turn as rows: each part below the one that contains it, in the order of their beginning. */
export function rowsOf(trace: TurnTrace, events: readonly RecordEvent[]): TimelineRow[] {
  const children = new Map<string, TimelineRow[]>();
  const firstTokens = new Map<string, number>();
  const add = (row: TimelineRow) => {
    const key = row.parentId ?? "";
    const known = children.get(key);
    if (known) known.push(row);
    else children.set(key, [row]);
  };
  // Of a call outside of turns nothing stands above it.
  const root = trace.spans.find(({ kind }) => kind === "turn")?.id ?? trace.spans[0]?.parentId ?? "";
  for (const span of trace.spans) {
    if (span.kind === "turn") continue;
    const { id, parentId, owner, begin, end, state } = span;
    const group = groups[span.kind];
    const place = { id, parentId: parentId === root ? null : parentId, depth: 0 };
    add({ ...place, group, of: { kind: "span", span }, owner, begin, end, state, firstToken: null });
  }
  for (const point of trace.points) {
    if (point.type === "model_speaking") firstTokens.set(point.spanId, point.at);
    const event = eventAt(events, point.seq);
    const shown = event && shownPoint(event);
    if (!shown) continue;
    const parentId = point.spanId === root ? null : point.spanId;
    const { seq, at, owner } = point;
    const times = { begin: at, end: at, firstToken: null };
    add({
      id: `#${seq}`,
      parentId,
      depth: 0,
      of: { kind: "point", point },
      owner,
      ...times,
      ...shown,
    });
  }
  const rows: TimelineRow[] = [];
  const walk = (parent: string, depth: number) => {
    const own = children.get(parent) ?? [];
    own.sort((a, b) => a.begin - b.begin || orderOf(a) - orderOf(b));
    for (const row of own) {
      row.depth = depth;
      row.firstToken = firstTokens.get(row.id) ?? null;
      rows.push(row);
      if (row.id !== parent) walk(row.id, depth + 1);
    }
  };
  walk("", 0);
  return rows;
}

/** The event with this number. Events of a turn are counted from 0, so it mostly stands at its number. */
export function eventAt(events: readonly RecordEvent[], seq: number): RecordEvent | undefined {
  const event = events[seq];
  return event?.seq === seq ? event : events.find((one) => one.seq === seq);
}

const groups = {
  model: "model",
  hook: "hook",
  tool: "tool",
  run: "tool",
  approval: "approval",
  dialog: "approval",
  pause: "approval",
} as const;

function orderOf({ of }: TimelineRow): number {
  return of.kind === "span" ? of.span.first : of.point.seq;
}

type Shown = { group: RowGroup; state: SpanState };

/** Moments that have a row of their own; null: what they say stands in the row of their span. */
function shownPoint(event: RecordEvent): Shown | null {
  switch (event.type) {
    case "tool_judged":
      return { group: "approval", state: event.effect === "deny" ? "refused" : "done" };
    case "approval_known":
      return { group: "approval", state: "done" };
    case "message_received":
      return { group: "message", state: messageState(event) };
    case "assistant_said":
      if (event.text === "" && event.changedBy.length === 0) return null;
      return { group: "message", state: event.changedBy.length > 0 ? "changed" : "done" };
    case "turn_ended":
      return event.outcome === "done"
        ? null
        : { group: "problem", state: event.cut ? "cut" : event.outcome === "failed" ? "failed" : "refused" };
    case "problem":
      return { group: "problem", state: "failed" };
    case "log":
      return { group: "log", state: event.level === "error" ? "failed" : "done" };
    case "tool_progress":
    case "left_out":
      return { group: "log", state: "done" };
    case "plugin_said":
    case "steered":
    case "effects_asked":
    case "prompt_made":
      return { group: "message", state: "done" };
    case "model_lent":
      return { group: "model", state: event.problem ? "failed" : "done" };
    case "plugin_ran":
      return event.what === "failed"
        ? { group: "problem", state: "failed" }
        : { group: "log", state: "done" };
    case "tool_skipped":
      return { group: "tool", state: "refused" };
    case "stop_asked":
      return { group: "approval", state: "refused" };
    default:
      return null;
  }
}

function messageState({ aside, changedBy }: RecordEventOf<"message_received">): SpanState {
  if (aside) return aside.kind === "dropped" ? "refused" : "changed";
  return changedBy.length > 0 ? "changed" : "done";
}

/** Rows that say that something did not go as it was meant to. */
export function isProblem({ state, group }: TimelineRow): boolean {
  return state === "failed" || state === "refused" || state === "cut" || group === "problem";
}
