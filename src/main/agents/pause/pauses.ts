import {
  type Breakpoint,
  type Caller,
  PatchbayError,
  type Pause,
  type PauseAnswer,
  type PauseEdit,
  type PauseState,
  type PauseView,
} from "../../../contract/index.ts";
import { type Clock, isoOf, isoTime } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { RunningLimits } from "../call-limit.ts";
import { EventFeed } from "../event-feed.ts";
import type { SecretLookup } from "../ports.ts";
import { redactDeep } from "../redact.ts";
import { Breakpoints } from "./breakpoints.ts";
import type { Answered, Hit, PauseDesk, PausePoint } from "./desk.ts";
import { following } from "./following.ts";
import { restored } from "./restored.ts";

/** Milliseconds after which a pause that nobody can see goes on by itself. */
const UNWATCHED_MS = 10 * 60_000;

interface Waiting {
  pause: Pause;
  point: PausePoint;
  /** Ends the wait for somebody who watches. */
  cancel: (() => void) | undefined;
  settle(answered: Answered): void;
}

interface PausesOptions {
  clock: Clock;
  ids: Ids;
  secrets: SecretLookup;
  /** The time limits that stand still in a conversation that is stopped. */
  limits: Pick<RunningLimits, "hold">;
  /** Stops what runs in a conversation. */
  stopTurn(agentId: string, sessionId: string): Promise<void>;
  /** Turns are stopped, or going on. */
  onChange(): void;
}

/**
 * Stops turns where the person wants it, and lets them go on when they say so. While one stands still, the time limits of
 * its conversation stand still as well. While nobody watches, it goes on unchanged after ten minutes.
 */
export class Pauses implements PauseDesk {
  /** A field, so that a call that is not debugged pays for nothing but a look at it. */
  armed = false;
  private readonly options: PausesOptions;
  private readonly points: Breakpoints;
  private readonly waiting = new Map<string, Waiting>();
  /** Agents of which the next place is wanted, and `agent/conversation` where the person went on by one step. */
  private readonly steps = new Set<string>();
  private readonly feed = new EventFeed<PauseState>();
  private readonly watchers = new Set<object>();
  /** Nobody watched, and something went on by itself: nothing is stopped until somebody watches again. */
  private isLeft = false;
  private closed = false;

  constructor(options: PausesOptions) {
    this.options = options;
    this.points = new Breakpoints(options.ids);
  }

  breakpoints(agentId: string): Breakpoint[] {
    return this.points.list(agentId);
  }

  /** @throws PatchbayError CONDITION_INVALID, BAD_INPUT */
  add(agentId: string, given: Parameters<Breakpoints["add"]>[1]): Breakpoint {
    return this.changed(this.points.add(agentId, given));
  }

  /** @throws PatchbayError BREAKPOINT_NOT_FOUND, CONDITION_INVALID */
  change(agentId: string, id: string, given: Parameters<Breakpoints["add"]>[1]): Breakpoint {
    return this.changed(this.points.change(agentId, id, given));
  }

  /** What is stopped at it stays stopped. @throws PatchbayError BREAKPOINT_NOT_FOUND */
  remove(agentId: string, id: string): void {
    this.changed(this.points.remove(agentId, id));
  }

  /** Stops the agent's turns once at the next place, or takes this back. */
  next(agentId: string, on: boolean): void {
    if (on) this.steps.add(agentId);
    else this.steps.delete(agentId);
    this.changed(undefined);
  }

  /** What stands still, oldest first. */
  list(): Pause[] {
    return [...this.waiting.values()].map(({ pause }) => pause);
  }

  get state(): PauseState {
    const stepping = [...this.steps].filter((one) => !one.includes("/"));
    return { pauses: this.list(), breakpoints: this.points.list(), stepping };
  }

  /** The state now and after each change, until the signal is aborted. As long as somebody reads it, nothing goes on by itself. */
  watch(signal: AbortSignal | undefined): AsyncGenerator<PauseState, void> {
    const watcher = {};
    const events = this.feed.read(signal);
    this.watchers.add(watcher);
    this.isLeft = false;
    if (this.watchers.size === 1) this.watchedChanged();
    const leave = () => {
      if (this.watchers.delete(watcher) && this.watchers.size === 0) this.watchedChanged();
    };
    signal?.addEventListener("abort", leave, { once: true });
    if (signal?.aborted) leave();
    return following(this.state, events, leave);
  }

  /** What it is about, without stored secrets. @throws PatchbayError PAUSE_NOT_FOUND */
  look(id: string): PauseView {
    const { pause, point } = this.found(id);
    const { secrets } = this.options;
    return {
      pause,
      subject: redactDeep(point.subject(), secrets),
      ...redactDeep(point.more?.() ?? {}, secrets),
    };
  }

  /**
   * Lets it go on. What the person changed has to fit; else it stands still.
   * @throws PatchbayError PAUSE_NOT_FOUND, PAUSE_MISFIT, ARGUMENTS_INVALID
   */
  resume(id: string, answer: PauseAnswer, by: Caller): void {
    const { pause, point, settle } = this.found(id);
    const step = "step" in answer && answer.step;
    const goOn = (answered: Omit<Answered, "by">) => {
      if (step) this.steps.add(`${pause.agentId}/${pause.sessionId}`);
      settle({ ...answered, by });
    };
    switch (answer.action) {
      case "stop":
        goOn({ action: "stop" });
        break;
      case "skip":
        if (!pause.canSkip) throw misfit("This cannot be left out.");
        if (point.where === "model" && answer.text.trim() === "")
          throw misfit("What is said in the model's place must not be empty.");
        goOn({ action: "skip", ...(point.where !== "hook" && { given: answer.text }) });
        break;
      case "continue":
        goOn({ action: "continue", ...(answer.edit && { edit: this.fitting(point, answer.edit) }) });
        break;
    }
  }

