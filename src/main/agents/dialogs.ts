import { EventEmitter } from "node:events";
import {
  type Caller,
  type Dialog,
  type DialogAnswer,
  type DialogQuestion,
  type DialogSubject,
  dialogQuestionSchema,
  type FormField,
  faultInWords,
  formFaults,
  type InstanceState,
  PatchbayError,
  type RecordEventOf,
} from "../../contract/index.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { type Ids, systemIds } from "../base/ids.ts";
import type { CallScope } from "../runtimes/plugin-call.ts";
import { RunningLimits } from "./call-limit.ts";
import type { LimitSource } from "./ports.ts";

/** The call during which a question is asked, as far as it is part of a turn. */
type CallPlace = Pick<CallScope, "turnId" | "spanId"> & Partial<Pick<CallScope, "sessionId">>;

/** A question that was asked in the middle of a call, and what became of it. */
export interface DialogStep {
  dialog: Dialog;
  during: CallPlace;
  /** Absent when it was asked just now. */
  over?: { answer: DialogAnswer; end: DialogEnd; by: Caller | null };
}
type DialogEnd = RecordEventOf<"dialog_answered">["end"];

interface Waiting {
  dialog: Dialog;
  during: CallPlace | undefined;
  cancel(): void;
  settle(answer: DialogAnswer): void;
}

/**
 * Questions that running plugins ask the person. They queue up; each is answered once, or with null when nobody
 * answers in time (`limits.dialogMs`), the plugin stops or the app closes.
 */
export class Dialogs {
  readonly changes = new EventEmitter<{
    dialog: [Dialog];
    dialogClosed: [id: string];
    /** Not told of questions outside of calls. */
    step: [DialogStep];
  }>();
  private readonly waiting = new Map<string, Waiting>();
  /** `<agent>/<plugin>` → the last known generation of its instance, to notice a restart. */
  private readonly generations = new Map<string, number>();
  /** The time limits of the calls that run; those of a plugin stand still while it asks. */
  readonly limits = new RunningLimits();
  private closed = false;
  private readonly settings: LimitSource;
  private readonly time: Clock;
  private readonly ids: Ids;

  constructor(options: { settings: LimitSource; clock?: Clock; ids?: Ids }) {
    this.settings = options.settings;
    this.time = options.clock ?? systemClock;
    this.ids = options.ids ?? systemIds;
  }

  /** The open questions, oldest first. */
  list(): Dialog[] {
    return [...this.waiting.values()].map((one) => one.dialog);
  }

