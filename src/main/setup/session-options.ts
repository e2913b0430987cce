import type { Plugin, SetupReason } from "../../contract/index.ts";
import type { Clock } from "../pool/clock.ts";
import type { SetupPlugin } from "../runtimes/runtime.ts";
import type { Grant, SignsIn } from "./oauth/types.ts";

/** What was finished and has to be kept, with every value that must not stand in plain text. */
export interface Outcome {
  config: Record<string, unknown>;
  secrets: Record<string, string>;
  account: string | null;
  sensitive: readonly string[];
  grant: Grant | null;
  /** The plugin's `parseConfig`; absent when the plugin has no setup of its own. */
  check?: (config: Record<string, unknown>) => Promise<void>;
}

export interface SessionOptions {
  agentId: string;
  plugin: Plugin;
  reason: SetupReason;
  input: Record<string, unknown>;
  /** Opens the plugin's own setup; absent: its settings are the wizard. */
  open?: (signal: AbortSignal) => Promise<SetupPlugin>;
  /** The settings to start the form with. */
  config(): Record<string, unknown>;
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
