import type { LogLevel } from "../../../../contract/index.ts";
import type { CallScope } from "../../plugin-call.ts";
import type { Cell, Cells } from "../cell.ts";
import type { FledgeCommand } from "../manifest/commands.ts";
import type { Grants } from "../manifest/plugin-toml.ts";
import type { Launch } from "./launch.ts";
import type { PluginStore } from "./plugin-store.ts";
import type { Asking } from "./protocol/answers.ts";

/** One run of one command of a plugin. */
export interface RunRequest {
  plugin: { name: string; version: string; dir: string };
  command: FledgeCommand;
  /** The arguments for the command, in order. */
  argv: string[];
  /**
   * The file that is run: a link named `fledge-<command>`, or a wasm module; on Windows it may be an interpreter that
   * gets the link.
   */
  launch: Launch;
  /** The folder of the project. */
  root: string;
  /** The folder that its program begins in. */
  cwd: string;
  /** What the program, commands that it asks for, git, and what runs a WebAssembly module are started behind. */
  cells: { program: Cell; exec: Cell; git: Cell; module: Cells["module"] };
  /** Whether it may see the project. */
  seesProject: boolean;
  env: Record<string, string>;
  grants: Grants;
  hostVersion: string;
  store: PluginStore;
  asking(signal: AbortSignal): Asking;
  signal: CallScope["signal"];
  progress(text: string): void;
  log(level: LogLevel, text: string, origin: "plugin" | "stdout" | "stderr" | "patchbay"): void;
}

export type StopReason = "user_interrupt" | "timeout";

/** The reason of an aborted signal, in one of the protocol's words. */
export function stopReason(signal: AbortSignal): StopReason {
  const { reason } = signal;
  const cause: unknown = reason instanceof Error ? reason.cause : undefined;
  const late = [reason, cause].some(
    (error) =>
      error instanceof Error &&
      ("limitMs" in error || ("code" in error && String(error.code).endsWith("_TIMEOUT"))),
  );
  return late ? "timeout" : "user_interrupt";
}
