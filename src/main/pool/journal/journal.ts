import {
  type LogEntry,
  type LogLevel,
  PatchbayError,
  type Plugin,
  type Problem,
  type RuntimeState,
} from "../../../contract/index.ts";
import { escapeText } from "../../../contract/shown/clean-text.ts";
import { type Clock, isoTime } from "../../base/clock.ts";
import { AcrossPieces } from "../../base/redact-across.ts";
import { howItEnded } from "../../platform/how-it-ended.ts";
import type { HostExit } from "../../platform/platform.ts";
import type { CallScope } from "../../runtimes/plugin-call.ts";
import type { PoolOptions, RunNote } from "../ports.ts";
import { LogRing } from "./log-ring.ts";
import { redactProblem, redactState } from "./redact.ts";

/**
 * Keeps what an instance writes and reports: log lines, its last error and its runtime state. Stored secrets are
 * removed from all of it.
 */
export class Journal {
  readonly logs = new LogRing();
  readonly #agentId: string;
  readonly #key: string;
  readonly #options: PoolOptions;
  readonly #clock: Clock;
  /** What each origin wrote last, because a secret may be cut in two by the end of a line. */
  readonly #lines = new Map<LogEntry["origin"], AcrossPieces>();
  readonly #logged: (entry: LogEntry) => void;

  constructor(
    agentId: string,
    key: string,
    options: PoolOptions,
    clock: Clock,
    logged: (entry: LogEntry) => void,
  ) {
    this.#agentId = agentId;
    this.#key = key;
    this.#options = options;
    this.#clock = clock;
    this.#logged = logged;
  }

  log(
    level: LogLevel,
    text: string,
    origin: LogEntry["origin"] = "patchbay",
    during?: Pick<CallScope, "turnId" | "spanId">,
  ): void {
    const at = isoTime(this.#clock);
    const clean = escapeText(this.#linesOf(origin).next(text));
    const { turnId, spanId } = during ?? {};
    const call = turnId && spanId ? { call: { turnId, spanId } } : {};
    this.#logged(this.logs.add({ at, level, origin, text: clean, ...call }));
  }

  /** Notes that a start is done. @param line what the log says of it */
  started(
    { plugin, startMs }: { plugin: Pick<Plugin, "packageVersion">; startMs: number },
    line: string,
  ): void {
    this.log("info", line);
    this.#ran({ what: "started", version: plugin.packageVersion, ms: Math.round(startMs) });
  }

  stopped(reason: "disabled" | "restart" | "shutdown"): void {
    this.log("info", "Stopped.");
    this.#ran({ what: "stopped", reason });
  }

  /** Stores a failed start or the end of the process as the last error. */
  failed(problem: Problem): void {
    const cleaned = this.clean(problem);
    const { code, message } = cleaned;
    this.error(problem);
    this.#ran({ what: "failed", code, message, problem: cleaned });
  }

  #ran(note: Omit<RunNote, "agentId" | "pluginKey">): void {
    this.#options.onRun?.({ agentId: this.#agentId, pluginKey: this.#key, ...note });
  }

  /** Stores the last error; null removes it. */
  error(problem: Problem | null): void {
    const lastError = problem && this.clean(problem);
    this.#options.agentPlugins.report(this.#agentId, this.#key, { lastError });
  }

  /** Stores what the plugin said of its state, or that it says nothing any more. */
  runtimeState(state: RuntimeState | null): void {
    const runtimeState = state && redactState(this.#options.vault, state);
    this.#options.agentPlugins.report(this.#agentId, this.#key, { runtimeState });
  }

  #linesOf(origin: LogEntry["origin"]): AcrossPieces {
    let lines = this.#lines.get(origin);
    if (!lines) {
      lines = new AcrossPieces((text) => this.#options.vault.redact(text));
      this.#lines.set(origin, lines);
    }
    return lines;
  }

  clean(problem: Problem): Problem {
    return redactProblem(this.#options.vault, problem);
  }

  /** The problem for a crash, with the last lines that the plugin wrote to its error output. */
  crash(plugin: Plugin, exit: HostExit): Problem {
    const output = this.logs.read({ level: "error", limit: 10 }).map(({ text }) => text);
    return new PatchbayError("HOST_CRASHED", `${plugin.displayName}'s process ${howItEnded(exit)}.`, {
      details: { exitCode: exit.code, signal: exit.signal, output },
    }).toProblem();
  }
}
