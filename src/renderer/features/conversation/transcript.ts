import type { Caller } from "../../../contract/agent.ts";
import { withoutAttachments } from "../../../contract/conversation/attached.ts";
import { pathOf } from "../../../contract/conversation/session-tree.ts";
import type { Problem } from "../../../contract/errors.ts";
import { cleanLine } from "../../../contract/shown/clean-text.ts";
import type { SessionEntry, StoredAttachment, ToolTrace, TraceEntry } from "../../../contract/turn.ts";
import type { TurnEvent } from "../../../contract/turn-event.ts";
import type { Item, ToolItem } from "./items.ts";
import { saidOf, steerOf } from "./said/said-items.ts";
import { isShown } from "./said/said-words.ts";
import { withWait } from "./waits/wait-item.ts";

/** A stored conversation as items; traces add how each tool call went. */
export function itemsOf(entries: readonly SessionEntry[], traces: readonly TraceEntry[]): Item[] {
  const traceOf = new Map<string, ToolTrace>();
  for (const entry of traces) if (entry.type === "tool") traceOf.set(entry.call.toolCallId, entry.call);
  const items: Item[] = [];
  for (const entry of pathOf(entries)) {
    switch (entry.type) {
      case "user":
        items.push({
          kind: "user",
          id: entry.id,
          turnId: entry.turnId,
          ...writtenOf(entry),
          ...fromOf(entry.caller),
          ...(entry.aside && { aside: entry.aside }),
          ...(entry.by !== undefined && { by: entry.by }),
          ...(entry.prompt && { prompt: entry.prompt }),
        });
        break;
      case "steer":
        items.push(steerOf(entry));
        break;
      case "plugin":
        if (isShown(entry.said)) items.push(saidOf(entry));
        break;
      case "heard":
        items.push({
          kind: "user",
          id: entry.id,
          turnId: entry.id,
          ...writtenOf(entry),
          ...fromOf(entry.caller),
          heard: true,
        });
        break;
      case "assistant":
        if (entry.text)
          items.push({
            kind: "assistant",
            id: entry.id,
            turnId: entry.turnId,
            text: entry.text,
            streaming: false,
            ...(entry.changedBy && { changedBy: entry.changedBy }),
          });
        for (const call of entry.toolCalls)
          items.push({
            ...startedTool(call.id, entry.turnId, call.name, null, call.arguments),
            owner: traceOf.get(call.id)?.owner ?? null,
            title: traceOf.get(call.id)?.title ?? call.name,
            trace: traceOf.get(call.id) ?? null,
          });
        break;
      case "tool_result":
        changeTool(items, entry.toolCallId, (tool) => ({
          ...tool,
          outcome: entry.outcome,
          content: entry.content,
        }));
        break;
      case "command":
        items.push({ kind: "command", id: entry.id, text: entry.text, output: entry.output });
        break;
      case "compaction":
        items.push({ kind: "compaction", id: entry.id, summary: entry.summary });
        break;
      case "turn_end":
        if (isFailure(entry)) pushEnd(items, entry);
        retriedBefore(items, entry.turnId);
        break;
      default:
        break;
    }
  }
  return items;
}

type Failure = { turnId: string; outcome: "failed" | "aborted"; problem: Problem | null };

function isFailure(end: { outcome: string }): end is Failure {
  return end.outcome !== "done";
}

/** Adds how a turn ended. What was being said is marked as cut off. */
function pushEnd(items: Item[], { turnId, outcome, problem }: Failure): void {
  const last = items.at(-1);
  if (last?.kind === "assistant" && last.turnId === turnId) items[items.length - 1] = { ...last, cut: true };
  const earlier = items.filter((item) => item.kind === "end" && item.turnId === turnId).length;
  const id = earlier === 0 ? `end-${turnId}` : `end-${turnId}-${earlier}`;
  items.push({ kind: "end", id, turnId, outcome, problem, retried: false });
}

/** Marks the ends of a turn that went on after them. */
function retriedBefore(items: Item[], turnId: string): void {
  for (const [index, item] of items.entries()) {
    if (item.kind === "end" && item.turnId === turnId && index < items.length - 1)
      items[index] = { ...item, retried: true };
  }
}

function writtenOf({
  text,
  attachments = [],
}: {
  text: string;
  attachments?: StoredAttachment[] | undefined;
}) {
  return { text: withoutAttachments(text, attachments), ...(attachments.length > 0 && { attachments }) };
}

