import { cleanText } from "../../../../contract/shown/clean-text.ts";
import { WholeLines } from "../../../base/whole-lines.ts";
import { Program, type ProgramOptions } from "../../../platform/program.ts";

const MOST_LINES = 2_000;
/** Lines that are kept for whoever looks for the reason of a failure. */
const KEPT_LINES = 60;

/** How a program ended, and the last lines that it printed. */
export interface RanProgram {
  code: number | null;
  signal: string | null;
  lines: string[];
}

/**
 * Runs a program to its end and passes on what it prints, line by line. It is killed when the signal is aborted.
 * @throws the signal's reason; the system's error when it could not be started
 */
export async function runProgram(
  options: Omit<ProgramOptions, "input">,
  { signal, log }: { signal: AbortSignal; log(text: string): void },
): Promise<RanProgram> {
  signal.throwIfAborted();
  const program = new Program({ ...options, input: false });
  const kept: string[] = [];
  let count = 0;
  const take = (text: string) => {
    for (const line of text.split("\n").map((each) => cleanText(each.trimEnd()))) {
      if (line.trim() === "") continue;
      count += 1;
      if (kept.push(line) > KEPT_LINES) kept.shift();
      if (count <= MOST_LINES) log(line);
    }
  };
  const streams = [program.stdout, program.stderr].map((stream) => {
    const lines = new WholeLines(take);
    stream.on("data", (piece: Buffer) => lines.add(piece));
    return lines;
  });
  const stop = () => program.signal("SIGKILL");
  signal.addEventListener("abort", stop, { once: true });
  try {
    const ended = await program.ended;
    for (const lines of streams) lines.end();
    signal.throwIfAborted();
    return { code: ended.code, signal: ended.signal, lines: kept };
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
