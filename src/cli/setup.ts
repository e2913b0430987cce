import { renderUnicodeCompact } from "uqr";
import {
  type AppEvent,
  fromProblem,
  type Problem,
  type SetupAnswer,
  type SetupReason,
  type SetupStep,
  type SetupView,
} from "../contract/index.ts";
import { stepInWords } from "../contract/shown/in-words.ts";
import { readUntil } from "../main/base/read-until.ts";
import type { CliContext, Client } from "./context.ts";
import { FieldQuestions } from "./terminal/ask-fields.ts";
import { sayOf } from "./terminal/plugin-say.ts";

export interface SetupRequest {
  agentId: string;
  key: string;
  reason?: SetupReason;
  /** Answers given as options, by the name of the field; `choice` for a menu. */
  given: Record<string, string>;
}

/** How often a person who answers wrongly is asked again. */
const MOST_TRIES = 3;

/**
 * Leads a person through a plugin's setup in the terminal. The wizard in the core is ended with it in any case.
 *
 * @throws PatchbayError of the step that failed, or ABORTED on Ctrl+C
 */
export async function setUp(context: CliContext, client: Client, request: SetupRequest): Promise<SetupView> {
  const { agentId, key, reason } = request;
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, context.signal]);
  const events = await client.app.events({}, { signal });
  const changed = followChanges(readUntil(events, signal), agentId, key, signal);
  let view = await client.setup.begin({ agentId, key, again: true, ...(reason && { reason }) });
  const sessionId = view.id;
  const terminal = new SetupTerminal(context, request.given);
  try {
    const say = await sayOf(context, client, key);
    for (;;) {
      context.signal.throwIfAborted();
      const step = stepInWords(view.step, say);
      if (step.kind === "done") return view;
      if (step.kind === "error") throw fromProblem(step.problem);
      const answer = await terminal.answer(step);
      if (answer) {
        view = await submit(terminal, client, { agentId, key, sessionId, stepId: step.id }, answer);
        continue;
      }
      await changed();
      view = (await client.setup.get({ agentId, key })) ?? view;
    }
  } finally {
    over.abort();
    await client.setup.cancel({ agentId, key, sessionId });
  }
}

async function submit(
  terminal: SetupTerminal,
  client: Client,
  at: { agentId: string; key: string; sessionId: string; stepId: string },
  answer: SetupAnswer,
): Promise<SetupView> {
  try {
    return await client.setup.submit({ ...at, answer });
  } catch (error) {
    const now = await client.setup.get(at);
    // The failure is about what was typed, and the step is shown (still or again): the person may answer once more.
    if (now && (now.step.kind === "form" || now.step.kind === "settings") && terminal.mayAskAgain(error))
      return now;
    throw error;
  }
}

/** Resolves when the wizard changed since it was asked last. */
function followChanges(
  events: AsyncIterable<AppEvent>,
  agentId: string,
  key: string,
  signal: AbortSignal,
): () => Promise<void> {
  let isNew = false;
  let wake: () => void = () => {};
  const tell = () => {
    isNew = true;
    wake();
  };
  signal.addEventListener("abort", tell, { once: true });
  void (async () => {
    for await (const event of events) {
      if (event.type !== "changes") continue;
      const ours = event.changes.some(
        (change) =>
          change.type === "put" &&
          change.collection === "setups" &&
          change.item.agentId === agentId &&
          change.item.pluginKey === key,
      );
      if (ours) tell();
    }
  })().catch(tell);
  return async () => {
    if (!isNew) await new Promise<void>((resolve) => (wake = resolve));
    isNew = false;
  };
}

/** Prints one step and asks for its answer; null when the step only waits for something outside. */
class SetupTerminal {
  readonly #context: CliContext;
  readonly #given: Record<string, string>;
  readonly #questions: FieldQuestions;
  #refused = false;
  #shown = "";
  #tries = 0;

  constructor(context: CliContext, given: Record<string, string>) {
    this.#context = context;
    this.#given = given;
    this.#questions = new FieldQuestions(context, given);
  }

