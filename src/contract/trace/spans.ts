import type { RecordEvent } from "../record.ts";
import { HookChains, type HookPlace } from "./hook-chains.ts";

/**
 * A stretch of a turn. `approval` and `run` are parts of a tool call: the time in which the person was waited for, and
 * the time in which the tool itself worked. `dialog`: a question during a call of a plugin or a tool. `pause`: it stood
 * still at a breakpoint.
 */
export type SpanKind = "turn" | "model" | "hook" | "tool" | "approval" | "run" | "dialog" | "pause";

/**
 * How a stretch ended. `changed`: it rewrote or replaced something; `refused`: it, a rule, a hook or the person said no;
 * `cut`: Patchbay ended meanwhile.
 */
export type SpanState = "running" | "done" | "changed" | "refused" | "failed" | "cut";

export interface TraceSpan {
  /**
   * The record's `spanId`; of an approval, a run and a dialog that of their call with `/approval`, `/run` or
   * `/dialog/<dialogId>` behind it.
   */
  id: string;
  parentId: string | null;
  kind: SpanKind;
  /**
   * Of a turn the message, of a model call the model, of a hook the event, of a tool call and its parts the tool, of a
   * dialog nothing, of a pause what it stood before.
   */
  name: string;
  /** Key of the plugin whose doing it was; null: Patchbay's, the model's or the person's. */
  owner: string | null;
  /** Milliseconds since 1970, with fractions. `end` is null while it runs. */
  begin: number;
  end: number | null;
  state: SpanState;
  /** The record's events of its beginning and its end, by `seq`. */
  first: number;
  last: number | null;
  /** Of a hook. */
  place?: HookPlace;
}

/** An event that has no length, at its place in the turn. */
export interface TracePoint {
  seq: number;
  spanId: string;
  at: number;
  type: RecordEvent["type"];
  owner: string | null;
}

/** A turn as it is drawn and exported: its stretches by their beginning, and what happened at a moment. */
export interface TurnTrace {
  turnId: string;
  spans: TraceSpan[];
  points: TracePoint[];
}

/**
 * The stretches of a turn. `events`: those of one turn, in order; the turn may still run. A stretch that is not over
 * when the turn is, is `cut`.
 */
export function traceOf(events: readonly RecordEvent[]): TurnTrace {
  const spans = new Map<string, TraceSpan>();
  const points: TracePoint[] = [];
  const chains = new HookChains();
  const open = (event: RecordEvent, span: Pick<TraceSpan, "kind" | "name" | "owner">, part = "") => {
    const id = part === "" ? event.spanId : `${event.spanId}/${part}`;
    const parentId = part === "" ? event.parentId : event.spanId;
    const opened: TraceSpan = {
      id,
      parentId,
      ...span,
      begin: event.at,
      end: null,
      state: "running",
      first: event.seq,
      last: null,
    };
    spans.set(id, opened);
    if (event.type === "hook_asked") opened.place = chains.add(event);
    else chains.end(parentId);
  };
  const close = (event: RecordEvent, state: SpanState, part = "") => {
    const span = spans.get(part === "" ? event.spanId : `${event.spanId}/${part}`);
    if (span) Object.assign(span, { end: event.at, state, last: event.seq });
  };
  const point = (event: RecordEvent, owner: string | null) =>
    void points.push({ seq: event.seq, spanId: event.spanId, at: event.at, type: event.type, owner });
  const toolOf = (event: RecordEvent) => spans.get(event.spanId);

  for (const event of events) {
    switch (event.type) {
      case "turn_begun":
        open(event, { kind: "turn", name: event.text, owner: null });
        break;
      case "model_asked":
        open(event, { kind: "model", name: "", owner: null });
        break;
      case "model_answered": {
        const span = spans.get(event.spanId);
        if (span) span.name = event.model;
        close(event, event.problem ? "failed" : "done");
        break;
      }
      case "hook_asked":
        open(event, { kind: "hook", name: event.event, owner: event.owner });
        break;
      case "hook_answered":
        close(event, hookStates[event.decision]);
        break;
      case "tool_called":
        open(event, { kind: "tool", name: event.title, owner: event.owner });
        break;
      case "tool_judged": {
        const span = toolOf(event);
        if (span) Object.assign(span, { owner: event.owner, name: event.title ?? span.name });
        point(event, event.owner);
        break;
      }
      case "approval_asked":
        open(event, { kind: "approval", name: toolOf(event)?.name ?? "", owner: null }, "approval");
        break;
      case "approval_answered":
        close(event, event.status === "allowed" ? "done" : "refused", "approval");
        break;
      case "tool_started":
        open(
          event,
          { kind: "run", name: toolOf(event)?.name ?? "", owner: toolOf(event)?.owner ?? null },
          "run",
        );
        break;
      case "tool_answered":
        close(event, event.problem ? "failed" : "done", "run");
        break;
      case "paused":
        open(event, { kind: "pause", name: event.title, owner: event.owner }, `pause/${event.seq}`);
        break;
      case "resumed":
        close(
          event,
          event.edit === undefined ? pauseStates[event.action] : "changed",
          `pause/${event.paused}`,
        );
        break;
      case "dialog_asked":
        open(event, { kind: "dialog", name: "", owner: event.owner }, `dialog/${event.dialogId}`);
        break;
      case "dialog_answered":
        close(event, dialogStates[event.end], `dialog/${event.dialogId}`);
        break;
      case "tool_ended":
        close(event, toolStates[event.outcome]);
        break;
      case "turn_ended":
        close(event, event.cut ? "cut" : event.outcome === "done" ? "done" : "failed");
        for (const span of spans.values())
          if (span.end === null) Object.assign(span, { end: event.at, state: "cut" });
        break;
      case "effects_asked":
      case "plugin_said":
      case "steered":
      case "problem":
      case "log":
      case "model_lent":
      case "plugin_ran":
        point(event, event.owner);
        break;
      case "message_received":
      case "prompt_made":
      case "model_waiting":
      case "model_again":
      case "model_speaking":
      case "assistant_said":
      case "tool_rewritten":
      case "approval_known":
      case "tool_progress":
      case "tool_skipped":
      case "offer_changed":
      case "stop_asked":
      case "left_out":
        point(event, null);
        break;
    }
  }
  return { turnId: events[0]?.turnId ?? "", spans: [...spans.values()], points };
}

const hookStates = {
  ran: "done",
  allowed: "done",
  rewrote: "changed",
  replaced: "changed",
  denied: "refused",
  dropped: "refused",
  failed: "failed",
  timed_out: "failed",
  not_running: "failed",
} as const;

const pauseStates = { continue: "done", skip: "changed", stop: "refused" } as const;

const toolStates = {
  executed: "done",
  failed: "failed",
  vetoed: "refused",
  denied: "refused",
  rejected: "refused",
  timed_out: "failed",
} as const;

const dialogStates = { answered: "done", timed_out: "failed", gone: "cut" } as const;
