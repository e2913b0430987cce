import { randomUUID } from "node:crypto";
import {
  PatchbayError,
  type Problem,
  type SetupAnswer,
  type SetupView,
  toProblem,
} from "../../contract/index.ts";
import type { SetupPluginState } from "../runtimes/runtime.ts";
import { Finishing } from "./finishing.ts";
import { checkedValues, refuseOther } from "./flow/answers.ts";
import { externalStep, Poller } from "./flow/polling.ts";
import { SetupMachine, type StepDraft } from "./flow/steps.ts";
import { formStep } from "./form-step.ts";
import { IdleClock } from "./idle-clock.ts";
import type { SessionOptions, SettingsForm } from "./runner/options.ts";
import { PluginSide } from "./runner/plugin-process.ts";
import { TypedSecrets } from "./runner/typed-secrets.ts";
import { headingOf } from "./sign-in-step.ts";
import { SigningIn } from "./signing-in.ts";
import { Turns } from "./turns.ts";
import type { WizardFrame } from "./wizard-frame.ts";

/** A wizard ends by itself when nothing happened for this long, milliseconds. */
export const IDLE_MS = 15 * 60_000;

/** One run of the wizard. All that it started (process, listener, timers) is gone once it is over. */
export class SetupSession {
  readonly id = randomUUID();
  readonly startedAt: string;
  readonly #options: SessionOptions;
  readonly #machine: SetupMachine;
  readonly #poller: Poller;
  readonly #side: PluginSide;
  readonly #turns: Turns;
  readonly #secrets: TypedSecrets;
  readonly #idle: IdleClock;
  readonly #signingIn: SigningIn;
  readonly #finishing: Finishing;
  #retry: (() => Promise<void>) | null = null;
  #over = false;

