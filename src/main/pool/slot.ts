import {
  type InstanceState,
  type InstanceView,
  type LogEntry,
  type LogLevel,
  PatchbayError,
  type Plugin,
  type Problem,
  toProblem,
} from "../../contract/index.ts";
import type { InstanceContributions } from "../runtimes/runtime.ts";
import { CallStats } from "./call-stats.ts";
import { Heartbeat } from "./heartbeat.ts";
import { LogRing } from "./log-ring.ts";
import { Recovery } from "./recovery.ts";
import { redactProblem, redactState } from "./redact.ts";
import { Run, type RunEvents } from "./run.ts";
import { SerialQueue } from "./serial-queue.ts";
import type { SlotHost } from "./slot-host.ts";
import { slotView } from "./slot-view.ts";
import { isLive, nextState, type StateSignal } from "./states.ts";
import { readWant, startsOnUse, type Want } from "./want.ts";

/**
 * The place of one (agent, plugin) in the pool. Everything that starts or stops goes through one serial queue, and
 * each step brings the instance to what the stored row asks for at that moment, so the last wish wins.
 */
export class Slot {
  readonly agentId: string;
  readonly key: string;
  readonly logs = new LogRing();
  /** Stopped for an update or uninstall; nothing starts until the catalogue changes. */
  held = false;
  readonly #host: SlotHost;
  readonly #stats = new CallStats();
  readonly #recovery: Recovery;
  readonly #queue = new SerialQueue();
  #state: InstanceState = "stopped";
  #reason: Problem | null = null;
  #since: string;
  #generation = 0;
  #run: Run | null = null;
  #heartbeat: Heartbeat | null = null;
  /** A new version that has started beside the old one and waits for the catalogue to name it. */
  #candidate: Run | null = null;
  #starting: { abort: AbortController; fingerprint: string; trial: boolean } | null = null;
  /** The circumstances that were tried last; the same ones are not tried again by themselves. */
  #attempted: string | null = null;
  /** A tools-only plugin that somebody wanted since the app started. */
  #used = false;
  #restartWanted = false;
  #startMs: number | null = null;
  /** Another plugin keeps a command name that this one offers too. */
  #clash: Problem | null = null;
  #closed = false;

