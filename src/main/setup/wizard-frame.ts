import type { SetupMachine } from "./flow/steps.ts";
import type { SessionOptions } from "./runner/options.ts";
import type { TypedSecrets } from "./runner/typed-secrets.ts";
import type { Turns } from "./turns.ts";

/** What the parts of a wizard share, and what they do to it as a whole. */
export interface WizardFrame {
  readonly options: SessionOptions;
  readonly machine: SetupMachine;
  readonly turns: Turns;
  readonly secrets: TypedSecrets;
  readonly isOver: boolean;
  /** Something happened: it is not left alone. */
  stayAwake(): void;
  begin(): Promise<void>;
  /** Gives the plugin an answer and shows what it says. */
  give(input: Record<string, unknown>): Promise<void>;
  /** Lets go of everything that runs for it. `cancel`: the plugin is told first. */
  release(reason: unknown, cancel?: boolean): Promise<void>;
  /** Shows what went wrong. `keepPlugin`: its process goes on, because what it made is still needed. */
  fail(error: unknown, retry: () => Promise<void>, keepPlugin?: boolean): Promise<void>;
}
