import {
  type InstanceState,
  type InstanceView,
  type Plugin,
  type Problem,
  toProblem,
} from "../../../contract/index.ts";
import { SerialQueue } from "../../base/serial-queue.ts";
import type { InstanceContributions } from "../../runtimes/runtime.ts";
import type { Journal } from "../journal/journal.ts";
import type { LogRing } from "../journal/log-ring.ts";
import type { Place } from "../ports.ts";
import { Candidate } from "../run/candidate.ts";
import type { Run } from "../run/run.ts";
import { readWant, startsOnUse, type Want } from "../wants/want.ts";
import { nextStep, type SlotSituation } from "./next-step.ts";
import { Occupant } from "./occupant.ts";
import type { SlotHost } from "./slot-host.ts";
import { holdProblem } from "./slot-view.ts";

/**
 * The place of one (agent, plugin) in the pool. Every start and stop goes through one serial queue. Each task of the
 * queue reads the stored row when it begins, so that the newest change decides.
 */
export class Slot implements Place {
  readonly agentId: string;
  readonly key: string;
  /** True after a stop for an uninstall: nothing starts before the catalogue changes. */
  held = false;
  readonly #host: SlotHost;
  readonly #occupant: Occupant;
  readonly #queue = new SerialQueue();
  readonly #candidate = new Candidate();
  /** One of the plugin's tools was called since the app started. */
  #used = false;
  #restartWanted = false;
  #closed = false;

  constructor(agentId: string, key: string, host: SlotHost) {
    this.agentId = agentId;
    this.key = key;
    this.#host = host;
    this.#occupant = new Occupant(agentId, key, host, {
      recover: () => void this.settle(),
      finished: () => {
        this.#used = false;
        this.journal.log("info", "It ended by itself. It is started again at its next use.");
      },
    });
  }

  get state(): InstanceState {
    return this.#occupant.state;
  }

  get journal(): Journal {
    return this.#occupant.journal;
  }

  get logs(): LogRing {
    return this.journal.logs;
  }

  /** The present run, if it can be called now. */
  get live(): Run | null {
    return this.#occupant.live;
  }

  /** What the plugin offers; null while it cannot be called. */
  get contributions(): InstanceContributions | null {
    return this.#occupant.contributions;
  }

  /** Names of the tools that the plugin offered when it last ran. */
  get lastTools(): ReadonlySet<string> {
    return this.#occupant.lastTools;
  }

  /** Whether a start or stop is under way or waits in the queue. */
  get busy(): boolean {
    return this.#queue.busy;
  }

  /** True for a plugin that is switched on and will start at the first use of one of its tools. */
  get waitsForUse(): boolean {
    if (this.#used || this.#closed || this.held || this.state !== "stopped") return false;
    const { agentPlugins, registry } = this.#host.options;
    if (holdProblem(this.#host.options, this.agentId, this.key)) return false;
    const plugin = agentPlugins.get(this.agentId, this.key)?.enabled ? registry.get(this.key) : undefined;
    return plugin !== undefined && startsOnUse(plugin);
  }

  /** Whether a new version was started as a trial and waits to take the old one's place. */
  get hasCandidate(): boolean {
    return this.#candidate.waits;
  }

  view(): InstanceView {
    return this.#occupant.view(this.waitsForUse);
  }

  /**
   * Notes that a tool of the plugin is needed, so that it need not wait for its first use any more. Does not start it
   * by itself.
   */
  use(): void {
    this.#used = true;
  }

  /** Starts, restarts or stops the instance until it is what the stored row says. Never rejects. */
  settle(): Promise<void> {
    this.#occupant.launcher.wantOnly(this.#want()?.fingerprint ?? null);
    return this.#queue.runNext(() =>
      this.#bringUp().catch((error: unknown) => this.journal.log("error", toProblem(error).message)),
    );
  }

  /** Stops the instance and starts it again; also one in quarantine. */
  restart(): Promise<void> {
    this.#used = true;
    this.#restartWanted = true;
    this.#occupant.launcher.callOff();
    return this.settle();
  }

  /** Ends the instance for good, without waiting for its calls. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.settle();
  }

  /** Resolves when the starts and stops that are queued now are done. */
  settled(): Promise<void> {
    return this.#queue.idle();
  }

  /**
   * Starts another version of the plugin with the settings of this agent. A plugin with a channel cannot run twice, so
   * there the running version stops first.
   *
   * @throws PatchbayError with the reason for which it did not start
   */
  trial(version: Plugin): Promise<void> {
    return this.#queue.run(async () => {
      const want = readWant(this.#host.options, this.agentId, this.key, version);
      if (!want || this.#closed) return;
      await this.#candidate.drop();
      const running = this.#occupant.run?.plugin;
      if (running && (version.capabilities.channel || running.capabilities.channel)) {
        await this.#occupant.stop("restart");
      }
      this.#candidate.hold(await this.#occupant.launch(want, true));
    });
  }

  /** Ends a new version that was started as a trial and is not wanted any more. */
  discardTrial(): Promise<void> {
    return this.#queue.run(() => this.#candidate.drop());
  }

  /** Gives a start that may have to fetch its program first as much time again. */
  waitLonger(): void {
    if (this.#occupant.launcher.waitLonger()) this.#host.changed(this);
  }

  /** To be called when something else decides by now what is offered. */
  offersAnew(): void {
    this.#occupant.offersAnew();
  }

  /** Called once a second while it runs. */
  beat(): void {
    this.#occupant.beat();
  }

  /** Sets or removes (null) the problem that another plugin has a name of this one. */
  setClash(problem: Problem | null): void {
    this.#occupant.setClash(problem);
  }

  #want(): Want | null {
    if (this.#closed || this.held) return null;
    return readWant(this.#host.options, this.agentId, this.key);
  }

  /** Carries out steps of `next-step.ts` until no further step is needed. */
  async #bringUp(): Promise<void> {
    const want = this.#want();
    const restart = this.#restartWanted;
    this.#restartWanted = false;
    for (;;) {
      const step = nextStep(this.#situation(want, restart));
      switch (step.do) {
        case "drop_candidate":
          await this.#candidate.drop();
          break;
        case "stop":
          await this.#occupant.stop(step.reason);
          break;
        case "adopt": {
          const run = this.#candidate.take();
          return run ? this.#occupant.adopt(run) : undefined;
        }
        case "start":
          return want ? this.#start(want, step.afresh) : undefined;
        case "rest":
          return this.#occupant.rest();
        case "nothing":
          return;
      }
    }
  }

  #start(want: Want, afresh: boolean): Promise<void> {
    const started = this.#occupant.start(want, afresh);
    // Until when it may take is known from here on.
    if (this.#occupant.launcher.until !== null) this.#host.changed(this);
    return started;
  }

  #situation(want: Want | null, restart: boolean): SlotSituation {
    return {
      wanted: want && {
        fingerprint: want.fingerprint,
        startsOnUse: startsOnUse(want.plugin),
        hasObstacle: want.obstacle !== null,
      },
      running: this.#occupant.run?.fingerprint ?? null,
      candidate: this.#candidate.fingerprint,
      attempted: this.#occupant.attempted,
      restart,
      used: this.#used,
      closed: this.#closed,
    };
  }
}