  constructor(agentId: string, key: string, host: SlotHost) {
    this.agentId = agentId;
    this.key = key;
    this.#host = host;
    this.#since = new Date(host.clock.now()).toISOString();
    this.#recovery = new Recovery(host.clock, () => {
      this.#attempted = null;
      void this.settle();
    });
  }

  get state(): InstanceState {
    return this.#state;
  }

  /** What it offers while it can be called. */
  get contributions(): InstanceContributions | null {
    return this.#run && isLive(this.#state) ? this.#run.contributions : null;
  }

  /** The started plugin, if it can be called now. */
  get live(): Run | null {
    return this.#run && isLive(this.#state) ? this.#run : null;
  }

  /** Whether it stops, starts or is about to. */
  get busy(): boolean {
    return this.#queue.busy;
  }

  /** A tools-only plugin that is switched on and nobody has wanted yet. */
  get waitsForUse(): boolean {
    if (this.#used || this.#state !== "stopped") return false;
    const want = this.#want();
    return want !== null && startsOnUse(want.plugin);
  }

  /** Whether a version that was tried waits to be taken over. */
  get hasCandidate(): boolean {
    return this.#candidate !== null;
  }

  view(): InstanceView {
    return slotView({
      state: this.#state,
      reason: this.#reason,
      since: this.#since,
      generation: this.#generation,
      startsOnUse: this.waitsForUse,
      heartbeat: this.#heartbeat,
      run: this.#run,
      startMs: this.#startMs,
      recovery: this.#recovery,
      stats: this.#stats,
      contributions: this.contributions,
    });
  }

  /** A tools-only plugin may start now. */
  use(): void {
    this.#used = true;
  }

  /** Brings the instance to what is wanted now; resolves when that is done. Never rejects. */
  settle(): Promise<void> {
    const want = this.#want();
    const { trial, fingerprint } = this.#starting ?? {};
    if (want === null || (trial === false && fingerprint !== want.fingerprint)) this.#interruptStart();
    return this.#queue.runNext(() => this.#bringUp());
  }

  /** Starts it afresh, also out of quarantine. */
  restart(): Promise<void> {
    this.#used = true;
    this.#restartWanted = true;
    if (this.#starting?.trial === false) this.#interruptStart();
    return this.settle();
  }

  /** Ends it for good, without waiting for its calls. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.settle();
  }

  /** Resolves when nothing is under way any more. */
  settled(): Promise<void> {
    return this.#queue.idle();
  }

  /**
   * Starts another version of the plugin with the settings of this agent. A plugin with a channel cannot run twice, so
   * there the running version stops first.
   *
   * @throws PatchbayError of what kept it from starting
   */
  trial(version: Plugin): Promise<void> {
    return this.#queue.run(async () => {
      const want = readWant(this.#host.options, this.agentId, this.key, version);
      if (!want || this.#closed) return;
      await this.#dropCandidate();
      if (this.#run && (version.capabilities.channel || this.#run.plugin.capabilities.channel)) {
        await this.#stop("restart");
      }
      const run = await this.#launch(want, true);
      this.#candidate = run;
      void run.instance.exited.then(() => {
        if (this.#candidate === run) this.#candidate = null;
      });
    });
  }

  /** Ends a version that was tried and is not wanted after all. */
  discardTrial(): Promise<void> {
    return this.#queue.run(() => this.#dropCandidate());
  }

  /** Called once a second while it runs. */
  beat(): void {
    this.#heartbeat?.beat();
  }

  /** Shows or hides that another plugin keeps a command name of this one. */
  setClash(problem: Problem | null): void {
    if (this.#clash?.message === problem?.message) return;
    this.#clash = problem;
    this.#refreshHealth();
  }

  log(level: LogLevel, text: string, origin: LogEntry["origin"]): void {
    const at = new Date(this.#host.clock.now()).toISOString();
    const entry = this.logs.add({ at, level, origin, text: this.#host.options.vault.redact(text) });
    this.#host.logged(this, entry);
  }

  #want(): Want | null {
    if (this.#closed || this.held) return null;
    return readWant(this.#host.options, this.agentId, this.key);
  }

  async #bringUp(): Promise<void> {
    const want = this.#want();
    if (this.#candidate && want && this.#candidate.fingerprint === want.fingerprint) {
      return this.#adoptCandidate(this.#candidate);
    }
    await this.#dropCandidate();
    const restart = this.#restartWanted;
    this.#restartWanted = false;
    if (this.#run && (restart || this.#run.fingerprint !== want?.fingerprint)) {
      await this.#stop(want ? "restart" : this.#closed ? "shutdown" : "disabled");
    }
    if (!want) return this.#rest();
    if (restart || (this.#attempted !== null && this.#attempted !== want.fingerprint))
      this.#recovery.forget();
    if (this.#run || this.#attempted === want.fingerprint) return;
    if (startsOnUse(want.plugin) && !this.#used) return this.#rest();
    await this.#start(want);
  }

  async #start(want: Want): Promise<void> {
    this.#recovery.cancel();
    this.#attempted = want.fingerprint;
    this.#become("start", null);
    try {
      const run = await this.#launch(want, false);
      this.#startMs = run.startMs;
      this.#takeOver(run, "started");
      this.log("info", `Started in ${Math.round(run.startMs)} ms.`, "patchbay");
    } catch (error) {
      this.#startFailed(toProblem(error, "START_FAILED"));
    }
  }

  /** One process that has started and clashes with nobody; else it is gone when this throws. */
  async #launch(want: Want, trial: boolean): Promise<Run> {
    const { options, clock } = this.#host;
    const { startMs } = options.settings.get().limits;
    const abort = new AbortController();
    this.#starting = { abort, fingerprint: want.fingerprint, trial };
    const cancelLimit = clock.after(startMs, () => abort.abort(startTimeout(want.plugin, startMs)));
    try {
      const run = new Run(++this.#generation, want, options, this.#runEvents(), clock, this.#stats);
      await run.start(abort.signal);
      const clash = this.#host.toolClash(this, run.contributions);
      if (!clash) return run;
      await run.instance.stop("disabled");
      throw clash;
    } finally {
      cancelLimit();
      this.#starting = null;
    }
  }

  #startFailed(problem: Problem): void {
    const redacted = redactProblem(this.#host.options.vault, problem);
    if (redacted.code === "ABORTED") {
      this.#attempted = null;
      this.#become("stop", null);
      this.#become("ended", null);
    } else if (redacted.code === "MISSING_SECRET" || redacted.code === "NEEDS_SETUP") {
      this.#host.options.agentPlugins.report(this.agentId, this.key, { lastError: null });
      this.log("info", redacted.message, "patchbay");
      this.#become("lacks_setup", redacted);
    } else if (redacted.code === "HOST_CRASHED") {
      this.#crashed(redacted);
    } else {
      this.log("error", redacted.message, "patchbay");
      this.#reportError(redacted);
      this.#become("start_failed", redacted);
    }
  }

  /** Makes a started run the one that counts. */
  #takeOver(run: Run, signal: StateSignal | null): void {
    this.#run = run;
    // After a crash the person still sees what happened, until it is reported well or they change something.
    if (!this.#recovery.afterCrash || run.reported) this.#reportError(run.reported);
    this.#recovery.afterCrash = false;
    this.#reportState(run);
    this.#heartbeat = new Heartbeat(run, {
      silent: () => {
        this.log("warn", "It does not answer.", "patchbay");
        this.#refreshHealth();
      },
      answered: () => this.#refreshHealth(),
      dead: () => this.#endUnresponsive(run),
      memory: () => this.#host.changed(this),
    });
    void run.instance.exited.then((exit) => {
      if (this.#run !== run || this.#state === "stopping") return;
      const how = exit.signal ? `signal ${exit.signal}` : `exit code ${exit.code}`;
      this.#lose();
      this.#crashed(run.endedFor ?? this.#hostCrashed(run.plugin, how));
    });
    if (signal) this.#become(signal, null);
    this.#host.contributionsChanged(this);
    this.#refreshHealth();
  }

  async #adoptCandidate(run: Run): Promise<void> {
    this.#candidate = null;
    this.#attempted = run.fingerprint;
    this.#startMs = run.startMs;
    this.#recovery.forget();
    const old = this.#run;
    this.#heartbeat?.stop();
    if (old) {
      this.#takeOver(run, null);
      this.#host.changed(this);
      await this.#end(old, "restart");
    } else {
      this.#become("start", null);
      this.#takeOver(run, "started");
    }
    this.log("info", `Runs version ${run.plugin.packageVersion} now.`, "patchbay");
  }

  async #dropCandidate(): Promise<void> {
    const candidate = this.#candidate;
    this.#candidate = null;
    await candidate?.instance.stop("disabled");
  }

  async #stop(reason: "disabled" | "restart" | "shutdown"): Promise<void> {
    const run = this.#run;
    if (!run) return;
    this.#become("stop", null);
    this.#host.contributionsChanged(this);
    this.#heartbeat?.stop();
    await this.#end(run, reason);
    this.#lose();
    this.#attempted = null;
    this.#become("ended", null);
    this.log("info", "Stopped.", "patchbay");
  }

  async #end(run: Run, reason: "disabled" | "restart" | "shutdown"): Promise<void> {
    const { drainMs } = this.#host.options.settings.get().limits;
    await run.ledger.drain(reason === "shutdown" ? 0 : drainMs);
    await run.instance.stop(reason);
  }

  /** Nothing should run: a state that only waited is left. */
  #rest(): void {
    this.#recovery.forget();
    this.#attempted = null;
    const row = this.#host.options.agentPlugins.get(this.agentId, this.key);
    if (row && !row.enabled) this.#reportError(null);
    if (this.#state === "stopped") this.#host.changed(this);
    else this.#become("stop", null);
  }

  #interruptStart(): void {
    this.#starting?.abort.abort(new PatchbayError("ABORTED", "The start was called off."));
  }

  #endUnresponsive(run: Run): void {
    const message = `${run.plugin.displayName} did not answer for 10 seconds and was ended.`;
    run.endedFor = new PatchbayError("NOT_RESPONDING", message).toProblem();
    void run.instance.stop("not_responding");
  }

  /** Its process is gone. */
  #lose(): void {
    this.#heartbeat?.stop();
    this.#heartbeat = null;
    this.#run = null;
    this.#host.options.agentPlugins.report(this.agentId, this.key, { runtimeState: null });
  }

  #crashed(problem: Problem): void {
    const crash = redactProblem(this.#host.options.vault, problem);
    const verdict = this.#recovery.crashed();
    this.#reportError(crash);
    if (verdict === "quarantine") {
      const message = "It crashed three times within five minutes and is not started again by itself.";
      this.log("error", `${crash.message} ${message}`, "patchbay");
      this.#become("gave_up", new PatchbayError("QUARANTINED", message, { details: { crash } }).toProblem());
    } else {
      this.log("error", `${crash.message} It is started again in ${verdict / 1_000} s.`, "patchbay");
      this.#become("crashed", crash);
    }
    this.#host.contributionsChanged(this);
  }

  #hostCrashed(plugin: Plugin, how: string): Problem {
    const output = this.logs.read({ level: "error", limit: 10 }).map(({ text }) => text);
    return new PatchbayError("HOST_CRASHED", `${plugin.displayName}'s process ended by itself (${how}).`, {
      details: { exit: how, output },
    }).toProblem();
  }

  #runEvents(): RunEvents {
    const ifCurrent = (run: Run, act: () => void) => {
      if (this.live === run) act();
    };
    return {
      log: (level, text, origin) => this.log(level, text, origin),
      reported: (run) =>
        ifCurrent(run, () => {
          this.#reportError(run.reported);
          this.#refreshHealth();
        }),
      stateReported: (run) => ifCurrent(run, () => this.#reportState(run)),
      contributionsChanged: (run) => ifCurrent(run, () => this.#host.contributionsChanged(this)),
    };
  }

  #reportError(problem: Problem | null): void {
    const { agentPlugins, vault } = this.#host.options;
    const lastError = problem && redactProblem(vault, problem);
    agentPlugins.report(this.agentId, this.key, { lastError });
  }

  #reportState(run: Run): void {
    const { agentPlugins, vault } = this.#host.options;
    const runtimeState = redactState(vault, run.runtimeState);
    agentPlugins.report(this.agentId, this.key, { runtimeState });
  }

  /** Running or degraded, by what is known of it now. */
  #refreshHealth(): void {
    if (!this.live) return;
    const trouble = this.#heartbeat?.notResponding
      ? new PatchbayError("NOT_RESPONDING", `${this.live.plugin.displayName} does not answer.`).toProblem()
      : (this.live.reported ?? this.#clash);
    if (trouble) this.#become("troubled", redactProblem(this.#host.options.vault, trouble));
    else if (this.#state === "degraded") this.#become("recovered", null);
  }

  #become(signal: StateSignal, reason: Problem | null): void {
    const next = nextState(this.#state, signal);
    if (next !== this.#state) this.#since = new Date(this.#host.clock.now()).toISOString();
    this.#state = next;
    this.#reason = reason;
    this.#host.changed(this);
  }
}

function startTimeout(plugin: Plugin, limitMs: number): PatchbayError {
  return new PatchbayError(
    "START_TIMEOUT",
    `${plugin.displayName} did not finish starting within ${limitMs / 1_000} seconds.`,
  );
}
