import {
  errorCatalogue,
  type LogEntry,
  type LogLevel,
  PatchbayError,
  type Problem,
} from "../../../contract/index.ts";
import { cleanDeep } from "../../../contract/shown/clean-text.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { howItEnded } from "../../platform/how-it-ended.ts";
import type { HostExit, HostProcess } from "../../platform/platform.ts";
import { Flood } from "./flood.ts";
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

/** Takes what the process tried and may not do: what it reached for, and a sentence. */
export type RefusalSink = (target: string, detail: string) => void;

/**
 * The app's end of the line to one host: parses what comes in, cuts output into log lines, knows when it is over. The
 * plugin's code can write on this line, too. What is no message is dropped, and a process that floods it is ended.
 */
export class HostLine {
  readonly process: HostProcess;
  /** Resolves when the process and everything it started is gone. */
  readonly exited: Promise<HostExit>;
  readonly #log: LogSink;
  readonly #budget = new LogBudget();
  readonly #flood = new Flood();
  readonly #tell: RefusalSink;
  #refused = 0;
  #lastError = "";
  /** Why nothing that the process sends is heard any more; undefined while it is. */
  #fault: string | undefined;
  /** Why Patchbay ended the process; undefined while it did not. */
  #endedFor: string | undefined;
  readonly #clock: Pick<Clock, "after">;
  /** Calls off the line about output that was left out. */
  #forgetDropped: (() => void) | undefined;

  /** @param onMessage gets every well-formed message but log lines */
  constructor(
    process: HostProcess,
    onMessage: (message: FromHost) => void,
    log: LogSink,
    tell: RefusalSink = () => {},
    clock: Pick<Clock, "after"> = systemClock,
  ) {
    this.process = process;
    this.#clock = clock;
    this.#log = log;
    this.#tell = tell;
    process.onMessage((raw) => {
      if (this.#fault !== undefined) return;
      const message = parseFromHost(raw);
      const fault = message ? this.#flood.heard(message.t) : undefined;
      if (fault !== undefined) this.#end(fault);
      else if (!message) this.#refuse(raw, onMessage);
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
        const endedFor = this.#endedFor ?? exit.endedFor;
        resolve(endedFor === undefined ? exit : { ...exit, endedFor });
      });
    });
  }

  post(message: ToHost): void {
    this.process.post(message);
  }

  /** A message that is well formed, but may not be sent: it is dropped by the caller and counted here. */
  refuse(target: string, detail: string): void {
    this.#tell(target, detail);
    this.#count();
  }

  /**
   * Kills the process and what it started, and waits until it is gone.
   *
   * @param why half a sentence for calls that are under way: `it did not answer for 10 seconds`
   */
  async kill(why: string): Promise<void> {
    this.#endedFor ??= why;
    this.process.kill();
    await this.exited;
  }

  /** The error for calls that were under way when the process ended. */
  crash(exit: HostExit): PatchbayError {
    return new PatchbayError("HOST_CRASHED", `The plugin's process ${howItEnded(exit)}.`, {
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
    if (!this.#budget.take(text.length, LINE_COST)) {
      // The flood may have been all that it had to say: then no later line would tell.
      this.#forgetDropped ??= this.#clock.after(1_000, () => this.#reportDropped());
      return;
    }
    this.#reportDropped();
    if (origin === "stderr") this.#lastError = text.slice(0, 4_000);
    this.#log(level, text, origin, during);
  }

  #reportDropped(): void {
    this.#forgetDropped?.();
    this.#forgetDropped = undefined;
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

  #end(fault: string): void {
    if (this.#fault !== undefined) return;
    this.#fault = fault;
    this.#endedFor ??= fault;
    this.#tell("the line to Patchbay", `The plugin's process was ended: ${fault}.`);
    this.process.kill();
  }

  #count(): void {
    const fault = this.#flood.refused();
    if (fault !== undefined) this.#end(fault);
  }

  #refuse(raw: unknown, onMessage: (message: FromHost) => void): void {
    this.#refused += 1;
    if (this.#refused === 1) {
      const ignored = "The plugin's process sent a message that Patchbay does not know; it is ignored.";
      this.#log("warn", ignored, "patchbay");
    }
    this.#count();
    const { toApp, toHost } = failureInPlaceOf(raw);
    if (toApp) onMessage(toApp);
    if (toHost) this.post(toHost);
  }
}

/** A problem that came from a host, as an exception with our own next step. Its texts are the plugin's: cleaned. */
export function fromHostProblem(said: Problem): PatchbayError {
  const problem = cleanDeep(said);
  return new PatchbayError(problem.code, problem.message, {
    help: problem.help ?? errorCatalogue[problem.code].help,
    details: problem.details,
  });
}
