import type { Caller, PauseEdit, PausePlace, PauseView, RecordEventOf } from "../../../contract/index.ts";
import { aborted } from "../call-limit.ts";
import type { Span } from "../record/recorder.ts";

/** A place at which a turn, or a call outside of turns, can be stopped. It is made only when something may be stopped. */
export interface PausePoint {
  where: PausePlace;
  agentId: string;
  sessionId: string;
  caller: Caller;
  /** The tool, the model or the event, as the screen names it. */
  title: string;
  /** Null where it is not about a tool. */
  tool: { name: string; callId: string } | null;
  /** Key of the plugin whose tool or hook it is. */
  plugin: string | null;
  /** Null where it is not about a hook. */
  hook: { event: string; id: string } | null;
  /** The span to which the pause belongs. */
  span: Span;
  /** Aborted when the turn or the call is stopped. */
  signal: AbortSignal;
  canEdit: boolean;
  canSkip: boolean;
  /** What conditions read. */
  facts(): Record<string, unknown>;
  subject(): PauseEdit;
  more?(): Pick<PauseView, "schema" | "arguments" | "problem" | "fields">;
  /** @throws PatchbayError ARGUMENTS_INVALID, PAUSE_MISFIT with `details.problems` when a change does not fit */
  check(edit: PauseEdit): void;
}

/** The breakpoint that was reached; null: the person had gone on by one step. */
export interface Hit {
  breakpoint: { id: string; name: string } | null;
}

/** How a pause ended, and by whom. */
export interface Answered {
  action: RecordEventOf<"resumed">["action"];
  by: Caller | null;
  why?: RecordEventOf<"resumed">["why"] | undefined;
  edit?: PauseEdit | undefined;
  given?: string | undefined;
}

/** Who stops turns and lets them go on: the person, or in a replay the record. */
export interface PauseDesk {
  /** False: nothing is to be stopped anywhere. It is looked at before each place, so it must cost nothing. */
  readonly armed: boolean;
  /** Whether the turn is to be stopped here. */
  hit(point: PausePoint): Hit | undefined;
  /** Resolves when it may go on. Never rejects. */
  wait(point: PausePoint, hit: Hit): Promise<Answered>;
  /** Stops the turn of the place; resolves when that is under way. */
  stop(point: PausePoint): Promise<void>;
  /** A turn of the conversation is over: a step in it does not reach into the next one. */
  turnEnded?(agentId: string, sessionId: string): void;
}

/** Stops nowhere. */
export const noPauses: PauseDesk = {
  armed: false,
  hit: () => undefined,
  wait: async () => ({ action: "continue", by: null }),
  stop: async () => {},
};

/** How it goes on: with what the person made of it, or with what they gave in its place. */
export type WentOn = { action: "continue"; edit?: PauseEdit | undefined } | { action: "skip"; given: string };

/**
 * Stops here if somebody wants that, and records both the stop and how it went on. Undefined when nothing is to be stopped.
 * @throws PatchbayError ABORTED when the person stopped the turn
 */
export async function pauseAt(desk: PauseDesk, point: PausePoint): Promise<WentOn | undefined> {
  if (point.signal.aborted) return undefined;
  const hit = desk.hit(point);
  if (!hit) return undefined;
  const { span, where, title, plugin: owner, tool, hook } = point;
  const before = point.subject();
  const { seq } = span.record({
    type: "paused",
    where,
    title,
    owner,
    ...(tool && { toolCallId: tool.callId }),
    ...(hook && { hookId: hook.id }),
    ...hit,
  });
  const { action, by, why, edit, given } = await desk.wait(point, hit);
  span.record({
    type: "resumed",
    paused: seq,
    action,
    by,
    ...(why && { why }),
    ...(edit && { edit: { before, after: edit } }),
    ...(given !== undefined && { given }),
  });
  switch (action) {
    case "continue":
      return { action, edit };
    case "skip":
      return { action, given: given ?? "" };
    case "stop":
      await desk.stop(point);
      throw aborted("The turn");
  }
}
