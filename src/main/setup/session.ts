import { randomUUID } from "node:crypto";
import {
  fromProblem,
  PatchbayError,
  type Problem,
  type SetupAnswer,
  type SetupView,
  type SignInWay,
  toProblem,
} from "../../contract/index.ts";
import type { SetupPluginState } from "../runtimes/runtime.ts";
import { checkedValues } from "./answers.ts";
import { formStep } from "./form-step.ts";
import { SetupMachine, type StepDraft } from "./machine.ts";
import type { SignIn } from "./oauth/types.ts";
import { PluginSide } from "./plugin-side.ts";
import { externalStep, Poller } from "./polling.ts";
import type { Outcome, SessionOptions } from "./session-options.ts";
import { headingOf, SignInStep, tokensOf } from "./sign-in-step.ts";
import { within } from "./time-limit.ts";

type Finished = Extract<SetupPluginState, { kind: "done" }>;

/** A wizard ends by itself when nothing happened for this long, milliseconds. */
export const IDLE_MS = 15 * 60_000;

/** One run of the wizard. All that it started (process, listener, timers) is gone once it is over. */
export class SetupSession {
  readonly id = randomUUID();
  readonly startedAt: string;
  readonly #options: SessionOptions;
  readonly #machine: SetupMachine;
  readonly #poller: Poller;
  readonly #sensitive = new Set<string>();
  readonly #side: PluginSide;
  readonly #signIn: SignInStep;
  /** Aborted whenever something else begins, so that a late answer changes nothing. */
  #turn = new AbortController();
  #retry: (() => Promise<void>) | null = null;
  #saving: Promise<void> | null = null;
  #expiresAt = 0;
  #cancelExpiry: () => void = () => {};
  #over = false;

