import type { Plugin, SetupReason } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { SetupPlugin } from "../../runtimes/runtime.ts";
import type { Grant, SignsIn } from "../oauth/types.ts";
import type { Profiles } from "../plugin-credentials.ts";

/** What was finished and has to be kept, with every value that must not stand in plain text. */
export interface Outcome {
  config: Record<string, unknown>;
  secrets: Record<string, string>;
  account: string | null;
  sensitive: readonly string[];
  grant: Grant | null;
  /** `config` is all settings there are; else what was set by hand survives beside it. */
  whole: boolean;
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

/** What the settings of a plugin without a setup of its own need, as one form. */
export interface SettingsForm {
  /** The settings to start with. */
  config(): Record<string, unknown>;
  /** Refuses beforehand what would only come to light when all was typed. @throws PatchbayError */
  ready(): Promise<void>;
  /** Asks `parseConfig`, in a process that is gone when this settles. @throws PatchbayError CONFIG_REFUSED */
  check(config: Record<string, unknown>, signal: AbortSignal): Promise<void>;
}

export interface SessionOptions {
  agentId: string;
  plugin: Plugin;
  reason: SetupReason;
  input: Record<string, unknown>;
  /** The plugin's own setup, opened for each beginning; or, where it has none, its settings. */
  steps: { open(signal: AbortSignal): Promise<SetupPlugin> } | { form: SettingsForm };
  /** Keeps what was finished, in one step. */
  save(outcome: Outcome): Promise<void>;
  /** Brings the plugin to what was saved. */
  start(): Promise<void>;
  signIn: SignsIn;
  /** Opens a page in the person's browser; false when that cannot be done from here. */
  openUrl(url: string): Promise<boolean>;
  hide(value: string): void;
  changed(): void;
  /** Nobody did anything for long after it was over. */
  forgotten(): void;
  clock: Clock;
  /** Milliseconds that one answer of the plugin may take. */
  limitMs: number;
}