function fromOf(caller: Caller): { from?: string } {
  return caller.kind === "channel" ? { from: cleanLine(caller.userId) } : {};
}

/** The conversation after one more event. Events of what is shown already change nothing. */
export function withEvent(items: readonly Item[], event: TurnEvent): Item[] {
  const next: Item[] = withWait(items, event);
  switch (event.type) {
    case "turn_started":
      if (next.some((item) => item.kind === "user" && item.turnId === event.turnId))
        return next.map((item) =>
          item.kind === "end" && item.turnId === event.turnId ? { ...item, retried: true } : item,
        );
      next.push({
        kind: "user",
        id: `user-${event.turnId}`,
        turnId: event.turnId,
        ...writtenOf(event),
        ...(event.aside && { aside: event.aside }),
        ...(event.by !== undefined && { by: event.by }),
        ...(event.prompt && { prompt: event.prompt }),
      });
      return next;
    case "steered":
      if (!next.some((item) => item.id === event.id)) next.push(steerOf(event));
      return next;
    case "plugin_said":
      if (isShown(event.said) && !next.some((item) => item.id === event.id)) next.push(saidOf(event));
      return next;
    case "text_delta":
      return withText(next, event, (text) => text + event.text, true);
    case "message":
      return event.text ? withText(next, event, () => event.text, false) : next;
    case "tool_started":
      if (!next.some((item) => item.kind === "tool" && item.id === event.toolCallId))
        next.push(startedTool(event.toolCallId, event.turnId, event.title, event.owner, event.arguments));
      return next;
    case "tool_progress":
      return changeTool(next, event.toolCallId, (tool) => ({ ...tool, progress: event.text }));
    case "approval_requested":
      return changeTool(next, event.toolCallId, (tool) => ({ ...tool, approvalId: event.approvalId }));
    case "approval_resolved":
      return changeTool(next, event.toolCallId, (tool) => ({ ...tool, approvalId: null }));
    case "tool_ended":
      return changeTool(next, event.toolCallId, (tool) => ({
        ...tool,
        outcome: event.trace.outcome,
        title: event.trace.title ?? tool.title,
        trace: event.trace,
        content: event.trace.result?.content ?? tool.content,
        approvalId: null,
        progress: null,
      }));
    case "command":
      if (!next.some((item) => item.id === event.id))
        next.push({ kind: "command", id: event.id, text: event.text, output: event.output });
      return next;
    case "session_cleared":
      return [];
    case "session_compacted":
      next.push({ kind: "compaction", id: event.id, summary: event.summary });
      return next;
    case "turn_ended":
      return ended(next, event);
    case "model_waiting":
    case "model_again":
    case "model_call":
    case "thinking_delta":
    case "thinking":
    case "session_branched":
    case "session_labelled":
    case "session_left":
      return next;
  }
}

function startedTool(
  id: string,
  turnId: string,
  title: string,
  owner: string | null,
  args: Record<string, unknown>,
): ToolItem {
  return {
    kind: "tool",
    id,
    turnId,
    title,
    owner,
    arguments: args,
    outcome: null,
    trace: null,
    content: null,
    progress: null,
    approvalId: null,
  };
}

function changeTool(items: Item[], id: string, change: (tool: ToolItem) => ToolItem): Item[] {
  const index = items.findIndex((item) => item.kind === "tool" && item.id === id);
  const tool = items[index];
  if (tool?.kind === "tool") items[index] = change(tool);
  return items;
}

function withText(
  items: Item[],
  { turnId, messageId: id, ...more }: Extract<TurnEvent, { type: "message" | "text_delta" }>,
  change: (text: string) => string,
  streaming: boolean,
): Item[] {
  const changed = "changedBy" in more && more.changedBy && { changedBy: more.changedBy };
  const index = items.findIndex((item) => item.kind === "assistant" && item.id === id);
  const known = items[index];
  if (known?.kind === "assistant")
    items[index] = { ...known, ...changed, text: change(known.text), streaming };
  else items.push({ kind: "assistant", id, turnId, text: change(""), streaming, ...changed });
  return items;
}

function ended(items: Item[], event: Extract<TurnEvent, { type: "turn_ended" }>): Item[] {
  const settled = items.map((item) =>
    item.kind === "assistant" && item.streaming ? { ...item, streaming: false } : item,
  );
  const isShown = settled.some(
    (item) => item.kind === "end" && item.turnId === event.turnId && !item.retried,
  );
  if (isFailure(event) && !isShown) pushEnd(settled, event);
  return settled;
}
