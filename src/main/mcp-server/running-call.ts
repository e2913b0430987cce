import { randomBytes } from "node:crypto";
import {
  type Approval,
  type ApprovalDecision,
  confirmationAskedSchema,
  type Dialog,
  defaultAnswerOf,
  problemFromWire,
} from "../../contract/index.ts";
import { readUntil } from "../base/read-until.ts";
import type { Answer } from "./answers.ts";
import type { Core } from "./core.ts";
import {
  approvalForm,
  codeForm,
  codeOf,
  decisionOf,
  dialogAnswerOf,
  dialogForm,
  type Form,
  type Given,
} from "./forms.ts";

/** A question that the call waits for, as the client is asked it. */
export interface Asked {
  id: string;
  form: Form;
  /** Aborted when it was answered elsewhere, or nobody waits for the answer any more. */
  over: AbortSignal;
}

/** What a call has come to: a question, or its end. */
export type Step = { type: "asked"; asked: Asked } | ({ type: "ended" } & End);
type End = { answer: Answer } | { error: unknown };

export interface CallRequest {
  agentId: string;
  /** What "for this session" holds for. */
  sessionId: string;
  /** False: each call stands for itself. */
  hasSession: boolean;
  name: string;
  input: Record<string, unknown>;
  program: { name: string; canAsk: boolean };
}

interface Open extends Asked {
  closed: AbortController;
  shown: boolean;
  answered(given: Given): Promise<void>;
}

/** How often a wrong code may be typed for one call. */
const mostCodes = 3;

/**
 * A call on its way through the pipeline, with the questions that it waits for. Each question also stands in Patchbay; the
 * first answer counts.
 */
export class RunningCall {
  /** Names the call in what a client sends back; nobody can guess it. */
  readonly id = randomBytes(24).toString("base64url");
  readonly request: CallRequest;
  onProgress: (text: string) => void = () => {};
  /** Resolves when the call has ended, whatever came of it. */
  readonly done: Promise<void>;
  readonly #core: Core;
  readonly #client: Core["client"];
  readonly #stopped = new AbortController();
  readonly #open = new Map<string, Open>();
  #end: End | undefined;
  #wake: () => void = () => {};

  constructor(core: Core, request: CallRequest) {
    this.#core = core;
    this.#client = core.clientOfCall();
    this.request = request;
    this.done = this.#run().then((end) => {
      this.#end = end;
      for (const id of [...this.#open.keys()]) this.#close(id);
      this.#wake();
    });
  }

  /** Waits for the next question that nobody was asked yet, or for the end. One reader at a time. */
  async next(): Promise<Step> {
    for (;;) {
      if (this.#end) return { type: "ended", ...this.#end };
      const asked = [...this.#open.values()].find((one) => !one.shown);
      if (asked) {
        asked.shown = true;
        return { type: "asked", asked };
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Takes what a client says of a question. Answers to questions that are not open any more are dropped. */
  async answer(id: string, given: Given): Promise<void> {
    const open = this.#open.get(id);
    if (!open) return;
    try {
      await open.answered(given);
    } catch {
      // It was decided elsewhere in the meantime, or is left to Patchbay's own screens.
    }
  }

  /** What a client sends back with the questions that it was asked; one without an answer was left open. */
  async answerAll(givenOf: (id: string) => Given | undefined): Promise<void> {
    const shown = [...this.#open.values()].filter((one) => one.shown);
    await Promise.all(shown.map(({ id }) => this.answer(id, givenOf(id) ?? { action: "cancel" })));
  }

  /** Puts a question of the plugin whose tool runs. */
  async ask(dialog: Dialog): Promise<void> {
    const { id } = dialog;
    const { alone } = this.#core;
    const client = this.#client;
    const answer = (given: Given) =>
      client.dialogs.answer({ id, answer: dialogAnswerOf(given, dialog.question) });
    const form = this.request.program.canAsk ? dialogForm(dialog) : undefined;
    if (form) {
      this.#put(id, form, async (given) => {
        // Whoever closes a question can still answer it in Patchbay, where that runs.
        if (given.action !== "cancel" || alone) await answer(given);
      });
    } else if (alone) {
      const byDefault = dialog.about ? null : (defaultAnswerOf(dialog.question) ?? null);
      await client.dialogs.answer({ id, answer: byDefault }).catch(() => {});
    }
  }

  dialogClosed(id: string): void {
    this.#close(id);
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #run(): Promise<End> {
    const { signal } = this.#stopped;
    try {
      const client = this.#client;
      const { hasSession: _, ...asked } = this.request;
      for await (const event of readUntil(await client.tools.run(asked, { signal }), signal)) {
        if (event.type === "progress") this.onProgress(event.text);
        else if (event.type === "approval") this.#approval(event.approval);
        else if (event.type === "done") return { answer: event };
      }
      return { error: new Error("The call was stopped.") };
    } catch (error) {
      return { error };
    }
  }

  #approval(approval: Approval): void {
    const { id, status } = approval;
    if (status !== "waiting") {
      this.#close(id);
      return;
    }
    this.#put(id, approvalForm(approval, this.request.hasSession), async (given) => {
      const { name } = this.request.program;
      const left = this.#core.alone
        ? ({ decision: "deny", reason: `left open in ${name}` } as const)
        : undefined;
      const decision = decisionOf(given, name) ?? left;
      if (decision) await this.#decide(id, decision, 0);
    });
  }

  /** Allowing needs the person's word where Patchbay does not know that it is they who answer. */
  async #decide(id: string, answer: ApprovalDecision, tries: number): Promise<void> {
    const client = this.#client;
    try {
      await client.approvals.decide({ id, answer });
    } catch (error) {
      const { code, details } = problemFromWire(error);
      const asked =
        code === "CONFIRMATION_NEEDED" ? confirmationAskedSchema.safeParse(details).data : undefined;
      if (!asked?.ways.includes("code") || tries >= mostCodes) throw error;
      this.#put(id, codeForm(tries), async (given) => {
        const typed = codeOf(given);
        if (typed === undefined) return;
        const right = await client.access.confirm({ code: typed }).then(
          () => true,
          () => false,
        );
        await this.#decide(id, answer, right ? tries : tries + 1);
      });
    }
  }

  #put(id: string, form: Form, answered: Open["answered"]): void {
    const closed = this.#open.get(id)?.closed ?? new AbortController();
    this.#open.set(id, { id, form, over: closed.signal, closed, shown: false, answered });
    this.#wake();
  }

  #close(id: string): void {
    this.#open.get(id)?.closed.abort();
    this.#open.delete(id);
  }
}
