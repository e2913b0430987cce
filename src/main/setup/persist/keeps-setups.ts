import type { Plugin, SetupReason } from "../../../contract/index.ts";
import type { Finished } from "../flow/state.ts";
import type { Profiles } from "./plugin-credentials.ts";

/** What was finished and has to be kept, with every value that must not stand in plain text. */
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
  /** What the plugin kept in profiles meanwhile; null when it kept nothing. */
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
  /** Removes the row that was made for a wizard alone. */
  forgetUntouched(agentId: string, key: string): Promise<void>;
}
