import { PatchbayError, toProblem } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import { within } from "../../base/limit.ts";
import type { SetupPlugin, SetupPluginState } from "../../runtimes/runtime.ts";

/** How long a plugin may take to handle `cancel`, milliseconds. */
const CANCEL_MS = 2_000;

/** The process of a plugin's setup, and its session in there. At most one at a time. */
export class PluginProcess {
  readonly #clock: Clock;
  readonly #ended: () => void;
  #plugin: SetupPlugin | null = null;
  #session: string | null = null;
  /** Settles when the one that is being opened is open or gone; never rejects. */
  #opening: Promise<unknown> = Promise.resolve();

  /** @param ended the process ended by itself */
  constructor(clock: Clock, ended: () => void) {
    this.#clock = clock;
    this.#ended = ended;
  }

  /** Opens it and begins its setup. Aborted while it opens, its process is gone before this rejects. */
  async begin(
    open: (signal: AbortSignal) => Promise<SetupPlugin>,
    input: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<SetupPluginState> {
    const opening = this.#open(open, signal);
    this.#opening = opening.catch(() => {});
    const plugin = await opening;
    const { sessionId, state } = await plugin.begin(input, signal);
    if (this.#plugin === plugin) this.#session = sessionId;
    return state;
  }

  async submit(input: Record<string, unknown>, signal: AbortSignal): Promise<SetupPluginState> {
    const { plugin, session } = this.#running();
    return plugin.submit(session, input, signal);
  }

  async poll(signal: AbortSignal): Promise<SetupPluginState> {
    const { plugin, session } = this.#running();
    return plugin.poll(session, signal);
  }

  /**
   * Asks the plugin's `parseConfig`. When the process is gone, nothing can judge: the settings are accepted, and the
   * start of the plugin will show a failure.
   * @throws PatchbayError CONFIG_REFUSED
   */
  async check(config: Record<string, unknown>, signal: AbortSignal): Promise<void> {
    try {
      await this.#plugin?.check(config, signal);
    } catch (error) {
      if (toProblem(error).code !== "HOST_CRASHED") throw error;
    }
  }

  /**
   * Ends it, also when it is still being opened, which its signal has to stop. Never rejects.
   *
   * @param cancel the plugin is told first, so that it lets go of what it waits for
   */
  async close(cancel: boolean): Promise<void> {
    await this.#opening;
    const plugin = this.#plugin;
    const session = this.#session;
    this.#plugin = null;
    this.#session = null;
    if (!plugin) return;
    if (cancel && session !== null) {
      const limit = { clock: this.#clock, ms: CANCEL_MS };
      await within(limit, ({ signal }) => plugin.cancel(session, signal)).catch(() => {});
    }
    await plugin.close();
  }

  async #open(
    open: (signal: AbortSignal) => Promise<SetupPlugin>,
    signal: AbortSignal,
  ): Promise<SetupPlugin> {
    const plugin = await open(signal);
    if (signal.aborted) {
      await plugin.close();
      throw signal.reason;
    }
    this.#plugin = plugin;
    void plugin.exited.then(() => {
      if (this.#plugin !== plugin) return;
      this.#plugin = null;
      this.#session = null;
      this.#ended();
    });
    return plugin;
  }

  #running(): { plugin: SetupPlugin; session: string } {
    if (this.#plugin && this.#session !== null) return { plugin: this.#plugin, session: this.#session };
    throw new PatchbayError("PLUGIN_NOT_RUNNING", "The plugin's setup is not open.");
  }
}
