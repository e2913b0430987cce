import { type InstanceState, type InstanceView, type Problem, toProblem } from "../../../contract/index.ts";
import type { InstanceContributions } from "../../runtimes/runtime.ts";
import type { Figures } from "../figures/figures.ts";
import { Journal } from "../journal/journal.ts";
import type { Place } from "../ports.ts";
import { Recovery } from "../recovery/recovery.ts";
import { Heartbeat } from "../run/heartbeat.ts";
import { Launcher } from "../run/launcher.ts";
import { Run, type RunEvents } from "../run/run.ts";
import type { Want } from "../wants/want.ts";
import { gaveUp, kindOfFailure, nextTry, troubleOf } from "./health.ts";
import type { SlotHost, Wake } from "./slot-host.ts";
import { holdProblem, slotView } from "./slot-view.ts";
import { Standing } from "./standing.ts";
import { isLive } from "./states.ts";

/**
 * The instance in a slot: its present run, its state and health, and its journal. The slot tells it when to start, to
 * change to another run and to stop; only after a crash it acts by itself.
 */
export class Occupant implements Place {
  readonly agentId: string;
  readonly key: string;
  readonly journal: Journal;
  readonly launcher: Launcher;
  /** Fingerprint of the last attempted start, which is not repeated by itself. */
  attempted: string | null = null;
  /** Names of the tools that the plugin offered when it last ran. */
  lastTools: ReadonlySet<string> = new Set();
  readonly #host: SlotHost;
  readonly #wake: Wake;
  readonly #standing: Standing;
  readonly #figures: Figures;
  readonly #recovery: Recovery;
  #generation = 0;
  #run: Run | null = null;
  #heartbeat: Heartbeat | null = null;
  /** The problem that another plugin has a name that this one offers, too; null when there is none. */
  #clash: Problem | null = null;

