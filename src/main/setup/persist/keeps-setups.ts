import type { Plugin, SetupReason } from "../../../contract/index.ts";
import type { Finished } from "../flow/state.ts";
import type { Profiles } from "./plugin-credentials.ts";

/** The outcome of a setup to be stored. `sensitive` lists every value that must not be stored as plain text. */
export interface Outcome extends Finished {
  sensitive: readonly string[];
  /** The plugin's `parseConfig`. @throws PatchbayError CONFIG_REFUSED */
  check(config: Record<string, unknown>): Promise<void>;
}

/** A setup that is done, to be kept. */
export interface FinishedSetup {
  agentId: string;
  plugin: Plugin;
  reason: SetupReason;
  outcome: Outcome;
  /** What the person typed in its steps. */
  typed: readonly unknown[];
  /** All profiles to store, after the plugin changed some during its setup; null when it changed none. */
  credentials: Profiles | null;
}

/** The owner of an agent's plugins, as far as the wizards need it. */
export interface KeepsSetups {
  /**
   * Keeps a finished setup in one step, with the plugin switched on: killed anywhere, the plugin is as it was or set up
   * whole. `settled` resolves when it has started, or could not start.
   *
   * @throws PatchbayError CONFIG_REFUSED, CONFIG_INVALID, BAD_INPUT, VAULT_CLOSED, DISK_FULL, WRITE_FAILED; nothing is changed then
   */
  finishSetup(finished: FinishedSetup): Promise<{ settled: Promise<void> }>;
  /** Removes a row that was made only for a wizard and that the person has not changed since. */
  forgetUntouched(agentId: string, key: string): Promise<void>;
}
