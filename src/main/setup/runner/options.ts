import type { Plugin, SetupReason } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { SetupPlugin } from "../../runtimes/runtime.ts";
import type { SignsIn } from "../oauth/types.ts";
import type { Outcome } from "../persist/keeps-setups.ts";

/** The form that stands for the setup of a plugin without a setup of its own. */
export interface SettingsForm {
  /** The settings to start with. */
  config(): Record<string, unknown>;
  /** Refuses at the beginning what would fail at the save. @throws PatchbayError */
  ready(): Promise<void>;
  /** Asks `parseConfig`, in a process that is gone when this settles. @throws PatchbayError CONFIG_REFUSED */
  check(config: Record<string, unknown>, signal: AbortSignal): Promise<void>;
}

export interface RunnerOptions {
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
  /** Called when nobody did anything for long after the wizard was over. */
  forgotten(): void;
  clock: Clock;
  ids?: Ids;
  /** Milliseconds that one answer of the plugin may take. */
  limitMs: number;
}
