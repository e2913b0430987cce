import { EventEmitter } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type CheckView,
  fromProblem,
  PatchbayError,
  type Plugin,
  type Problem,
  toProblem,
} from "../../../contract/index.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { Slots } from "../../base/slots.ts";
import { validateConfig } from "../../registry/index.ts";
import type { Pins } from "../../registry/pins/pins.ts";
import { settingsOf } from "../../registry/settings/settings-of.ts";
import { scopeOutsideTurns } from "../../runtimes/plugin-call.ts";
import { Aside } from "../aside/aside.ts";
import type { PoolOptions } from "../ports.ts";
import { readWant, type Want } from "../wants/want.ts";
import { type CheckPlace, placesOf, servicesOfCheck } from "./services-of-check.ts";

export interface ChecksOptions {
  pool: PoolOptions;
  pins: Pick<Pins, "sumOf" | "listed">;
  /** A folder in which folders may be made that do not outlive a start of Patchbay. */
  staging: string;
  clock?: Clock;
}

/** How a check is followed. */
export interface Followed {
  /** Aborting it ends the check. */
  signal?: AbortSignal | undefined;
  /** Told what the plugin writes meanwhile, a line each. */
  log?(text: string): void;
}

/** How many plugins are looked at at the same time: each is a process, and many may be installed together. */
const AT_ONCE = 2;
/** Milliseconds in which a plugin lists its resources. */
const LISTING_MS = 10_000;

/** One start for a look that is under way. */
interface UnderWay {
  abort: AbortController;
  /** Absent while it waits for its turn. */
  aside?: Aside;
  /** It is to be waited for as long as can be. */
  most?: true;
  ended: Promise<CheckView>;
}

/** How the last one ended that showed nothing. */
interface Ended {
  pluginId: string;
  version: string;
  view: CheckView;
}

/**
 * Starts plugins once to see what they offer, before they are switched on: behind the walls and with the network that were
 * agreed to, without a workspace, and with nobody to ask. What they say is taken down as agreed to, or held where it was
 * otherwise before; then they are stopped, and nothing of them is left running.
 */
export class Checks {
  readonly changes = new EventEmitter<{ check: [key: string] }>();
  readonly #options: ChecksOptions;
  readonly #clock: Clock;
  readonly #turns = new Slots(AT_ONCE);
  readonly #underWay = new Map<string, UnderWay>();
  readonly #ended = new Map<string, Ended>();
  /** By the key of a plugin the agent and the revision of its settings with which it was looked at by itself. */
  readonly #tried = new Map<string, string>();
  #closed = false;