  constructor(options: SessionOptions, interrupted?: Problem) {
    this.#options = options;
    this.#side = new PluginSide(() => void this.#hostEnded());
    this.#signIn = new SignInStep(options.signIn);
    this.startedAt = new Date(options.clock.now()).toISOString();
    const first: StepDraft = interrupted
      ? { kind: "error", problem: interrupted, canRetry: true }
      : { kind: "progress", doing: "opening" };
    this.#machine = new SetupMachine(first, () => this.#changed());
    this.#poller = new Poller(options.clock, {
      ask: () => this.#ask(),
      show: (poll) => this.#machine.amend("external", { poll }),
    });
    if (interrupted) this.#retry = () => this.begin();
    this.#stayAwake();
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
      expiresAt: new Date(this.#expiresAt).toISOString(),
    };
  }

  /**
   * Answers the step that is shown; resolves when the next one that says something is.
   *
   * @throws PatchbayError SETUP_STALE, and BAD_INPUT or CONFIG_INVALID about the answer; the step then stays
   */
  async submit(stepId: string, answer: SetupAnswer): Promise<void> {
    const step = this.#machine.answered(stepId);
    this.#stayAwake();
    switch (step.kind) {
      case "form":
        return this.#give(this.#hidePasswords(checkedValues(step.fields, answer), step.fields));
      case "menu": {
        const { choice } = answer;
        if (!step.options.some(({ value }) => value === choice)) {
          throw new PatchbayError("BAD_INPUT", "Choose one of the answers that are offered.");
        }
        return this.#give({ choice });
      }
      case "settings":
        // An answer meant for another kind of step must not finish the setup with nothing in it.
        if (answersSettings(answer)) return this.#finishForm(answer);
        break;
      case "external":
        if (answer.renew) return this.#renew();
        break;
      case "oauth":
        if (answer.way) return this.#changeWay(answer.way);
        if (answer.open) return this.#openPage(step.url);
        break;
      case "error":
        if (answer.retry && step.canRetry) return this.#retry?.();
        break;
      case "progress":
      case "done":
        break;
    }
    throw new PatchbayError("BAD_INPUT", "This step of the setup takes no such answer.");
  }

  /** Asks the plugin now. Never rejects. */
  async poll(): Promise<void> {
    if (this.#machine.step.kind === "external") await this.#poller.now();
  }

  /** Ends it, the plugin's side too. What is being saved is saved first. Never rejects. */
  async close(): Promise<void> {
    this.#over = true;
    this.#cancelExpiry();
    await this.#saving?.catch(() => {});
    await this.#release(new PatchbayError("ABORTED", "The setup was cancelled."));
  }

  /** (Re)opens it; resolves when the first step that says something is shown. Never rejects: failures are steps. */
  async begin(): Promise<void> {
    const { open, input } = this.#options;
    if (this.#machine.step.kind !== "progress") this.#machine.move({ kind: "progress", doing: "opening" });
    await this.#release(new PatchbayError("ABORTED", "The setup begins anew."));
    if (this.#over) return;
    this.#signIn.grant = null;
    if (!open) return this.#machine.move({ kind: "settings", config: this.#options.config() });
    await this.#act((signal) => this.#side.begin(open, input, signal));
  }

  /** Gives the plugin an answer and shows what it says. */
  async #give(input: Record<string, unknown>): Promise<void> {
    this.#machine.move({ kind: "progress", doing: "checking" });
    await this.#act((signal) => this.#side.submit(input, signal));
  }

  /** Runs a step of work under a time limit; whatever was going on before is stopped. */
  async #act(work: (signal: AbortSignal) => Promise<SetupPluginState>): Promise<void> {
    const turn = this.#nextTurn();
    try {
      const state = await this.#limited(turn, work);
      if (!turn.signal.aborted) await this.#show(state);
    } catch (error) {
      if (this.#turn === turn && !this.#over) await this.#fail(error, () => this.begin());
    }
  }

  #limited<T>(turn: AbortController, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, limitMs, plugin } = this.#options;
    return within({ clock, limitMs, displayName: plugin.displayName }, turn.signal, work);
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
        this.#signIn.ask(state);
        return this.#startSignIn(state.ways?.[0]);
      case "done":
        return this.#finish(state);
      case "error":
        return this.#fail(new PatchbayError("SETUP_FAILED", state.message), () => this.begin());
    }
  }

  /** One question to the plugin while something outside is awaited. @throws what a failed poll is retried for */
  async #ask(): Promise<void> {
    const turn = this.#turn;
    const state = await this.#limited(turn, (signal) => this.#side.poll(signal));
    const shown = this.#machine.step;
    if (turn !== this.#turn || turn.signal.aborted || shown.kind !== "external") return;
    if (state.kind !== "awaiting_external") return this.#show(state);
    const next = externalStep(state, this.#options.clock.now());
    if (next.qrText === shown.qrText && next.redirectUrl === shown.redirectUrl && next.code === shown.code) {
      return;
    }
    this.#stayAwake();
    this.#machine.move({ ...headingOf(state), ...next });
    this.#poller.start(state);
  }

  /** A new code: what the plugin shows by now, else its session begins anew. */
  async #renew(): Promise<void> {
    const before = this.#machine.step.id;
    await this.#poller.now();
    if (this.#machine.step.id === before) await this.begin();
  }

  async #startSignIn(way: SignInWay | undefined): Promise<void> {
    const turn = this.#nextTurn();
    try {
      const { signIn, step } = await this.#limited(turn, (signal) => this.#signIn.open(way, signal));
      this.#machine.move(step);
      void this.#awaitSignIn(signIn);
      await this.#openPage(signIn.url);
    } catch (error) {
      if (this.#turn === turn && !this.#over) await this.#failSignIn(error, way);
    }
  }

  async #awaitSignIn(signIn: SignIn): Promise<void> {
    try {
      const grant = await signIn.result;
      if (!this.#signIn.isWaiting(signIn) || this.#over) return;
      this.#signIn.grant = grant;
      for (const token of [grant.accessToken, grant.refreshToken, grant.idToken]) {
        if (token) this.#remember(token);
      }
      await this.#signIn.end();
      this.#stayAwake();
      await this.#give(tokensOf(grant));
    } catch (error) {
      if (this.#signIn.isWaiting(signIn) && !this.#over) await this.#failSignIn(error, signIn.way);
    }
  }

  async #failSignIn(error: unknown, way: SignInWay | undefined): Promise<void> {
    await this.#signIn.end();
    await this.#fail(error, async () => {
      this.#machine.move({ kind: "progress", doing: "opening" });
      // The plugin's process may have ended since; then everything begins anew.
      if (this.#side.isOpen) await this.#startSignIn(way);
      else await this.begin();
    });
  }

  async #changeWay(way: SignInWay): Promise<void> {
    this.#machine.move({ kind: "progress", doing: "opening" });
    await this.#signIn.end();
    await this.#startSignIn(way);
  }

  async #openPage(url: string): Promise<void> {
    const opened = await this.#options.openUrl(url).catch(() => false);
    const { step } = this.#machine;
    if (step.kind === "oauth" && step.url === url) this.#machine.amend("oauth", { opened });
  }

  async #finishForm(answer: SetupAnswer): Promise<void> {
    for (const value of Object.values(answer.secrets ?? {})) this.#remember(value);
    const outcome: Outcome = {
      config: answer.config ?? this.#options.config(),
      secrets: answer.secrets ?? {},
      account: null,
      sensitive: [...this.#sensitive],
      grant: null,
    };
    this.#machine.move({ kind: "progress", doing: "saving" });
    try {
      await this.#save(outcome);
    } catch (error) {
      // The form stays, with what is wrong about it.
      const problem = toProblem(error);
      this.#machine.move({ kind: "settings", config: outcome.config });
      throw fromProblem(problem);
    }
  }

  async #finish(state: Finished): Promise<void> {
    const outcome: Outcome = {
      config: state.config,
      secrets: {},
      account: state.account ?? null,
      sensitive: [...this.#sensitive],
      grant: this.#signIn.grant,
      check: (config) => this.#limited(this.#turn, (signal) => this.#side.check(config, signal)),
    };
    const keep = async (): Promise<void> => {
      if (this.#machine.step.kind !== "progress" || this.#machine.step.doing !== "saving") {
        this.#machine.move({ kind: "progress", doing: "saving" });
      }
      try {
        await this.#save(outcome);
      } catch (error) {
        const refused = error instanceof PatchbayError && refusals.has(error.code);
        // What the plugin has handed over once is not asked for again: saving is tried again with the same.
        await this.#fail(error, refused ? () => this.begin() : keep, !refused);
      }
    };
    this.#nextTurn();
    await keep();
  }

  async #save(outcome: Outcome): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#saving = promise;
    try {
      await this.#options.save(outcome);
      await this.#release(new PatchbayError("ABORTED", "The setup is done."), false);
      this.#machine.move({ kind: "progress", doing: "starting" });
    } finally {
      this.#saving = null;
      resolve();
    }
    // It is saved, whether or not it starts; how it runs is shown by its row.
    await this.#options.start().catch(() => {});
    this.#stayAwake();
    this.#machine.move({ kind: "done", account: outcome.account });
  }

  /** @param keepPlugin its process goes on: what it made is still needed */
  async #fail(error: unknown, retry: () => Promise<void>, keepPlugin = false): Promise<void> {
    this.#poller.stop();
    if (this.#over || this.isDone) return;
    this.#retry = retry;
    const problem = toProblem(error, "SETUP_FAILED");
    if (!keepPlugin && !this.#signIn.isPending) await this.#release(error);
    if (this.#machine.step.kind === "error") this.#machine.amend("error", { problem });
    else this.#machine.move({ kind: "error", problem, canRetry: true });
  }

  async #hostEnded(): Promise<void> {
    if (this.#over) return;
    const { kind } = this.#machine.step;
    if (this.#saving || kind === "error" || kind === "done") return;
    const { displayName } = this.#options.plugin;
    this.#nextTurn();
    // Nobody is left to hand its outcome to.
    if (this.#signIn.isPending) await this.#signIn.forget();
    await this.#fail(
      new PatchbayError("HOST_CRASHED", `The process of ${displayName} ended in the middle of its setup.`, {
        help: "Start it again; look at the plugin's log if it goes on.",
      }),
      () => this.begin(),
    );
  }

  /** Lets go of everything that runs for it. */
  async #release(reason: unknown, cancel = true): Promise<void> {
    this.#nextTurn(reason);
    await this.#signIn.forget();
    await this.#side.close(cancel);
  }

  #nextTurn(reason?: unknown): AbortController {
    this.#poller.stop();
    this.#turn.abort(reason ?? new PatchbayError("ABORTED", "Something else was asked for."));
    this.#turn = new AbortController();
    return this.#turn;
  }

  #hidePasswords<V extends Record<string, unknown>>(values: V, fields: { key: string; type: string }[]): V {
    for (const { key, type } of fields) if (type === "password") this.#remember(String(values[key] ?? ""));
    return values;
  }

  #remember(value: string): void {
    if (value === "") return;
    this.#sensitive.add(value);
    this.#options.hide(value);
  }

  #stayAwake(): void {
    const { clock } = this.#options;
    this.#cancelExpiry();
    this.#expiresAt = clock.now() + IDLE_MS;
    if (this.#over) return;
    this.#cancelExpiry = clock.after(IDLE_MS, () => void this.#expire());
  }

  async #expire(): Promise<void> {
    if (this.#over) return;
    if (this.#saving) return this.#stayAwake();
    const { kind } = this.#machine.step;
    if (kind === "error" || kind === "done") return this.#options.forgotten();
    this.#nextTurn();
    this.#stayAwake();
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
}

/** What trying to save the same again would not mend. */
const refusals: ReadonlySet<string> = new Set(["CONFIG_REFUSED", "CONFIG_INVALID"]);

/** Settings may be taken as they are, so an empty answer is one. */
function answersSettings({ values, choice, renew, open, way, retry }: SetupAnswer): boolean {
  return [values, choice, renew, open, way, retry].every((part) => part === undefined);
}