  /**
   * Asks the person. Never rejects for want of an answer: null means that nobody answered.
   * @param of `about`: given when Patchbay asks, about the plugin; else the plugin asks. `during`: the call that waits
   * for the answer
   * @throws PatchbayError BAD_INPUT when the question has the wrong shape
   */
  ask(
    agentId: string,
    pluginKey: string,
    question: DialogQuestion,
    context: string,
    signal?: AbortSignal,
    { about, during }: { about?: DialogSubject | undefined; during?: CallPlace | undefined } = {},
  ): Promise<DialogAnswer> {
    const parsed = dialogQuestionSchema.safeParse(question);
    if (!parsed.success) {
      return Promise.reject(
        new PatchbayError("BAD_INPUT", `The plugin ${pluginKey} asked a question of the wrong shape.`),
      );
    }
    // A plugin that asks on while the app closes is not waited for.
    if (this.closed || signal?.aborted) return Promise.resolve(null);
    const now = this.time.now();
    const dialog: Dialog = {
      id: this.ids.next(),
      agentId,
      pluginKey,
      context,
      ...(during?.sessionId !== undefined && { sessionId: during.sessionId }),
      question: parsed.data,
      ...(about && { about }),
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + this.settings.get().limits.dialogMs).toISOString(),
    };
    return new Promise((resolve) => {
      const release = this.limits.hold((place) => place.agentId === agentId && place.pluginKey === pluginKey);
      const onAbort = () => this.settle(dialog.id, null, "gone");
      const cancel = this.time.after(this.settings.get().limits.dialogMs, () =>
        this.settle(dialog.id, null, "timed_out"),
      );
      signal?.addEventListener("abort", onAbort, { once: true });
      this.waiting.set(dialog.id, {
        dialog,
        during,
        cancel,
        settle: (answer) => {
          signal?.removeEventListener("abort", onAbort);
          release();
          resolve(answer);
        },
      });
      if (during) this.changes.emit("step", { dialog, during });
      this.changes.emit("dialog", dialog);
    });
  }

  /** @throws PatchbayError DIALOG_NOT_FOUND when it is answered or gone already, BAD_INPUT when the answer does not fit */
  answer(id: string, answer: DialogAnswer, by: Caller = { kind: "owner" }): void {
    const one = this.waiting.get(id);
    if (!one) throw new PatchbayError("DIALOG_NOT_FOUND", "That question is no longer open.");
    const wrong = misfit(one.dialog.question, answer);
    if (wrong) throw new PatchbayError("BAD_INPUT", wrong);
    this.settle(id, answer, "answered", by);
  }

  /** Closes the questions of a plugin that has stopped or was restarted: nothing waits for the answers any more. */
  pluginChanged(agentId: string, key: string, now: { state: InstanceState; generation: number }): void {
    const name = `${agentId}/${key}`;
    const before = this.generations.get(name);
    this.generations.set(name, now.generation);
    const alive = now.state === "running" || now.state === "degraded" || now.state === "starting";
    if (!alive || (before !== undefined && before !== now.generation)) this.pluginStopped(agentId, key);
  }

  private pluginStopped(agentId: string, pluginKey: string): void {
    for (const { dialog } of [...this.waiting.values()]) {
      if (dialog.agentId === agentId && dialog.pluginKey === pluginKey) this.settle(dialog.id, null, "gone");
    }
  }

  /** Closes every question unanswered, and those that are asked from now on at once. */
  close(): void {
    this.closed = true;
    for (const id of [...this.waiting.keys()]) this.settle(id, null, "gone");
  }

  private settle(id: string, answer: DialogAnswer, end: DialogEnd, by: Caller | null = null): void {
    const one = this.waiting.get(id);
    if (!one) return;
    this.waiting.delete(id);
    one.cancel();
    const { dialog, during } = one;
    if (during) this.changes.emit("step", { dialog, during, over: { answer, end, by } });
    one.settle(answer);
    this.changes.emit("dialogClosed", id);
  }
}

/** Why an answer does not fit its question, as a sentence; undefined when it does. */
function misfit(question: DialogQuestion, answer: DialogAnswer): string | undefined {
  if (answer === null) return undefined;
  switch (question.kind) {
    case "confirm":
      return typeof answer === "boolean" ? undefined : "The answer must be yes or no.";
    case "text":
      return typeof answer === "string" ? badText(question.validate, answer) : "The answer must be a text.";
    case "select":
      return typeof answer === "string" && question.options.some((option) => option.value === answer)
        ? undefined
        : "The answer must be one of the options.";
    case "multi_select":
      return Array.isArray(answer) &&
        answer.every((value) => question.options.some((option) => option.value === value))
        ? undefined
        : "The answer must be a list of the options.";
    case "form":
      return isReply(answer) ? badForm(question.fields, answer) : "The answer must be the values, or a no.";
    case "link":
      return isReply(answer) ? undefined : "The answer must be that it is finished, or a no.";
  }
}

type Reply = Extract<DialogAnswer, { action: unknown }>;

function isReply(answer: DialogAnswer): answer is Reply {
  return typeof answer === "object" && answer !== null && "action" in answer;
}

function badForm(fields: readonly FormField[], reply: Reply): string | undefined {
  if (reply.action === "decline") return undefined;
  const faults = formFaults(fields, reply.values);
  const titles = new Map(fields.map(({ name, title }) => [name, title]));
  return (
    faults.map((fault) => faultInWords(fault, titles.get(fault.field) ?? fault.field)).join(" ") || undefined
  );
}

/** What the question demands of a text, as far as it can be judged without looking at files. */
function badText(
  rule: Extract<DialogQuestion, { kind: "text" }>["validate"],
  answer: string,
): string | undefined {
  switch (rule) {
    case "non_empty":
    case "path_exists":
      return answer.trim() === "" ? "The answer must not be empty." : undefined;
    case "integer":
      return /^[+-]?\d+$/.test(answer.trim()) ? undefined : "The answer must be a whole number.";
    case "url":
      return /^https?:\/\/./i.test(answer)
        ? undefined
        : "The answer must be an address that begins with http:// or https://.";
    case undefined:
      return undefined;
  }
}
