import {
  fromProblem,
  type LogEntry,
  type LogLevel,
  PatchbayError,
  type Plugin,
  type Problem,
  type RuntimeState,
  toProblem,
} from "../../../contract/index.ts";
import { cleanDeep, cleanText } from "../../../contract/shown/clean-text.ts";
import type { Clock } from "../../base/clock.ts";
import { redactDeep } from "../../base/redact-deep.ts";
import type { SaidNow } from "../../registry/pins/fingerprint.ts";
import type { CallScope } from "../../runtimes/plugin-call.ts";
import type { HostServices, InstanceContributions, PluginInstance } from "../../runtimes/runtime.ts";
import { CallLedger } from "../calls/call-ledger.ts";
import { judgeContributions } from "../contributions/judge.ts";
import { saidOfTaken, withheldOf } from "../contributions/withhold.ts";
import type { Figures } from "../figures/figures.ts";
import type { PoolOptions } from "../ports.ts";
import { type Want, withheldInWords } from "../wants/want.ts";
import { cleanQuestion } from "./clean-question.ts";
import { Refusals } from "./refusals.ts";
import type { StartTime } from "./start-limit.ts";

/**
 * The reports of a run to its owner. Those of a run that is no longer the present one must be dropped; each therefore
 * carries the run.
 */
export interface RunEvents {
  log(level: LogLevel, text: string, origin: LogEntry["origin"], during?: CallScope): void;
  reported(run: Run): void;
  stateReported(run: Run, patch: RuntimeState): void;
  contributionsChanged(run: Run): void;
}

/** One start of one plugin for one agent: its process, and what it reported. */
export class Run {
  readonly generation: number;
  readonly plugin: Plugin;
  readonly fingerprint: string;
  readonly ledger: CallLedger;
  readonly #want: Want;
  readonly #options: PoolOptions;
  readonly #events: RunEvents;
  readonly #clock: Clock;
  readonly #refusals: Refusals;
  #instance: PluginInstance | undefined;
  #contributions: InstanceContributions | undefined;
  /** What it says of what it offers, taken down; undefined: its words are those of its files. */
  #said: SaidNow | undefined;
  /** What of that is offered, until {@link offersAnew}. */
  #offered: InstanceContributions | undefined;
  /** The problem that the plugin last reported by itself; null when it reported none, or that it is over. */
  reported: Problem | null = null;
  runtimeState: RuntimeState = {};
  startMs = 0;
  memoryBytes: number | null = null;
  /** Why Patchbay ended the process; null when it did not. */
  endedFor: Problem | null = null;
  /** Set by every message of the process; each heartbeat reads it and sets it to false. */
  heard = false;

