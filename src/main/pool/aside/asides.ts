import { PatchbayError, type Plugin } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { InstanceContributions } from "../../runtimes/runtime.ts";
import type { Place, PoolOptions } from "../ports.ts";
import { readWant } from "../wants/want.ts";
import { Aside } from "./aside.ts";
import { servicesApart } from "./services-apart.ts";

/** The kept versions that run beside the slots, for as long as those who started them need them. */
export class Asides {
  readonly #options: PoolOptions;
  readonly #clock: Clock;
  readonly #clash: (place: Place, contributions: InstanceContributions) => PatchbayError | null;
  readonly #running = new Set<Aside>();
  #closed = false;

  /** @param clash the error when another plugin of the agent has one of these tool names; else null */
  constructor(
    options: PoolOptions,
    clock: Clock,
    clash: (place: Place, contributions: InstanceContributions) => PatchbayError | null,
  ) {
    this.#options = options;
    this.#clock = clock;
    this.#clash = clash;
  }

  /**
   * Starts a kept version beside the running one, with its settings, secrets and walls. It has to be ended (`end`).
   * Resolves with null when this version is the installed one, which needs no second process.
   *
   * @throws PatchbayError NO_OTHER_VERSION, PLUGIN_NOT_FOUND, PLUGIN_NOT_RUNNING when the plugin may not run, BAD_INPUT
   * for a channel, ABORTED, SHUTTING_DOWN, or why it did not start
   */
  async start(agentId: string, key: string, version: string, signal: AbortSignal): Promise<Aside | null> {
    signal.throwIfAborted();
    if (this.#closed) throw new PatchbayError("SHUTTING_DOWN", "Patchbay is closing.");
    const { registry } = this.#options;
    const current = registry.get(key);
    if (!current) throw new PatchbayError("PLUGIN_NOT_FOUND", `The plugin ${key} is not installed.`);
    const plugin = this.#kept(agentId, current, version);
    if (!plugin) return null;
    if (plugin.capabilities.channel || current.capabilities.channel)
      throw new PatchbayError(
        "BAD_INPUT",
        `${current.displayName} has a channel, so two versions of it cannot run at the same time.`,
      );
    const want = readWant(this.#options, agentId, key, plugin);
    if (!want)
      throw new PatchbayError(
        "PLUGIN_NOT_RUNNING",
        `${current.displayName} may not run for this agent now, so no other version of it does.`,
      );
    const aside = new Aside(want, servicesApart(this.#options), this.#clock);
    this.#running.add(aside);
    const onAbort = () => void aside.stop();
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      await aside.start((contributions) => {
        const clash = this.#clash(aside, contributions);
        if (clash) throw clash;
      });
    } catch (error) {
      this.#running.delete(aside);
      throw error;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
    return aside;
  }

  /** Ends one that is not needed any more. */
  async end(aside: Aside): Promise<void> {
    await aside.stop();
    this.#running.delete(aside);
  }

  /** Ends all that it is said of. */
  async endAll(which: (aside: Aside) => boolean): Promise<void> {
    await Promise.all([...this.#running].filter(which).map((aside) => this.end(aside)));
  }

  /** Ends all, for good. */
  close(): Promise<void> {
    this.#closed = true;
    return this.endAll(() => true);
  }

  /**
   * The kept version, as it would run: with what the plugin may reach now, whatever was granted then.
   * @throws PatchbayError NO_OTHER_VERSION
   */
  #kept(agentId: string, current: Plugin, version: string): Plugin | null {
    const found = current.previous.find(({ packageVersion }) => packageVersion === version);
    if (found) {
      const granted = this.#options.permissions.of(agentId, current);
      const { skippedScripts: _ofCurrent, ...same } = current;
      return { ...same, ...found, granted };
    }
    if (version === current.packageVersion) return null;
    const there = current.previous.map(({ packageVersion }) => packageVersion);
    const kept =
      there.length > 0
        ? `Kept beside ${current.packageVersion}, which is installed: ${there.join(", ")}.`
        : `Only ${current.packageVersion} is there, which is installed.`;
    throw new PatchbayError(
      "NO_OTHER_VERSION",
      `Version ${version} of ${current.displayName} is not kept. ${kept}`,
    );
  }
}