  constructor(options: ChecksOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** How it is with a plugin; undefined where its files say what it offers. */
  view(plugin: Plugin): CheckView | undefined {
    const { manifestKey: key, id, packageVersion } = plugin;
    if (!this.#tellsAtStart(plugin)) return undefined;
    const running = this.#underWay.get(key);
    if (running) return { state: "running", until: running.aside?.until ?? null };
    const heard = this.#options.pins.sumOf(plugin);
    if (heard) return heard;
    const ended = this.#ended.get(key);
    if (ended?.pluginId === id && ended.version === packageVersion) return ended.view;
    return { state: "open", waitsFor: null };
  }

  isRunning({ manifestKey }: Plugin): boolean {
    return this.#underWay.has(manifestKey);
  }

  isHeard(plugin: Plugin): boolean {
    return this.view(plugin)?.state === "done";
  }

  /**
   * Starts a plugin for a look, unless that is under way already. Resolves when it has stopped; how it went is in the
   * view. Undefined where its files say what it offers. Never rejects.
   */
  async check(plugin: Plugin, followed: Followed = {}): Promise<CheckView | undefined> {
    const key = plugin.manifestKey;
    if (!this.#tellsAtStart(plugin) || this.#closed) return this.view(plugin);
    const { signal, log } = followed;
    let running = this.#underWay.get(key);
    if (!running) {
      const abort = new AbortController();
      running = { abort, ended: Promise.resolve({ state: "open", waitsFor: null }) };
      this.#underWay.set(key, running);
      running.ended = this.#run(plugin, running, log);
      this.changes.emit("check", key);
    }
    const { abort, ended } = running;
    const leave = () => abort.abort(calledOff());
    if (signal?.aborted) leave();
    signal?.addEventListener("abort", leave, { once: true });
    try {
      await ended;
    } finally {
      signal?.removeEventListener("abort", leave);
    }
    return this.view(plugin);
  }

  /**
   * To be called when the person has changed the settings of an agent: a plugin that waited for settings, and is not on
   * anyway, is looked at now where these are enough.
   */
  settingsChanged(agentId: string, key: string): void {
    const { agentPlugins, registry } = this.#options.pool;
    const row = agentPlugins.get(agentId, key);
    const plugin = registry.get(key);
    if (!row || row.enabled || !plugin || this.#tried.get(key) === `${agentId} ${row.revision}`) return;
    const view = this.view(plugin);
    if (view?.state !== "open" || view.waitsFor === "sign_in" || Object.keys(row.config).length === 0) return;
    this.#tried.set(key, `${agentId} ${row.revision}`);
    void this.check(plugin);
  }

  /**
   * Gives a start that may have to fetch its program first as much time again.
   * @param most the longest that a start is waited for; also where it only waits for its turn
   */
  waitLonger(key: string, most = false): void {
    const running = this.#underWay.get(key);
    if (running && most) running.most = true;
    if (running?.aside?.waitLonger(most)) this.changes.emit("check", key);
  }

  /** Ends what is under way with a plugin. */
  async end(key: string): Promise<void> {
    const running = this.#underWay.get(key);
    running?.abort.abort(calledOff());
    await running?.ended;
  }

  /** Ends all, for good. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#underWay.keys()].map((key) => this.end(key)));
    this.changes.removeAllListeners();
  }

  #tellsAtStart({ runtime }: Plugin): boolean {
    return this.#options.pool.runtimes.find(({ id }) => id === runtime)?.tellsAtStart === true;
  }

  async #run(plugin: Plugin, running: UnderWay, log: Followed["log"]): Promise<CheckView> {
    const key = plugin.manifestKey;
    let view: CheckView;
    try {
      view = await this.#turns.hold(running.abort.signal, () => this.#look(plugin, running, log));
    } catch (error) {
      view = viewOf(toProblem(error, "START_FAILED"), plugin, running.aside !== undefined);
    }
    this.#underWay.delete(key);
    if (view.state === "done") this.#ended.delete(key);
    else this.#ended.set(key, { pluginId: plugin.id, version: plugin.packageVersion, view });
    this.changes.emit("check", key);
    return view;
  }

  /** @throws PatchbayError with the reason for which it did not start */
  async #look(plugin: Plugin, running: UnderWay, log: Followed["log"]): Promise<CheckView> {
    const { pins, staging } = this.#options;
    running.abort.signal.throwIfAborted();
    await mkdir(staging, { recursive: true });
    const folder = await mkdtemp(join(staging, "check-"));
    try {
      const workspace = join(folder, "workspace");
      await mkdir(workspace);
      const { want, services } = this.#wantOf(plugin, folder, workspace);
      const aside = new Aside(want, services, this.#clock);
      if (log) aside.changes.on("log", ({ text }) => log(text));
      await this.#hear(aside, plugin, running);
      return pins.sumOf(plugin) ?? { state: "open", waitsFor: null };
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
    }
  }

  async #hear(aside: Aside, plugin: Plugin, running: UnderWay): Promise<void> {
    const { signal } = running.abort;
    const stop = () => void aside.stop();
    signal.addEventListener("abort", stop, { once: true });
    try {
      // What it says is taken down when its contributions are looked at.
      const started = aside.start((contributions) => void contributions.tools.length);
      running.aside = aside;
      if (running.most) aside.waitLonger(true);
      this.changes.emit("check", plugin.manifestKey);
      await started;
      if (aside.contributions?.resources) await this.#countResources(aside, plugin, signal);
    } finally {
      signal.removeEventListener("abort", stop);
      await aside.stop();
    }
  }

  async #countResources(aside: Aside, plugin: Plugin, signal: AbortSignal): Promise<void> {
    try {
      const { resources, templates } = await aside.call(
        { kind: "resources" },
        scopeOutsideTurns(signal, LISTING_MS),
      );
      this.#options.pins.listed(plugin, resources.length + templates.length);
    } catch {
      // That it does not list them shows where they are wanted; its tools count all the same.
    }
  }

  /** @throws PatchbayError when nobody's settings are enough to start it with, or it is held off */
  #wantOf(plugin: Plugin, folder: string, workspace: string): { want: Want; services: PoolOptions } {
    const { pool } = this.#options;
    let first: Problem | null = null;
    for (const place of placesOf(pool, plugin)) {
      const hold = pool.holdOf?.(place.agentId, plugin.manifestKey);
      if (hold?.kind === "safe_mode") throw fromProblem(hold.problem);
      const services = servicesOfCheck(pool, place, workspace);
      const want = readWant({ ...services, holdOf: undefined }, place.agentId, plugin.manifestKey, plugin);
      const obstacle = want ? (want.obstacle ?? lacking(plugin, place)) : null;
      if (want && !obstacle)
        return {
          want: { ...want, ...(!place.isAgents && { files: join(folder, "files") }) },
          services,
        };
      first ??= obstacle;
    }
    throw first
      ? fromProblem(first)
      : new PatchbayError("NEEDS_SETUP", `${plugin.displayName} is not set up yet.`);
  }
}

/** What of the settings is missing or wrong. */
function lacking(plugin: Plugin, { row, isAgents }: CheckPlace): Problem | null {
  const { declaration, displayName, source } = plugin;
  // What a server had elsewhere is its own when an agent gets it; without that it may be another server.
  const isElsewhere = !isAgents && source.kind === "mcp-import" && declaration.configSchema !== null;
  try {
    validateConfig(declaration, settingsOf(row.config, plugin));
    if (!isElsewhere) return null;
  } catch {
    // What exactly is missing is said where the settings are filled in.
  }
  const message = `${displayName} is not set up yet: it has settings to fill in.`;
  return new PatchbayError("NEEDS_SETUP", message).toProblem();
}

/** @param hadSettings its settings were enough to start it with */
function viewOf(problem: Problem, { declaration }: Plugin, hadSettings: boolean): CheckView {
  switch (problem.code) {
    case "MISSING_SECRET":
    case "SECRET_NOT_GIVEN":
    case "NEEDS_SETUP":
    case "CONFIG_INVALID":
    case "CREDENTIALS_REFUSED":
      if (!hadSettings) return { state: "open", waitsFor: "settings" };
      return declaration.hasSetup ? { state: "open", waitsFor: "sign_in" } : { state: "failed", problem };
    case "ABORTED":
      return { state: "open", waitsFor: null };
    default:
      return { state: "failed", problem };
  }
}

function calledOff(): PatchbayError {
  return new PatchbayError("ABORTED", "The start was called off.");
}