  /** Notes that an answer was refused. Prints the reason and returns true when the person may try again. */
  mayAskAgain(error: unknown): boolean {
    this.#tries += 1;
    this.#refused = true;
    const message = (error as Partial<Problem>).message;
    if (!this.#context.terminal.interactive || this.#tries >= MOST_TRIES || message === undefined)
      return false;
    this.#context.output.note(`${this.#context.output.paint.bad("✗")} ${message}`);
    return true;
  }

  async answer(step: SetupStep): Promise<SetupAnswer | null> {
    switch (step.kind) {
      case "form":
        this.#heading(step);
        this.#beside(step);
        return { kind: "values", values: await this.#questions.ask(step.fields, this.#takeRefused(step)) };
      case "menu":
        this.#heading(step);
        return { kind: "choice", choice: await this.#choose(step) };
      case "settings":
        throw fromProblem({
          code: "BAD_INPUT",
          message: "This plugin has no setup of its own: it is set up by its settings.",
          help: "Use `patchbay plugin config <key> --agent A --set name=value` and `--secret <name>`, then `plugin enable`.",
        });
      case "external":
        this.#external(step);
        return null;
      case "oauth":
        this.#oauth(step);
        return null;
      default:
        return null;
    }
  }

  /**
   * Prints the problem, page and text to copy of a form. A problem ends the command when nobody is at the terminal: the
   * same answer would be given, and refused, for ever.
   */
  #beside({ problem, page, copy }: Extract<SetupStep, { kind: "form" }>): void {
    const { output, terminal } = this.#context;
    if (problem && !terminal.interactive) throw fromProblem({ code: "SETUP_FAILED", message: problem });
    if (problem) output.note(`${output.paint.bad("✗")} ${problem}`);
    if (page) output.note(`${page.label}: ${page.url}`);
    if (copy) output.note(`${copy.label}:\n${copy.text}`);
  }

  #heading({ title, instructions }: SetupStep): void {
    const { output } = this.#context;
    if (title) output.note(`\n${output.paint.bold(title)}`);
    if (instructions) output.note(instructions);
  }

  /** Whether the form is shown again because an answer was refused. Reading it clears the mark. */
  #takeRefused({ problem }: Extract<SetupStep, { kind: "form" }>): boolean {
    const refused = this.#refused || problem !== undefined;
    this.#refused = false;
    return refused;
  }

  async #choose({ options }: Extract<SetupStep, { kind: "menu" }>): Promise<string> {
    const { terminal, signal } = this.#context;
    if (this.#given.choice !== undefined) return this.#given.choice;
    if (terminal.interactive) return terminal.choose("Which one?", options, signal);
    throw fromProblem({
      code: "BAD_INPUT",
      message: "The setup asks which way to go, and nobody can be asked here.",
      help: `Give it with --set choice=…: ${options.map(({ value }) => value).join(", ")}.`,
    });
  }

  #external(step: Extract<SetupStep, { kind: "external" }>): void {
    const { output } = this.#context;
    const shown = [step.qrText, step.redirectUrl, step.code].join("\n");
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.#heading(step);
      // The light squares of the QR code are drawn, with a light border: phones can read that on a dark terminal.
      if (step.qrText) output.note(renderUnicodeCompact(step.qrText, { border: 2, ecc: "M" }));
      if (step.attempt)
        output.note(`Code ${step.attempt.number}${step.attempt.of ? ` of ${step.attempt.of}` : ""}`);
      if (step.code) output.note(`Or type this code: ${output.paint.bold(step.code)}`);
      if (step.redirectUrl) output.note(`Open this page: ${step.redirectUrl}`);
    }
    if (step.poll.problem) output.note(`▲ ${step.poll.problem.message} It is tried again.`);
  }

  #oauth(step: Extract<SetupStep, { kind: "oauth" }>): void {
    if (step.url === this.#shown) return;
    this.#shown = step.url;
    const { output } = this.#context;
    this.#heading(step);
    output.note(`Sign in at: ${step.url}`);
    if (step.userCode) output.note(`and type this code: ${output.paint.bold(step.userCode)}`);
    output.note("Waiting for your browser…");
  }
}
