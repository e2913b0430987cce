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
 * The place of one (agent, plugin) in the pool. Everything that starts or stops goes through one serial queue, and
 * each step brings the instance to what the stored row asks for at that moment, so the last wish wins.
 */
export class Slot implements Place {
  readonly agentId: string;
  readonly key: string;
  /** Stopped for an uninstall; nothing starts until the catalogue changes. */
  held = false;
  readonly #host: SlotHost;
  readonly #occupant: Occupant;
  readonly #queue = new SerialQueue();
  readonly #candidate = new Candidate();
  /** A tools-only plugin that somebody wanted since the app started. */
  #used = false;
  #restartWanted = false;
  #closed = false;

  constructor(agentId: string, key: string, host: SlotHost) {
    this.agentId = agentId;
    this.key = key;
    this.#host = host;
    this.#occupant = new Occupant(agentId, key, host, () => void this.settle());
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

  /** The started plugin, if it can be called now. */
  get live(): Run | null {
    return this.#occupant.live;
  }

  /** What it offers while it can be called. */
  get contributions(): InstanceContributions | null {
    return this.#occupant.contributions;
  }

  /** The tools that it offered when it was last seen running. */
  get lastTools(): ReadonlySet<string> {
    return this.#occupant.lastTools;
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
    return this.#occupant.view(this.waitsForUse);
  }

  /** A tools-only plugin may start now. */
  use(): void {
    this.#used = true;
  }

  /** Brings the instance to what is wanted now; resolves when that is done. Never rejects. */
  settle(): Promise<void> {
    this.#occupant.launcher.wantOnly(this.#want()?.fingerprint ?? null);
    return this.#queue.runNext(() =>
      this.#bringUp().catch((error: unknown) => this.journal.log("error", toProblem(error).message)),
    );
  }

  /** Starts it afresh, also out of quarantine. */
  restart(): Promise<void> {
    this.#used = true;
    this.#restartWanted = true;
    this.#occupant.launcher.callOff();
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
      const running = this.#occupant.run?.plugin;
      if (running && (version.capabilities.channel || running.capabilities.channel)) {
        await this.#occupant.stop("restart");
      }
      this.#candidate.hold(await this.#occupant.launch(want, true));
    });
  }

  /** Ends a version that was tried and is not wanted after all. */
  discardTrial(): Promise<void> {
    return this.#queue.run(() => this.#candidate.drop());
  }

  /** Called once a second while it runs. */
  beat(): void {
    this.#occupant.beat();
  }

  /** Shows or hides that another plugin keeps a name of this one. */
  setClash(problem: Problem | null): void {
    this.#occupant.setClash(problem);
  }

  #want(): Want | null {
    if (this.#closed || this.held) return null;
    return readWant(this.#host.options, this.agentId, this.key);
  }

  /** Goes step by step from what runs to what is wanted now. */
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
          return want ? this.#occupant.start(want, step.afresh) : undefined;
        case "rest":
          return this.#occupant.rest();
        case "nothing":
          return;
      }
    }
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