  /** @param wake told when the wait after a crash is over, and when it ended without a fault until it is needed */
  constructor(agentId: string, key: string, host: SlotHost, wake: Wake) {
    this.agentId = agentId;
    this.key = key;
    this.#host = host;
    this.#wake = wake;
    this.launcher = new Launcher(host.clock);
    this.#standing = new Standing(host.clock, () => host.changed(this));
    this.journal = new Journal(agentId, key, host.options, host.clock, (entry) => host.logged(this, entry));
    this.#figures = host.figures(agentId, key);
    this.#recovery = new Recovery(host.clock, () => {
      this.#figures.restarted();
      this.attempted = null;
      wake.recover();
    });
  }

  get state(): InstanceState {
    return this.#standing.state;
  }

  get run(): Run | null {
    return this.#run;
  }

  /** The present run, if it can be called now. */
  get live(): Run | null {
    return this.#run && isLive(this.state) ? this.#run : null;
  }

  /** What the plugin offers; null while it cannot be called. */
  get contributions(): InstanceContributions | null {
    return this.live?.contributions ?? null;
  }

  view(startsOnUse: boolean): InstanceView {
    const { state, reason, since } = this.#standing;
    return slotView({
      state,
      reason: reason ?? holdProblem(this.#host.options, this.agentId, this.key),
      since,
      generation: this.#generation,
      startsOnUse,
      fetchesUntil: this.launcher.until,
      heartbeat: this.#heartbeat,
      run: this.#run,
      recovery: this.#recovery,
      figures: this.#figures,
      contributions: this.contributions,
    });
  }

  /**
   * Starts what is wanted. Resolves when it runs, or when the failure was set as the state; never rejects for a failed
   * start. `afresh`: the count of crashes begins at 0.
   */
  async start(want: Want, afresh: boolean): Promise<void> {
    if (afresh) this.#recovery.forget();
    this.#recovery.cancel();
    this.attempted = want.fingerprint;
    this.#standing.become("start");
    try {
      const run = await this.launch(want, false);
      this.#run = run;
      this.#standing.become("started");
      this.#takeOver(run);
      this.journal.started(run, `Started in ${Math.round(run.startMs)} ms.`);
    } catch (error) {
      this.#startFailed(this.journal.clean(toProblem(error, "START_FAILED")));
    }
  }

  /** Starts a run whose tool names clash with no other plugin's. When it rejects, the run's process is gone. */
  launch(want: Want, trial: boolean): Promise<Run> {
    const { options, clock } = this.#host;
    const run = new Run(++this.#generation, want, options, this.#runEvents(), clock, this.#figures);
    return this.launcher.launch(run, trial, ({ contributions }) => {
      const clash = this.#host.toolClash(this, contributions);
      if (clash) throw clash;
    });
  }

  /** Makes a run that was started beside the present one the present one, and ends the old one. */
  async adopt(run: Run): Promise<void> {
    const old = this.#run;
    this.attempted = run.fingerprint;
    this.#recovery.forget();
    if (!old) {
      this.#standing.become("start");
      this.#run = run;
      this.#standing.become("started");
    }
    this.#takeOver(run);
    this.#host.changed(this);
    this.journal.started(run, `Runs version ${run.plugin.packageVersion} now.`);
    if (old) await this.#end(old, "restart");
  }

  async stop(reason: "disabled" | "restart" | "shutdown"): Promise<void> {
    const run = this.#run;
    if (!run) return;
    this.#standing.become("stop");
    this.#offersChanged();
    this.#heartbeat?.stop();
    await this.#end(run, reason);
    this.#lose();
    this.attempted = null;
    this.#standing.become("ended");
    this.journal.stopped(reason);
  }

  /** Nothing should run: a state that waits for something becomes "stopped". */
  rest(): void {
    this.#recovery.forget();
    this.attempted = null;
    const row = this.#host.options.agentPlugins.get(this.agentId, this.key);
    if (row && !row.enabled) this.journal.error(null);
    if (this.state === "stopped") this.#host.changed(this);
    else this.#standing.become("stop");
  }

  /** Tells what it offers once more. */
  offersAnew(run = this.live): void {
    if (run === null || this.live !== run) return;
    run.offersAnew();
    this.#offersChanged();
    this.#host.changed(this);
  }

  /** Called once a second while it runs. */
  beat(): void {
    this.#heartbeat?.beat();
  }

  /** Sets or removes (null) the problem that another plugin has a name of this one. */
  setClash(problem: Problem | null): void {
    if (this.#clash?.message === problem?.message) return;
    this.#clash = problem;
    this.#refreshHealth();
  }

  #startFailed(problem: Problem): void {
    switch (kindOfFailure(problem)) {
      case "called_off":
        this.attempted = null;
        this.#standing.become("stop");
        this.#standing.become("ended");
        break;
      case "lacks_setup":
        this.journal.error(null);
        this.journal.log("info", problem.message);
        this.#standing.become("lacks_setup", problem);
        break;
      case "crashed":
        this.#crashed(problem);
        break;
      case "out_of_reach":
        this.journal.log("error", nextTry(problem, this.#recovery.outOfReach()));
        this.journal.failed(problem);
        this.#standing.become("start_failed", problem);
        break;
      case "failed":
        this.journal.log("error", problem.message);
        this.journal.failed(problem);
        this.#standing.become("start_failed", problem);
    }
  }

  /** Makes a started run the present one. */
  #takeOver(run: Run): void {
    this.#run = run;
    this.#figures.started(run.startMs);
    // After a crash its error stays visible until the plugin reports something or the person changes something.
    if (!this.#recovery.afterCrash || run.reported) this.journal.error(run.reported);
    this.#recovery.started();
    this.journal.runtimeState(run.runtimeState);
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
      if (!exit.finished)
        return this.#crashed(this.journal.clean(run.endedFor ?? this.journal.crash(run.plugin, exit)));
      this.attempted = null;
      for (const signal of ["stop", "ended"] as const) this.#standing.become(signal);
      this.#wake.finished();
      this.#offersChanged();
    });
    this.#offersChanged();
    this.#refreshHealth();
  }

  async #end(run: Run, reason: "disabled" | "restart" | "shutdown"): Promise<void> {
    const { drainMs } = this.#host.options.settings.get().limits;
    await run.ledger.drain(reason === "shutdown" ? 0 : drainMs);
    await run.instance.stop(reason);
  }

  /** Handles the end of the present run's process. */
  #lose(): void {
    this.#heartbeat?.stop();
    this.#heartbeat = null;
    this.#run = null;
    this.journal.runtimeState(null);
  }

  #crashed(crash: Problem): void {
    const verdict = this.#recovery.crashed();
    this.journal.failed(crash);
    if (verdict === "quarantine") {
      const problem = gaveUp(crash);
      this.journal.log("error", `${crash.message} ${problem.message}`);
      this.#standing.become("gave_up", problem);
    } else {
      this.journal.log("error", `${crash.message} It is started again in ${verdict / 1_000} s.`);
      this.#standing.become("crashed", crash);
    }
    this.#offersChanged();
  }

  #offersChanged(): void {
    const { contributions } = this;
    if (contributions && contributions.tools.length > 0)
      this.lastTools = new Set(contributions.tools.map(({ name }) => name));
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
      stateReported: (run) => ifCurrent(run, () => this.journal.runtimeState(run.runtimeState)),
      contributionsChanged: (run) => this.offersAnew(run),
    };
  }

  /** Sets the state to running or degraded, depending on whether there is a problem. */
  #refreshHealth(): void {
    if (!this.live) return;
    const trouble = troubleOf(this.live, this.#heartbeat?.notResponding ?? false, this.#clash);
    if (trouble) this.#standing.become("troubled", this.journal.clean(trouble));
    else if (this.state === "degraded") this.#standing.become("recovered");
  }
}
