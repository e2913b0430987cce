import type { Table, Value } from "@patchbay/janet";
import type { DialogAnswer, DialogQuestion, LogLevel } from "../../../../../contract/index.ts";
import type { CallState } from "../call-state.ts";
import type { Registrations } from "../registrations.ts";

/** A question to the language server of a file. Lines and characters count from 1. */
export interface CodeQuestion {
  operation: string;
  file: string;
  line?: number;
  character?: number;
  query?: string;
}

/** What the functions of `harness/*` work with. */
export interface World {
  /** The call that is running now. */
  readonly call: CallState;
  readonly registrations: Registrations;
  /** The environment of the plugin. */
  readonly environment: Table;
  /** dirge's own name of the plugin. */
  readonly id: string;
  readonly workspace: string;
  readonly autoStart: boolean;
  /** Whether the plugin may reach this host, as `host:port`. */
  mayConnect(host: string, port: string): boolean;
  /** Asks the person. Null: nobody answered. */
  ask(question: DialogQuestion): Promise<DialogAnswer>;
  readonly code: {
    has(): Promise<boolean>;
    /** Null: no server answered. */
    ask(question: CodeQuestion): Promise<unknown>;
  };
  log(level: LogLevel, text: string): void;
  /** The value of a variable of the host, such as `harness-response`. */
  setVariable(name: string, value: Value): void;
}

/** A function of the host. `args` are Janet values. */
export type Run = (args: readonly Value[], world: World) => Value;
/** One that may wait, which suspends only the fiber that called. */
export type Wait = (args: readonly Value[], world: World) => Promise<Value>;

/** Takes the functions that plugins find beside Janet's own. */
export interface Binder {
  /** @param usage the call as it is documented, with the parameters after `&opt` optional */
  bind(usage: string, doc: string, run: Run): void;
  bindWaiting(usage: string, doc: string, run: Wait): void;
  /** A variable that the host sets. */
  variable(name: string, doc: string): void;
}
