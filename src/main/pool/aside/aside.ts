import { EventEmitter } from "node:events";
import { type LogEntry, PatchbayError, toProblem } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { CallResult, CallScope, PluginCall } from "../../runtimes/plugin-call.ts";
import type { InstanceContributions } from "../../runtimes/runtime.ts";
import { PoolCalls } from "../calls/pool-calls.ts";
import { missingHooks } from "../contributions/missing-hooks.ts";
import { Figures } from "../figures/figures.ts";
import { Journal } from "../journal/journal.ts";
import type { Place, PoolOptions } from "../ports.ts";
import { Launcher } from "../run/launcher.ts";
import { Run } from "../run/run.ts";
import type { Want } from "../wants/want.ts";

/** A start of a plugin beside the one in the slot: another version of it, or one that is only looked at. It is called by whoever started it, and by nobody else. */
export class Aside implements Place {
  readonly agentId: string;
  readonly key: string;
  readonly generation = 1;
  /** The lines that it writes. They are in no other log. */
  readonly changes = new EventEmitter<{ log: [entry: LogEntry] }>();
  readonly #journal: Journal;
  readonly #launcher: Launcher;
  readonly #run: Run;
  readonly #calls: PoolCalls;
  #starting: Promise<unknown> | null = null;
  #stopping: Promise<void> | null = null;
  #isLive = false;

  /** @param apart services that note nothing of it anywhere */
  constructor(want: Want, apart: PoolOptions, clock: Clock) {
    this.agentId = want.agent.id;
    this.key = want.plugin.manifestKey;
    this.#launcher = new Launcher(clock);
    this.#journal = new Journal(
      this.agentId,
      this.key,
      apart,
      clock,
      (entry) => void this.changes.emit("log", entry),
    );
    const events = {
      log: (...line: Parameters<Journal["log"]>) => this.#journal.log(...line),
      reported() {},
      stateReported() {},
      contributionsChanged() {},
    };
    this.#run = new Run(this.generation, want, apart, events, clock, new Figures(clock));
    this.#calls = new PoolCalls(() => ({
      live: this.#isLive ? this.#run : null,
      busy: false,
      state: this.#isLive ? "running" : "stopped",
      settled: async () => {},
      view: () => ({ reason: null }),
    }));
  }

  /** What it offers; null while it cannot be called. */
  get contributions(): InstanceContributions | null {
    return this.#isLive ? this.#run.contributions : null;
  }

  /** Required hooks of this version that nothing answers. */
  get required() {
    const { requiredHooks } = this.#run.plugin.declaration;
    return requiredHooks.length > 0 ? missingHooks(this.key, requiredHooks, this.contributions) : [];
  }

  /**
   * Starts it. When it rejects, its process is gone.
   * @param check throws when what it offers may not be used
   * @throws PatchbayError with the reason for which it did not start; ABORTED when it was stopped meanwhile
   */
  async start(check: (contributions: InstanceContributions) => void): Promise<void> {
    const starting = this.#launcher.launch(this.#run, false, (run) => check(run.contributions));
    this.#starting = starting;
    try {
      await starting;
    } catch (error) {
      throw this.#notStarted(error);
    }
    if (this.#stopping) {
      await this.#stopping;
      throw new PatchbayError("ABORTED", "The start was called off.");
    }
    this.#isLive = true;
    void this.#run.instance.exited.then(() => {
      this.#isLive = false;
    });
  }

  /** @throws PatchbayError as a call of a running plugin does */
  call<C extends PluginCall>(call: C, scope: CallScope): Promise<CallResult<C>> {
    return this.#calls.call(this.agentId, this.key, call, scope);
  }

  /** When the wait for its start ends, where its program may have to be fetched first; else null. */
  get until(): string | null {
    return this.#launcher.until;
  }

  /** Gives such a start as much time again, or the `most`. False when there is none, or it cannot have more. */
  waitLonger(most = false): boolean {
    return this.#launcher.waitLonger(most);
  }

  /** Ends it, also while it starts. Never rejects; no process is left when it resolves. */
  stop(): Promise<void> {
    this.#stopping ??= this.#end();
    return this.#stopping;
  }

  async #end(): Promise<void> {
    this.#isLive = false;
    this.#launcher.callOff();
    const hasStarted = await this.#starting?.then(
      () => true,
      () => false,
    );
    if (hasStarted) {
      await this.#run.ledger.drain(0);
      await this.#run.instance.stop("shutdown");
    }
    this.changes.removeAllListeners();
  }

  /** Without stored secrets. */
  #notStarted(error: unknown): PatchbayError {
    const { displayName, packageVersion } = this.#run.plugin;
    const { code, message, help, details } = this.#journal.clean(toProblem(error, "START_FAILED"));
    return new PatchbayError(
      code,
      code === "ABORTED" ? message : `${displayName} ${packageVersion} did not start. ${message}`,
      { cause: error, ...(help !== undefined && { help }), ...(details !== undefined && { details }) },
    );
  }
}
