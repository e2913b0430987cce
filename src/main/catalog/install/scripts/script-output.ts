import { fromProblem, PatchbayError } from "../../../../contract/index.ts";
import { problemSchema } from "../../../../contract/problem.ts";
import { cleanText } from "../../../../contract/shown/clean-text.ts";
import { WholeLines } from "../../../base/whole-lines.ts";
import type { Program } from "../../../platform/program.ts";

/** Lines that are passed on; the log of a job keeps the newest 500. */
const MOST_LINES = 2_000;
/** Characters of each stream that a failure gets with it. */
const MOST_KEPT = 8_000;

const streams = ["stdout", "stderr"] as const;

/** What installation scripts print: told line by line while they run, and kept for a failure. */
export class ScriptOutput {
  readonly #mark: string;
  readonly #log: (line: string) => void;
  readonly #ends: (() => void)[] = [];
  readonly #kept = { stdout: "", stderr: "" };
  #problem: string | null = null;
  #lines = 0;

  /**
   * @param mark what the line of the problem begins with, which is told to nobody
   * @param log gets each line without its end, clean, and how many were left out when there were too many
   */
  constructor(program: Pick<Program, "stdout" | "stderr">, mark: string, log: (line: string) => void) {
    this.#mark = mark;
    this.#log = log;
    for (const name of streams) {
      const whole = new WholeLines((lines) => this.#take(name, lines));
      program[name].on("data", (piece: Buffer) => whole.add(piece));
      this.#ends.push(() => whole.end());
    }
  }

  /** Passes on what stands after the last line ends. Call it when the scripts have ended. */
  end(): void {
    for (const end of this.#ends) end();
    const left = this.#lines - MOST_LINES;
    if (left > 0) this.#log(`[${left} more lines of the scripts were left out]`);
  }

  /** @param how the scripts ended, as the end of a sentence that begins with them */
  failure(how: string): PatchbayError {
    const details = this.#kept;
    try {
      const problem = problemSchema.parse(JSON.parse(this.#problem ?? ""));
      return fromProblem({ ...problem, details: { ...problem.details, ...details } });
    } catch {
      const line = (details.stderr.trimEnd() || details.stdout.trimEnd()).split("\n").at(-1);
      return new PatchbayError(
        "SCRIPT_FAILED",
        `The installation scripts ${how}${line ? `: ${line}` : ""}.`,
        {
          details,
        },
      );
    }
  }

  #take(name: (typeof streams)[number], lines: string): void {
    for (const line of lines.split("\n")) {
      if (line.startsWith(this.#mark)) this.#problem = line.slice(this.#mark.length);
      else if (line.trim() !== "") this.#pass(name, line.trimEnd());
    }
  }

  #pass(name: (typeof streams)[number], line: string): void {
    this.#kept[name] = `${this.#kept[name]}${line}\n`.slice(-MOST_KEPT);
    this.#lines += 1;
    if (this.#lines <= MOST_LINES) this.#log(cleanText(line));
  }
}
