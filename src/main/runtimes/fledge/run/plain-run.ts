import { Program } from "../../../platform/program.ts";
import { argumentsOf } from "./launch.ts";
import { logLines } from "./output/log-lines.ts";
import { RunOutput } from "./output/run-output.ts";
import type { RunEnd } from "./protocol-run.ts";
import type { RunRequest } from "./run-request.ts";

/** Milliseconds after a cancel until the group is killed. */
const KILL_AFTER_MS = 2_000;

/**
 * Runs a plain executable: it gets its arguments on the command line and no input; what it prints is the answer.
 * @throws the error of the spawn when the program does not start
 */
export async function runPlain(request: RunRequest): Promise<RunEnd> {
  const output = new RunOutput(request.progress);
  const { launch, argv, cwd, cells } = request;
  const env = { ...request.env, NO_COLOR: "1" };
  const child = new Program({
    ...launch,
    ...cells.program,
    args: argumentsOf(launch, argv),
    cwd,
    env,
    input: false,
  });
  const decoder = new TextDecoder();
  child.stdout.on("data", (chunk: Buffer) => output.printed(decoder.decode(chunk, { stream: true })));
  child.stderr.on("data", (chunk: Buffer) => output.stderr(chunk));
  logLines(child.stderr, (line) => request.log("info", line, "stderr"));
  const stop = () => {
    child.signal("SIGTERM");
    child.signalAfter(KILL_AFTER_MS, "SIGKILL");
  };
  request.signal.addEventListener("abort", stop, { once: true });
  if (request.signal.aborted) stop();
  try {
    const exit = await child.ended;
    return { exit, output, failure: null };
  } finally {
    request.signal.removeEventListener("abort", stop);
  }
}