  constructor(
    generation: number,
    want: Want,
    options: PoolOptions,
    events: RunEvents,
    clock: Clock,
    figures: Figures,
  ) {
    this.generation = generation;
    this.plugin = want.plugin;
    this.fingerprint = want.fingerprint;
    this.ledger = new CallLedger(clock, figures, () => {
      this.heard = true;
    });
    this.#want = want;
    this.#options = options;
    this.#events = events;
    this.#clock = clock;
    const place = { agentId: want.agent.id, pluginKey: want.plugin.manifestKey };
    this.#refusals = new Refusals({
      log: (text) => events.log("warn", text, "patchbay"),
      audit: (refusal) => options.onRefused?.({ ...place, ...refusal }),
    });
  }

  /** @throws PatchbayError PLUGIN_NOT_RUNNING before it has started */
  get instance(): PluginInstance {
    if (!this.#instance)
      throw new PatchbayError("PLUGIN_NOT_RUNNING", `${this.plugin.displayName} has not started.`);
    return this.#instance;
  }

  /** What the plugin offers, checked; what of that is withheld is marked or left out. */
  get contributions(): InstanceContributions {
    this.#contributions ??= this.#judge(this.instance.contributions);
    this.#offered ??= withheldOf(this.#contributions, {
      said: this.#said,
      pins: this.#options.pins,
      plugin: this.plugin,
      switches: this.#options.agentPlugins.get(this.#want.agent.id, this.plugin.manifestKey)?.tools,
    });
    return this.#offered;
  }

  /** To be called when the person has switched tools or looked at what is held. */
  offersAnew(): void {
    this.#offered = undefined;
  }

  /**
   * Checks the files and starts the plugin. When this rejects nothing of it is left running.
   *
   * @throws PatchbayError of what went wrong, or the signal's reason
   */
  async start(signal: AbortSignal): Promise<void> {
    const { plugin, agent, obstacle } = this.#want;
    const { runtimes, settings, checkIntegrity, permissions } = this.#options;
    this.#tellWithheld();
    if (obstacle) throw fromProblem(obstacle);
    const runtime = runtimes.find(({ id }) => id === plugin.runtime);
    if (!runtime) {
      throw new PatchbayError("START_FAILED", `Patchbay cannot run ${plugin.runtime} plugins.`);
    }
    const startedAt = this.#clock.ticks();
    const changed = await checkIntegrity(plugin);
    if (changed) throw fromProblem(changed);
    this.#tellUnagreed();
    signal.throwIfAborted();
    const { config, secrets, putIn } = this.#want.open();
    const { limits, hostMemoryMb } = settings.get();
    const tell = (text: string) => this.#events.log("warn", text, "patchbay");
    this.#instance = await runtime.start(
      {
        agentId: agent.id,
        plugin,
        config,
        secrets,
        workspace: agent.workspace,
        services: this.#services(agent.id, plugin),
        walls: { ...permissions.walls(agent.id, plugin, tell), putIn },
        limits: { ...limits, startMs: this.startLimit.ms },
        ...(this.#want.files !== undefined && { files: this.#want.files }),
        memoryMb: hostMemoryMb,
      },
      signal,
    );
    this.startMs = this.#clock.ticks() - startedAt;
  }

  /** How long its start may take, and whether that is because its program may have to be fetched first. */
  get startLimit(): StartTime {
    const { startMs } = this.#options.settings.get().limits;
    const runtime = this.#options.runtimes.find(({ id }) => id === this.plugin.runtime);
    const fetchMs = runtime?.fetchMs?.(this.plugin, this.#want.agent.id) ?? null;
    return { ms: Math.max(startMs, fetchMs ?? 0), fetches: fetchMs !== null };
  }

  startTimeout({ ms, fetches }: StartTime): PatchbayError {
    const { displayName } = this.plugin;
    const details = { plugin: displayName };
    if (!fetches) {
      const message = `${displayName} did not finish starting within ${ms / 1_000} seconds.`;
      return new PatchbayError("START_TIMEOUT", message, { details });
    }
    const message = `${displayName} started but did not answer in ${Math.round(ms / 1_000)} s. It may still be downloading.`;
    return new PatchbayError("START_TIMEOUT", message, {
      help: "Try again, and press “Wait longer” while it starts.",
      details,
    });
  }

  /** Kills the process because it stopped answering. */
  endUnresponsive(): void {
    const { displayName } = this.plugin;
    const message = `${displayName} did not answer for 10 seconds and was ended.`;
    this.endedFor = new PatchbayError("NOT_RESPONDING", message, {
      details: { plugin: displayName },
    }).toProblem();
    void this.instance.stop("not_responding");
  }

  /** The author and the person see which secrets it names and does not get. */
  #tellWithheld(): void {
    const { plugin, agent, withheld } = this.#want;
    for (const secret of withheld) {
      this.#events.log("warn", withheldInWords(plugin, secret), "patchbay");
      this.#options.withheld?.(agent.id, plugin.manifestKey, secret.name);
    }
  }

  /** The same for what a linked folder declares beyond what was agreed to. */
  #tellUnagreed(): void {
    const beyond = this.#options.declaredBeyond?.(this.plugin.manifestKey) ?? [];
    if (beyond.length === 0) return;
    const text = `Its folder declares more than you agreed to: ${beyond.join(" ")} It does not get that unless you update it.`;
    this.#events.log("warn", text, "patchbay");
  }

  #judge(said: InstanceContributions): InstanceContributions {
    const { contributions, refused } = judgeContributions(
      said,
      this.plugin,
      this.generation,
      this.#contributions,
    );
    for (const { target, sentence, wall } of refused) this.#refusals.add(target, sentence, wall);
    const { vault, pins } = this.#options;
    this.#said = said.said && pins?.hear(this.plugin, saidOfTaken(said.said, contributions));
    this.#offered = undefined;
    return redactDeep(contributions, (text) => vault.redact(text));
  }

  #services(agentId: string, plugin: Plugin): HostServices {
    const { manifestKey: key, capabilities } = plugin;
    const askModel = this.#options.lendModel?.(agentId, plugin);
    const { agents, agentPlugins, ask, channel, code, credentials, oauthToken, signedIn } = this.#options;
    // A plugin may still save values while it stops. For a removed agent that must fail, or the agent's folder would be
    // made again.
    const storage = () => {
      if (agents.get(agentId)) return agentPlugins.storage(agentId, key);
      throw new PatchbayError("AGENT_NOT_FOUND", `The agent ${agentId} was removed.`);
    };
    return {
      log: (level, text, origin, during) => {
        this.heard = true;
        this.#events.log(level, text, origin, during);
      },
      refused: (target, detail) => this.#refusals.add(target, detail),
      reportError: (said, credentialsRefused) => {
        this.heard = true;
        const message = said === null ? null : cleanText(said);
        const code = credentialsRefused ? "CREDENTIALS_REFUSED" : "PLUGIN_REPORTED";
        this.reported = message === null ? null : new PatchbayError(code, message).toProblem();
        this.#events.reported(this);
      },
      reportState: (said) => {
        this.heard = true;
        const patch = cleanDeep(said);
        this.runtimeState = { ...this.runtimeState, ...patch };
        this.#events.stateReported(this, patch);
      },
      contributionsChanged: (all) => {
        this.heard = true;
        // A change before the start is complete needs no handling: the instance returns all its contributions when it
        // has started.
        if (!this.#instance) return;
        this.#contributions = this.#judge(all);
        this.#events.contributionsChanged(this);
      },
      storage: {
        get: async (name) => storage().get(name),
        set: async (name, value) => storage().set(name, value),
        delete: async (name) => storage().delete(name),
      },
      credentials: credentials(agentId, key),
      signedIn: () => signedIn(agentId, key),
      oauthToken: async (refused, sentTo) => {
        try {
          return await oauthToken(agentId, key, refused, sentTo);
        } catch (error) {
          const problem = toProblem(error);
          if (problem.code === "CREDENTIALS_REFUSED") {
            this.reported = problem;
            this.#events.reported(this);
          }
          throw error;
        }
      },
      ask: async (question, context, during, signal) => {
        const resume = this.ledger.pause(during);
        try {
          const until = signal ?? during?.signal;
          return await ask(agentId, key, cleanQuestion(question), context, until, { during });
        } finally {
          resume();
        }
      },
      ...(askModel && {
        askModel: async (request, context, during, signal) => {
          const resume = this.ledger.pause(during);
          try {
            return await askModel(request, context, during, signal);
          } finally {
            resume();
          }
        },
      }),
      ...(code && { code: code(agentId, key) }),
      ...(capabilities.channel && { channel: channel(agentId, key) }),
    };
  }
}
