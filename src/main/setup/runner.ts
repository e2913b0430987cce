import {
  type ErrorCode,
  fromProblem,
  PatchbayError,
  type Problem,
  type SetupAnswer,
  type SetupView,
  toProblem,
} from "../../contract/index.ts";
import { systemIds } from "../base/ids.ts";
import type { SetupPluginState } from "../runtimes/runtime.ts";
import {
  type Effect,
  type Finished,
  type FlowEvent,
  type FlowState,
  type Happening,
  isClosing,
  isSettled,
} from "./flow/state.ts";
import { flow, newFlow } from "./flow.ts";
import type { Grant } from "./oauth/types.ts";
import type { RunnerOptions, SettingsForm } from "./runner/options.ts";
import { PluginProcess } from "./runner/plugin-process.ts";
import { withinTime } from "./runner/time-limit.ts";
import { Timers } from "./runner/timers.ts";
import { TypedSecrets } from "./runner/typed-secrets.ts";
import { Waiting } from "./runner/waiting.ts";
import { WaitingSignIn } from "./runner/waiting-sign-in.ts";

type EffectOf<Kind extends Effect["kind"]> = Extract<Effect, { kind: Kind }>;

/**
 * One run of a wizard: carries out the effects of the flow, and reports their results to it as events. All that it
 * started (process, listener, timers) is gone once the wizard is over.
 */
export class SetupRunner {
  readonly id: string;
  readonly startedAt: string;
  readonly #options: RunnerOptions;
  readonly #plugin: PluginProcess;
  readonly #signIn: WaitingSignIn;
  readonly #secrets: TypedSecrets;
  readonly #timers: Timers;
  readonly #waiting = new Waiting(() => !this.#telling && isSettled(this.#state));
  readonly #events: FlowEvent[] = [];
  #telling = false;
  readonly #over = Promise.withResolvers<void>();
  /** Aborted when the running work is released; then replaced by a new one. */
  #work = new AbortController();
  #state: FlowState;

  /**
   * @param interrupted set when the wizard was open as the app ended: it shows this problem until the person begins
   * anew
   */
  constructor(options: RunnerOptions, interrupted?: Problem) {
    const { clock, plugin, ids = systemIds } = options;
    this.#options = options;
    this.id = ids.next();
    this.startedAt = new Date(clock.now()).toISOString();
    this.#plugin = new PluginProcess(clock, () => this.#tell({ kind: "plugin-ended" }));
    this.#signIn = new WaitingSignIn(options.signIn);
    this.#timers = new Timers(clock, (timer) => this.#tell({ kind: "due", timer }));
    this.#secrets = new TypedSecrets((value) => options.hide(value));
    const { state, effects } = newFlow({
      id: this.id,
      displayName: plugin.displayName,
      asks: "form" in options.steps ? "form" : "plugin",
      at: clock.now(),
      ...(interrupted && { interrupted }),
    });
    this.#state = state;
    for (const effect of effects) this.#carryOut(effect);
  }

  /** It was cancelled. */
  get isOver(): boolean {
    return isClosing(this.#state);
  }

  get isDone(): boolean {
    return this.#state.step.kind === "done";
  }

  /** What was finished is stored; it may still be starting. */
  get isSaved(): boolean {
    return this.#state.saved;
  }

  view(): SetupView {
    const { agentId, plugin, reason } = this.#options;
    const { step, trail, expiresAt } = this.#state;
    return {
      id: this.id,
      agentId,
      pluginKey: plugin.manifestKey,
      reason,
      step,
      trail: [...trail],
      startedAt: this.startedAt,
      expiresAt: new Date(expiresAt).toISOString(),
    };
  }

  /**
   * Opens the wizard. Resolves when the first step that is not mere progress is shown. Never rejects: a failure is a
   * step, too.
   */
  begin(): Promise<void> {
    this.#tell({ kind: "begin" });
    return this.#waiting.untilSettled();
  }

  /**
   * Answers the shown step. Resolves when the next step that is not mere progress is shown.
   *
   * @throws PatchbayError SETUP_STALE, and BAD_INPUT, CONFIG_INVALID or CONFIG_REFUSED about the answer; the step then
   * stays or is shown again
   */
  submit(stepId: string, answer: SetupAnswer): Promise<void> {
    return this.#waiting.forAnswer((ticket) => this.#tell({ kind: "answer", stepId, answer, ticket }));
  }

  /** Asks the plugin now instead of when its time has come. Never rejects. */
  async poll(): Promise<void> {
    if (this.#state.phase.kind !== "polling") return;
    this.#tell({ kind: "ask-now" });
    await this.#waiting.untilSettled();
  }

  /** Ends it, the plugin's side too. What is being saved is saved first. Never rejects. */
  close(): Promise<void> {
    this.#tell({ kind: "cancel" });
    return this.#over.promise;
  }

  /**
   * Gives an event to the flow and carries out the effects. Events that arrive during this are queued, so that the flow
   * sees one at a time.
   */
  #tell(happening: Happening): void {
    this.#events.push({ ...happening, at: this.#options.clock.now() });
    if (this.#telling) return;
    this.#telling = true;
    try {
      for (let event = this.#events.shift(); event; event = this.#events.shift()) {
        const { state, effects } = flow(this.#state, event);
        this.#state = state;
        for (const effect of effects) this.#carryOut(effect);
      }
    } finally {
      this.#telling = false;
    }
    this.#waiting.settle();
    if (this.#state.phase.kind === "over") this.#over.resolve();
  }

  #carryOut(effect: Effect): void {
    const { steps, input } = this.#options;
    switch (effect.kind) {
      case "open-plugin":
        if ("form" in steps) throw new Error("A plugin without a setup of its own cannot be asked.");
        this.#ask(effect.turn, (signal) =>
          this.#plugin.begin((opening) => steps.open(opening), input, signal),
        );
        break;
      case "submit":
        this.#ask(effect.turn, (signal) => this.#plugin.submit(effect.input, signal));
        break;
      case "poll":
        this.#ask(effect.turn, (signal) => this.#plugin.poll(signal));
        break;
      case "open-form":
        void this.#openForm(effect.turn);
        break;
      case "sign-in":
        void this.#waitForSignIn(effect);
        break;
      case "open-page":
        void this.#openPage(effect.url);
        break;
      case "save":
        void this.#save(effect);
        break;
      case "start":
        void this.#start(effect.turn);
        break;
      case "release":
        void this.#release(effect);
        break;
      case "timer":
        this.#timers.set(effect.timer, effect.at);
        break;
      case "hide":
        this.#secrets.add(...effect.values);
        break;
      case "refuse":
        this.#waiting.refuse(effect.ticket, fromProblem(effect.problem));
        break;
      case "show":
        this.#options.changed();
        break;
      case "forget":
        this.#options.forgotten();
        break;
      default:
        effect satisfies never;
    }
  }

  /** Asks the plugin; it must answer in time. */
  #ask(turn: number, work: (signal: AbortSignal) => Promise<SetupPluginState>): void {
    this.#inTime(work).then(
      (state) => this.#tell({ kind: "said", turn, state }),
      (error: unknown) => this.#failed(turn, error),
    );
  }

