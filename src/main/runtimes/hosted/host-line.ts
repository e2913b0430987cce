import {
  errorCatalogue,
  type LogEntry,
  type LogLevel,
  PatchbayError,
  type Problem,
} from "../../../contract/index.ts";
import type { HostExit, HostProcess } from "../../platform/platform.ts";
import { failureInPlaceOf, parseFromHost } from "./host-messages.ts";
import { LineSplitter, LogBudget } from "./output-lines.ts";
import type { FromHost, ToHost } from "./protocol.ts";

/**
 * Bytes that each log line counts in addition to its text. With it the limit of 1 MiB a second also stops a flood of
 * short lines, at 4,096 lines a second.
 */
const LINE_COST = 256;

/** Takes log lines. `during`: id of the call during which the line was written, when the host tells it. */
export type LogSink = (
  level: LogLevel,
  text: string,
  origin: LogEntry["origin"],
  during?: number | null,
) => void;

/** The app's end of the line to one host: parses what comes in, cuts output into log lines, knows when it is over. */
export class HostLine {
  readonly process: HostProcess;
  /** Resolves when the process and everything it started is gone. */
  readonly exited: Promise<HostExit>;
  readonly #log: LogSink;
  readonly #budget = new LogBudget();
  #refused = 0;
  #lastError = "";

  /** @param onMessage gets every well-formed message but log lines */
  constructor(process: HostProcess, onMessage: (message: FromHost) => void, log: LogSink) {
    this.process = process;
    this.#log = log;
    process.onMessage((raw) => {
      const message = parseFromHost(raw);
      if (!message) this.#refuse(raw, onMessage);
      else if (message.t === "log") this.#pluginLine(message);
      else onMessage(message);
    });
    const splitters = {
      stdout: new LineSplitter((line) => this.#line("info", line, "stdout")),
      stderr: new LineSplitter((line) => this.#line("error", line, "stderr")),
    };
    process.onOutput((stream, chunk) => splitters[stream].push(chunk));
    this.exited = new Promise((resolve) => {
      process.onExit((exit) => {
        splitters.stdout.end();
        splitters.stderr.end();
        this.#reportDropped();
        this.#reportRefused();
        resolve(exit);
      });
    });
  }

  post(message: ToHost): void {
    this.process.post(message);
  }

  /** Kills the process and what it started, and waits until it is gone. */
  async kill(): Promise<void> {
    this.process.kill();
    await this.exited;
  }

  /** The error for calls that were under way when the process ended. */
  crash(exit: HostExit): PatchbayError {
    return new PatchbayError("HOST_CRASHED", `The plugin's process ended by itself (${exitText(exit)}).`, {
      details: {
        exitCode: exit.code,
        signal: exit.signal,
        ...(this.#lastError && { output: this.#lastError }),
      },
    });
  }

  #pluginLine({ level, text, during, output }: Extract<FromHost, { t: "log" }>): void {
    if (level === "error") this.#lastError = text.slice(0, 4_000);
    this.#line(level, text, output ?? "plugin", during);
  }

  #line(level: LogLevel, text: string, origin: LogEntry["origin"], during?: number | null): void {
    if (!this.#budget.take(text.length + LINE_COST)) return;
    this.#reportDropped();
    if (origin === "stderr") this.#lastError = text.slice(0, 4_000);
    this.#log(level, text, origin, during);
  }

  #reportDropped(): void {
    const dropped = this.#budget.takeDropped();
    if (dropped > 0) {
      this.#log(
        "warn",
        `${dropped.toLocaleString("en")} bytes of output came too fast and were left out.`,
        "patchbay",
      );
    }
  }

  #reportRefused(): void {
    if (this.#refused > 1)
      this.#log("warn", `${this.#refused} messages of the plugin's process were refused.`, "patchbay");
  }

  #refuse(raw: unknown, onMessage: (message: FromHost) => void): void {
    this.#refused += 1;
    if (this.#refused === 1) {
      this.#log(
        "warn",
        "The plugin's process sent a message that Patchbay does not know; it is ignored.",
        "patchbay",
      );
    }
    const { toApp, toHost } = failureInPlaceOf(raw);
    if (toApp) onMessage(toApp);
    if (toHost) this.post(toHost);
  }
}

/** How a process ended, in words. */
export function exitText({ code, signal, error }: HostExit): string {
  const how = signal ? `signal ${signal}` : code === null ? "it could not be started" : `exit code ${code}`;
  return error === undefined ? how : `${how}: ${error}`;
}

/** A problem that came from a host, as an exception with our own next step. */
export function fromHostProblem(problem: Problem): PatchbayError {
  return new PatchbayError(problem.code, problem.message, {
    help: problem.help ?? errorCatalogue[problem.code].help,
    details: problem.details,
  });
}