  constructor(options: SessionOptions, interrupted?: Problem) {
    const { clock, limitMs, plugin } = options;
    this.#options = options;
    this.startedAt = new Date(clock.now()).toISOString();
    const first: StepDraft = interrupted
      ? { kind: "error", problem: interrupted, canRetry: true }
      : { kind: "progress", doing: "opening" };
    this.#machine = new SetupMachine(first, () => this.#changed());
    this.#poller = new Poller(clock, {
      ask: () => this.#ask(),
      show: (poll) => this.#machine.amend("external", { poll }),
    });
    this.#side = new PluginSide(() => void this.#hostEnded());
    this.#turns = new Turns({ clock, limitMs, displayName: plugin.displayName }, () => this.#poller.stop());
    this.#secrets = new TypedSecrets((value) => options.hide(value));
    this.#idle = new IdleClock(clock, IDLE_MS, () => void this.#expire());
    const frame = this.#frame();
    this.#signingIn = new SigningIn(frame, this.#side);
    this.#finishing = new Finishing(frame);
    if (interrupted) this.#retry = () => this.begin();
    this.#idle.restart();
  }

  get isOver(): boolean {
    return this.#over;
  }

  get isDone(): boolean {
    return this.#machine.step.kind === "done";
  }

  view(): SetupView {
    const { agentId, plugin, reason } = this.#options;
    return {
      id: this.id,
      agentId,
      pluginKey: plugin.manifestKey,
      reason,
      step: this.#machine.step,
      trail: [...this.#machine.trail],
      startedAt: this.startedAt,
      expiresAt: new Date(this.#idle.expiresAt).toISOString(),
    };
  }

  /**
   * Answers the step that is shown; resolves when the next one that says something is.
   *
   * @throws PatchbayError SETUP_STALE, and BAD_INPUT or CONFIG_INVALID about the answer; the step then stays
   */
  async submit(stepId: string, answer: SetupAnswer): Promise<void> {
    const step = this.#machine.answered(stepId);
    this.#idle.restart();
    refuseOther(step, answer);
    switch (answer.kind) {
      case "values":
        if (step.kind !== "form") break;
        return this.#give(this.#secrets.of(checkedValues(step.fields, answer), step.fields));
      case "choice": {
        const { choice } = answer;
        if (step.kind === "menu" && !step.options.some(({ value }) => value === choice)) {
          throw new PatchbayError("BAD_INPUT", "Choose one of the answers that are offered.");
        }
        return this.#give({ choice });
      }
      case "settings":
        return this.#finishing.form(this.#form(), answer);
      case "renew":
        return this.#renew();
      case "way":
        return this.#signingIn.changeWay(answer.way);
      case "open":
        if (step.kind !== "oauth") break;
        return this.#signingIn.openPage(step.url);
      case "retry":
        return this.#retry?.();
    }
  }

  /** Asks the plugin now. Never rejects. */
  async poll(): Promise<void> {
    if (this.#machine.step.kind === "external") await this.#poller.now();
  }

  /** Ends it, the plugin's side too. What is being saved is saved first. Never rejects. */
  async close(): Promise<void> {
    this.#over = true;
    this.#idle.stop();
    await this.#finishing.settled();
    await this.#release(new PatchbayError("ABORTED", "The setup was cancelled."));
  }

  /** (Re)opens it; resolves when the first step that says something is shown. Never rejects: failures are steps. */
  async begin(): Promise<void> {
    const { steps, input } = this.#options;
    if (this.#machine.step.kind !== "progress") this.#machine.move({ kind: "progress", doing: "opening" });
    this.#machine.forgetTrail();
    await this.#release(new PatchbayError("ABORTED", "The setup begins anew."));
    if (this.#over) return;
    this.#signingIn.reset();
    if ("form" in steps) return this.#openForm(steps.form);
    await this.#act((signal) => this.#side.begin((opening) => steps.open(opening), input, signal));
  }

  async #openForm(form: SettingsForm): Promise<void> {
    const turn = this.#turns.next();
    try {
      await this.#turns.run(turn, () => form.ready());
      if (!turn.signal.aborted) this.#machine.move({ kind: "settings", config: form.config() });
    } catch (error) {
      if (this.#turns.current === turn && !this.#over) await this.#fail(error, () => this.begin());
    }
  }

  #form(): SettingsForm {
    const { steps } = this.#options;
    if ("form" in steps) return steps.form;
    throw new PatchbayError("INTERNAL", "A setup of the plugin's own shows no settings.");
  }

  /** Gives the plugin an answer and shows what it says. */
  async #give(input: Record<string, unknown>): Promise<void> {
    this.#machine.move({ kind: "progress", doing: "checking" });
    await this.#act((signal) => this.#side.submit(input, signal));
  }

  /** Runs a step of work under a time limit; whatever was going on before is stopped. */
  async #act(work: (signal: AbortSignal) => Promise<SetupPluginState>): Promise<void> {
    const turn = this.#turns.next();
    try {
      const state = await this.#turns.run(turn, work);
      if (!turn.signal.aborted) await this.#show(state);
    } catch (error) {
      if (this.#turns.current === turn && !this.#over) await this.#fail(error, () => this.begin());
    }
  }

  async #show(state: SetupPluginState): Promise<void> {
    switch (state.kind) {
      case "awaiting_user_input":
        return this.#machine.move({ ...headingOf(state), ...formStep(state) });
      case "awaiting_choice":
        return this.#machine.move({ ...headingOf(state), kind: "menu", options: state.options });
      case "awaiting_external":
        this.#machine.move({ ...headingOf(state), ...externalStep(state, this.#options.clock.now()) });
        return this.#poller.start(state);
      case "awaiting_oauth":
        return this.#signingIn.ask(state);
      case "done":
        return this.#finishing.setup(state, this.#signingIn.grant, this.#side);
      case "error":
        return this.#fail(new PatchbayError("SETUP_FAILED", state.message), () => this.begin());
    }
  }

  /** One question to the plugin while something outside is awaited. @throws what a failed poll is retried for */
  async #ask(): Promise<void> {
    const turn = this.#turns.current;
    const state = await this.#turns.run(turn, (signal) => this.#side.poll(signal));
    const shown = this.#machine.step;
    if (turn !== this.#turns.current || turn.signal.aborted || shown.kind !== "external") return;
    if (state.kind !== "awaiting_external") return this.#show(state);
    const next = externalStep(state, this.#options.clock.now());
    if (next.qrText === shown.qrText && next.redirectUrl === shown.redirectUrl && next.code === shown.code) {
      return;
    }
    this.#idle.restart();
    this.#machine.move({ ...headingOf(state), ...next });
    this.#poller.start(state);
  }

  /** A new code: what the plugin shows by now, else its session begins anew. */
  async #renew(): Promise<void> {
    const before = this.#machine.step.id;
    await this.#poller.now();
    if (this.#machine.step.id === before) await this.begin();
  }

  /** @param keepPlugin its process goes on: what it made is still needed */
  async #fail(error: unknown, retry: () => Promise<void>, keepPlugin = false): Promise<void> {
    this.#poller.stop();
    if (this.#over || this.isDone) return;
    this.#retry = retry;
    const problem = toProblem(error, "SETUP_FAILED");
    if (!keepPlugin && !this.#signingIn.isPending) await this.#release(error);
    if (this.#machine.step.kind === "error") this.#machine.amend("error", { problem });
    else this.#machine.move({ kind: "error", problem, canRetry: true });
  }

  async #hostEnded(): Promise<void> {
    if (this.#over) return;
    const { kind } = this.#machine.step;
    if (this.#finishing.isSaving || kind === "error" || kind === "done") return;
    const { displayName } = this.#options.plugin;
    this.#turns.next();
    // Nobody is left to hand its outcome to.
    if (this.#signingIn.isPending) await this.#signingIn.forget();
    await this.#fail(
      new PatchbayError("HOST_CRASHED", `The process of ${displayName} ended in the middle of its setup.`, {
        help: "Start it again; look at the plugin's log if it goes on.",
      }),
      () => this.begin(),
    );
  }

  /** Lets go of everything that runs for it. */
  async #release(reason: unknown, cancel = true): Promise<void> {
    this.#turns.next(reason);
    await this.#signingIn.forget();
    await this.#side.close(cancel);
  }

  async #expire(): Promise<void> {
    if (this.#over) return;
    if (this.#finishing.isSaving) return this.#idle.restart();
    const { kind } = this.#machine.step;
    if (kind === "error" || kind === "done") return this.#options.forgotten();
    this.#turns.next();
    this.#idle.restart();
    const { displayName } = this.#options.plugin;
    await this.#release(new PatchbayError("ABORTED", "The setup has expired."));
    await this.#fail(
      new PatchbayError("SETUP_EXPIRED", `The setup of ${displayName} was left alone for too long.`),
      () => this.begin(),
    );
  }

  #changed(): void {
    if (!this.#over) this.#options.changed();
  }

  #frame(): WizardFrame {
    const isOver = () => this.#over;
    return {
      options: this.#options,
      machine: this.#machine,
      turns: this.#turns,
      secrets: this.#secrets,
      get isOver() {
        return isOver();
      },
      stayAwake: () => this.#idle.restart(),
      begin: () => this.begin(),
      give: (input) => this.#give(input),
      release: (reason, cancel) => this.#release(reason, cancel),
      fail: (error, retry, keepPlugin) => this.#fail(error, retry, keepPlugin),
    };
  }
}
