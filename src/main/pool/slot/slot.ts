import {
  type InstanceState,
  type InstanceView,
  PatchbayError,
  type Plugin,
  type Problem,
  toProblem,
} from "../../../contract/index.ts";
import { SerialQueue } from "../../base/serial-queue.ts";
import type { InstanceContributions } from "../../runtimes/runtime.ts";
import { CallStats } from "../calls/call-stats.ts";
import { Journal } from "../journal/journal.ts";
import type { LogRing } from "../journal/log-ring.ts";
import { Recovery } from "../recovery/recovery.ts";
import { Candidate } from "../run/candidate.ts";
import { Heartbeat } from "../run/heartbeat.ts";
import { Run, type RunEvents } from "../run/run.ts";
import { readWant, startsOnUse, type Want } from "../wants/want.ts";
import type { SlotHost } from "./slot-host.ts";
import { holdProblem, slotView } from "./slot-view.ts";
import { Standing } from "./standing.ts";
import { isLive } from "./states.ts";

/**
 * The place of one (agent, plugin) in the pool. Everything that starts or stops goes through one serial queue, and
 * each step brings the instance to what the stored row asks for at that moment, so the last wish wins.
 */
export class Slot {
  readonly agentId: string;
  readonly key: string;
  /** Stopped for an uninstall; nothing starts until the catalogue changes. */
  held = false;
  readonly #host: SlotHost;
  readonly #standing: Standing;
  readonly journal: Journal;
  readonly #stats = new CallStats();
  readonly #recovery: Recovery;
  readonly #queue = new SerialQueue();
  #generation = 0;
  #run: Run | null = null;
  #heartbeat: Heartbeat | null = null;
  readonly #candidate = new Candidate();
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
    const now = () => host.clock.now();
    this.agentId = agentId;
    this.key = key;
    this.#host = host;
    this.#standing = new Standing(now, () => host.changed(this));
    this.journal = new Journal(agentId, key, host.options, now, (entry) => host.logged(this, entry));
    this.#recovery = new Recovery(host.clock, () => {
      this.#attempted = null;
      void this.settle();
    });
  }

  get state(): InstanceState {
    return this.#standing.state;
  }

  get logs(): LogRing {
    return this.journal.logs;
  }

  /** The started plugin, if it can be called now. */
  get live(): Run | null {
    return this.#run && isLive(this.state) ? this.#run : null;
  }

  /** What it offers while it can be called. */
  get contributions(): InstanceContributions | null {
    return this.live?.contributions ?? null;
  }

  /** Whether it stops, starts or is about to. */
  get busy(): boolean {
    return this.#queue.busy;
  }

  /** A tools-only plugin that is switched on and nobody has wanted yet. */
  get waitsForUse(): boolean {
    if (this.#used || this.#closed || this.held || this.state !== "stopped") return false;
    const { agentPlugins, registry } = this.#host.options;
    if (holdProblem(this.#host.options, this.agentId, this.key)) return false;
    const plugin = agentPlugins.get(this.agentId, this.key)?.enabled ? registry.get(this.key) : undefined;
    return plugin !== undefined && startsOnUse(plugin);
  }

  /** Whether a version that was tried waits to be taken over. */
  get hasCandidate(): boolean {
    return this.#candidate.waits;
  }

  view(): InstanceView {
    const { state, reason, since } = this.#standing;
    return slotView({
      state,
      reason: reason ?? holdProblem(this.#host.options, this.agentId, this.key),
      since,
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
    return this.#queue.runNext(() =>
      this.#bringUp().catch((error: unknown) => this.journal.log("error", toProblem(error).message)),
    );
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

  /** Resolves when what is under way now is done. */
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
      await this.#candidate.drop();
      if (this.#run && (version.capabilities.channel || this.#run.plugin.capabilities.channel)) {
        await this.#stop("restart");
      }
      this.#candidate.hold(await this.#launch(want, true));
    });
  }

  /** Ends a version that was tried and is not wanted after all. */
  discardTrial(): Promise<void> {
    return this.#queue.run(() => this.#candidate.drop());
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

  #want(): Want | null {
    if (this.#closed || this.held) return null;
    return readWant(this.#host.options, this.agentId, this.key);
  }

  async #bringUp(): Promise<void> {
    const want = this.#want();
    const tried = this.#candidate.take(want?.fingerprint);
    if (tried) return this.#adopt(tried);
    await this.#candidate.drop();
    const restart = this.#restartWanted;
    this.#restartWanted = false;
    if (this.#run && (restart || this.#run.fingerprint !== want?.fingerprint)) {
      await this.#stop(want ? "restart" : this.#closed ? "shutdown" : "disabled");
    }
    if (!want) return this.#rest();
    if (restart || (this.#attempted !== null && this.#attempted !== want.fingerprint)) {
      this.#recovery.forget();
      this.#attempted = null;
    }
    if (this.#run || this.#attempted === want.fingerprint) return;
    // What keeps it from starting is told before somebody wants it.
    if (startsOnUse(want.plugin) && !this.#used && !want.obstacle) return this.#rest();
    await this.#start(want);
  }

  async #start(want: Want): Promise<void> {
    this.#recovery.cancel();
    this.#attempted = want.fingerprint;
    this.#standing.become("start");
    try {
      const run = await this.#launch(want, false);
      this.#run = run;
      this.#standing.become("started");
      this.#takeOver(run);
      this.journal.log("info", `Started in ${Math.round(run.startMs)} ms.`);
    } catch (error) {
      this.#startFailed(this.journal.clean(toProblem(error, "START_FAILED")));
    }
  }

  /** One process that has started and clashes with nobody; else it is gone when this throws. */
  async #launch(want: Want, trial: boolean): Promise<Run> {
    const { options, clock } = this.#host;
    const { startMs } = options.settings.get().limits;
    const abort = new AbortController();
    this.#starting = { abort, fingerprint: want.fingerprint, trial };
    const run = new Run(++this.#generation, want, options, this.#runEvents(), clock, this.#stats);
    const cancelLimit = clock.after(startMs, () => abort.abort(run.startTimeout(startMs)));
    try {
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
    switch (problem.code) {
      case "ABORTED":
        this.#attempted = null;
        this.#standing.become("stop");
        this.#standing.become("ended");
        break;
      case "MISSING_SECRET":
      case "NEEDS_SETUP":
      // It waits for the person to open the secrets; nothing is wrong with it.
      case "VAULT_CLOSED":
        this.journal.error(null);
        this.journal.log("info", problem.message);
        this.#standing.become("lacks_setup", problem);
        break;
      case "HOST_CRASHED":
        this.#crashed(problem);
        break;
      default:
        this.journal.log("error", problem.message);
        this.journal.error(problem);
        this.#standing.become("start_failed", problem);
    }
  }

  /** Makes a started run the one that counts. */
  #takeOver(run: Run): void {
    this.#run = run;
    this.#startMs = run.startMs;
    // After a crash the person still sees what happened, until something is reported or they change something.
    if (!this.#recovery.afterCrash || run.reported) this.journal.error(run.reported);
    this.#recovery.afterCrash = false;
    this.journal.runtimeState(run);
    this.#heartbeat?.stop();
    this.#heartbeat = new Heartbeat(run, {
      silent: () => {
        this.journal.log("warn", "It does not answer.");
        this.#refreshHealth();
      },
      answered: () => this.#refreshHealth(),
      dead: () => run.endUnresponsive(),
      memory: () => this.#host.changed(this),
    });
    void run.instance.exited.then((exit) => {
      if (this.#run !== run || this.state === "stopping") return;
      this.#lose();
      this.#crashed(this.journal.clean(run.endedFor ?? this.journal.crash(run.plugin, exit)));
    });
    this.#host.contributionsChanged(this);
    this.#refreshHealth();
  }

  async #adopt(run: Run): Promise<void> {
    const old = this.#run;
    this.#attempted = run.fingerprint;
    this.#recovery.forget();
    if (!old) {
      this.#standing.become("start");
      this.#run = run;
      this.#standing.become("started");
    }
    this.#takeOver(run);
    this.#host.changed(this);
    this.journal.log("info", `Runs version ${run.plugin.packageVersion} now.`);
    if (old) await this.#end(old, "restart");
  }

  async #stop(reason: "disabled" | "restart" | "shutdown"): Promise<void> {
    const run = this.#run;
    if (!run) return;
    this.#standing.become("stop");
    this.#host.contributionsChanged(this);
    this.#heartbeat?.stop();
    await this.#end(run, reason);
    this.#lose();
    this.#attempted = null;
    this.#standing.become("ended");
    this.journal.log("info", "Stopped.");
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
    if (row && !row.enabled) this.journal.error(null);
    if (this.state === "stopped") this.#host.changed(this);
    else this.#standing.become("stop");
  }

  #interruptStart(): void {
    this.#starting?.abort.abort(new PatchbayError("ABORTED", "The start was called off."));
  }

  /** Its process is gone. */
  #lose(): void {
    this.#heartbeat?.stop();
    this.#heartbeat = null;
    this.#run = null;
    this.journal.runtimeState(null);
  }

  #crashed(crash: Problem): void {
    const verdict = this.#recovery.crashed();
    this.journal.error(crash);
    if (verdict === "quarantine") {
      const message = "It crashed three times within five minutes and is not started again by itself.";
      this.journal.log("error", `${crash.message} ${message}`);
      const problem = new PatchbayError("QUARANTINED", message, { details: { crash } }).toProblem();
      this.#standing.become("gave_up", problem);
    } else {
      this.journal.log("error", `${crash.message} It is started again in ${verdict / 1_000} s.`);
      this.#standing.become("crashed", crash);
    }
    this.#host.contributionsChanged(this);
  }

  #runEvents(): RunEvents {
    const ifCurrent = (run: Run, act: () => void) => {
      if (this.live === run) act();
    };
    return {
      log: (level, text, origin, during) => this.journal.log(level, text, origin, during),
      reported: (run) =>
        ifCurrent(run, () => {
          if (run.reported) this.journal.log("error", run.reported.message, "plugin");
          this.journal.error(run.reported);
          this.#refreshHealth();
        }),
      stateReported: (run) => ifCurrent(run, () => this.journal.runtimeState(run)),
      contributionsChanged: (run) => ifCurrent(run, () => this.#host.contributionsChanged(this)),
    };
  }

  /** Running or degraded, by what is known of it now. */
  #refreshHealth(): void {
    if (!this.live) return;
    const trouble = this.#heartbeat?.notResponding
      ? new PatchbayError("NOT_RESPONDING", `${this.live.plugin.displayName} does not answer.`, {
          details: { plugin: this.live.plugin.displayName },
        }).toProblem()
      : (this.live.reported ?? this.#clash);
    if (trouble) this.#standing.become("troubled", this.journal.clean(trouble));
    else if (this.state === "degraded") this.#standing.become("recovered");
  }
}