  /** A turn is over: the next one is not stopped because of a step in this one. */
  turnEnded(agentId: string, sessionId: string): void {
    if (this.steps.delete(`${agentId}/${sessionId}`)) this.changed(undefined);
  }

  /** An agent is gone. */
  forget(agentId: string): void {
    this.points.forget(agentId);
    for (const step of [...this.steps])
      if (step === agentId || step.startsWith(`${agentId}/`)) this.steps.delete(step);
    for (const { point, settle } of [...this.waiting.values()])
      if (point.agentId === agentId) settle({ action: "stop", by: null, why: "stopped" });
    this.changed(undefined);
  }

  /** Stops every turn that stands still. None is stopped from now on. */
  close(): void {
    this.closed = true;
    this.armed = false;
    for (const { settle } of [...this.waiting.values()]) settle({ action: "stop", by: null, why: "closed" });
    this.feed.end();
  }

  hit(point: PausePoint): Hit | undefined {
    if (this.closed || this.isLeft) return undefined;
    const breakpoint = this.points.reached(point);
    const isStep = this.isStep(point);
    if (breakpoint) return { breakpoint: { id: breakpoint.id, name: breakpoint.name } };
    return isStep ? { breakpoint: null } : undefined;
  }

  wait(point: PausePoint, hit: Hit): Promise<Answered> {
    const { clock, ids, limits } = this.options;
    const { agentId, sessionId, where, title, tool, plugin, caller, canEdit, canSkip, signal } = point;
    const pause: Pause = {
      id: ids.next(),
      agentId,
      sessionId,
      turnId: point.span.recorder.turnId,
      where,
      title,
      tool: tool?.name ?? null,
      toolCallId: tool?.callId ?? null,
      plugin,
      ...hit,
      caller,
      since: isoTime(clock),
      goesOnAt: null,
      canEdit,
      canSkip,
    };
    const release = limits.hold((place) => place.agentId === agentId && place.sessionId === sessionId);
    return new Promise((resolve) => {
      const onAbort = () => settle({ action: "stop", by: null, why: "stopped" });
      const settle: Waiting["settle"] = (answered) => {
        const one = this.waiting.get(pause.id);
        if (!this.waiting.delete(pause.id)) return;
        one?.cancel?.();
        signal.removeEventListener("abort", onAbort);
        release();
        resolve(answered);
        this.changed(undefined);
      };
      this.waiting.set(pause.id, { pause, point, cancel: undefined, settle });
      signal.addEventListener("abort", onAbort, { once: true });
      if (this.watchers.size === 0) this.watchedChanged();
      else this.changed(undefined);
    });
  }

  async stop({ agentId, sessionId, span, signal }: PausePoint): Promise<void> {
    if (span.recorder.turnId === null || signal.aborted) return;
    const isUnderWay = new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    // It ends only after this call has ended, so that is not waited for.
    const isStopped = this.options.stopTurn(agentId, sessionId).catch(() => {});
    await Promise.race([isUnderWay, isStopped]);
  }

  /** Whether the person wants the next place, whatever it is. Outside of turns nothing is stopped for that. */
  private isStep({ agentId, sessionId, span }: PausePoint): boolean {
    if (this.steps.size === 0 || span.recorder.turnId === null) return false;
    const isOwn = this.steps.delete(`${agentId}/${sessionId}`);
    return this.steps.delete(agentId) || isOwn;
  }

  /** The change as it is to run. @throws PatchbayError PAUSE_MISFIT, ARGUMENTS_INVALID */
  private fitting(point: PausePoint, edit: PauseEdit): PauseEdit | undefined {
    if (!point.canEdit || edit.where !== point.where) throw misfit("This cannot be changed here.");
    const original = point.subject();
    const shown = redactDeep(original, this.options.secrets);
    // It has the shape of what was edited: parts of it are put back as they were.
    const whole = restored(original, shown, edit) as PauseEdit;
    point.check(whole);
    return JSON.stringify(whole) === JSON.stringify(original) ? undefined : whole;
  }

  /** Nobody watches any more, or somebody does again. */
  private watchedChanged(): void {
    const { clock } = this.options;
    for (const [id, one] of this.waiting) {
      const isWatched = this.watchers.size > 0;
      if (isWatched === (one.cancel === undefined)) continue;
      one.cancel?.();
      one.cancel = isWatched
        ? undefined
        : clock.after(UNWATCHED_MS, () => {
            this.isLeft = true;
            this.waiting.get(id)?.settle({ action: "continue", by: null, why: "unwatched" });
          });
      one.pause = { ...one.pause, goesOnAt: isWatched ? null : isoOf(clock.now() + UNWATCHED_MS) };
    }
    this.changed(undefined);
  }

  private found(id: string): Waiting {
    const one = this.waiting.get(id);
    if (!one) throw new PatchbayError("PAUSE_NOT_FOUND", "Nothing is stopped there any more.");
    return one;
  }

  private changed<T>(result: T): T {
    this.armed = !this.closed && (this.points.areOn || this.steps.size > 0);
    this.feed.push(this.state);
    this.options.onChange();
    return result;
  }
}

function misfit(message: string): PatchbayError {
  return new PatchbayError("PAUSE_MISFIT", message);
}