  async #openForm(turn: number): Promise<void> {
    try {
      await this.#inTime(() => this.#form.ready());
    } catch (error) {
      return this.#failed(turn, error);
    }
    this.#tell({ kind: "form-ready", turn, config: this.#form.config() });
  }

  async #waitForSignIn({ turn, request, way }: EffectOf<"sign-in">): Promise<void> {
    let grant: Grant;
    try {
      const opened = await this.#inTime((signal) => this.#signIn.open(request, way, signal));
      if (opened.page) this.#tell({ kind: "sign-in-ready", turn, page: opened.page });
      grant = await opened.grant;
    } catch (error) {
      return this.#failed(turn, error);
    }
    this.#tell({ kind: "signed-in", turn, grant });
  }

  async #openPage(url: string): Promise<void> {
    const opened = await this.#options.openUrl(url).catch(() => false);
    this.#tell({ kind: "page-opened", url, opened });
  }

  async #save({ turn, outcome }: EffectOf<"save">): Promise<void> {
    try {
      await this.#options.save({
        ...outcome,
        sensitive: this.#secrets.all,
        check: (config) => this.#check(outcome, config),
      });
    } catch (error) {
      return this.#failed(turn, error, outcome.whole ? "INTERNAL" : "SETUP_FAILED");
    }
    this.#tell({ kind: "saved", turn });
  }

  /** Whether the plugin takes the settings; it must answer in time. */
  async #check({ whole }: Finished, config: Record<string, unknown>): Promise<void> {
    if (!whole) return this.#inTime((signal) => this.#plugin.check(config, signal));
    let asked: Promise<void> = Promise.resolve();
    const ask = (signal: AbortSignal) => {
      asked = this.#form.check(config, signal);
      return asked;
    };
    // When the time limit ends the wait, the process that was asked must still be gone before anything else is done.
    await this.#inTime(ask).finally(() => asked.catch(() => {}));
  }

  async #start(turn: number): Promise<void> {
    // How the plugin runs is shown by its row.
    await this.#options.start().catch(() => {});
    this.#tell({ kind: "started", turn });
  }

  async #release({ cancel, why }: EffectOf<"release">): Promise<void> {
    this.#work.abort(new PatchbayError("ABORTED", why));
    this.#work = new AbortController();
    await this.#signIn.close();
    await this.#plugin.close(cancel);
    this.#tell({ kind: "released" });
  }

  /** Work that must be done in time. @throws PatchbayError SETUP_TIMEOUT, and what the work throws */
  #inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, limitMs, plugin } = this.#options;
    return withinTime({ clock, limitMs, displayName: plugin.displayName }, this.#work.signal, work);
  }

  /** @param code for an error that has none of its own */
  #failed(turn: number, error: unknown, code: ErrorCode = "SETUP_FAILED"): void {
    this.#tell({ kind: "failed", turn, problem: toProblem(error, code) });
  }

  get #form(): SettingsForm {
    if ("form" in this.#options.steps) return this.#options.steps.form;
    throw new PatchbayError("INTERNAL", "A setup of the plugin's own shows no settings.");
  }
}
