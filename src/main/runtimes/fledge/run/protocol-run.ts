import { PatchbayError } from "../../../../contract/index.ts";
import { type Line, LineSplitter } from "../../../platform/lines/byte-lines.ts";
import type { HostExit } from "../../../platform/platform.ts";
import { Program } from "../../../platform/program.ts";
import { argumentsOf } from "./launch.ts";
import { logLines } from "./output/log-lines.ts";
import { RunOutput } from "./output/run-output.ts";
import { Conversation } from "./protocol/conversation.ts";
import { initMessage } from "./protocol/init-message.ts";
import { readLine } from "./protocol/messages.ts";
import { describeProject, type Project } from "./protocol/project.ts";
import { type RunRequest, stopReason } from "./run-request.ts";

/** Milliseconds after a cancel until the process group gets SIGTERM, and until it gets SIGKILL. */
const TERM_AFTER_MS = 1_000;
const KILL_AFTER_MS = 3_000;

/** One error for all runs, because making an error with its stack for each run takes longer than the abort itself. */
const RUN_OVER = new PatchbayError("ABORTED", "The program has ended.");

export interface RunEnd {
  exit: HostExit;
  output: RunOutput;
  /** Why Patchbay gave the run up. When set, it is the result of the run, whatever the exit code is. */
  failure: unknown;
}

/**
 * Runs a command that speaks `fledge-v1`: one line is read, handled whole and answered before the next one is looked
 * at, because plugins take whatever line comes as the answer, and give every request the same id.
 *
 * @throws the error of the spawn when the program does not start
 */
export async function runProtocol(request: RunRequest): Promise<RunEnd> {
  const output = new RunOutput(request.progress);
  const { launch, cwd, env, cells } = request;
  const child = new Program({
    ...launch,
    ...cells.program,
    args: argumentsOf(launch, []),
    cwd,
    env,
    input: true,
  });
  const over = new AbortController();
  const session = new Session(request, child, output, over);
  const end = () => over.abort(RUN_OVER);
  void child.ended.then(end, end);
  const stop = () => session.cancel();
  request.signal.addEventListener("abort", stop, { once: true });
  if (request.signal.aborted) stop();
  child.stderr.on("data", (chunk: Buffer) => output.stderr(chunk));
  logLines(child.stderr, (line) => request.log("info", line, "stderr"));
  try {
    const served = session.serve();
    const exit = await child.ended;
    await served;
    return { exit, output, failure: session.failure };
  } finally {
    request.signal.removeEventListener("abort", stop);
  }
}

class Session {
  failure: unknown = null;
  readonly #request: RunRequest;
  readonly #child: Program;
  readonly #output: RunOutput;
  readonly #over: AbortController;
  readonly #conversation: Conversation;
  readonly #waiting: Line[] = [];
  #busy = false;
  #whenIdle: (() => void) | undefined;
  #silent = false;

  constructor(request: RunRequest, child: Program, output: RunOutput, over: AbortController) {
    this.#request = request;
    this.#child = child;
    this.#output = output;
    this.#over = over;
    this.#conversation = new Conversation(request, output, over.signal);
  }

  /** Tells the program what it was started for, and reads its output to its end. Never rejects. */
  serve(): Promise<void> {
    const splitter = new LineSplitter();
    const { stdout } = this.#child;
    const done = new Promise<void>((resolve) => {
      stdout.on("data", (chunk: Buffer) => {
        this.#waiting.push(...splitter.push(chunk));
        this.#work();
      });
      stdout.once("close", () => {
        const last = splitter.end();
        if (last) this.#waiting.push(last);
        this.#whenIdle = resolve;
        this.#work();
      });
    });
    const { root, env, cells } = this.#request;
    const project = describeProject(root, env, cells.git);
    if (project instanceof Promise) void project.then((known) => this.#begin(known));
    else this.#begin(project);
    return done;
  }

  #begin(project: Project): void {
    if (!this.#silent) this.#child.write(`${initMessage(this.#request, project)}\n`);
  }

  /** Handles the lines that have come, one after the other. The program's output stands still while one takes time. */
  #work(): void {
    if (this.#busy) return;
    const { stdout } = this.#child;
    for (let line = this.#waiting.shift(); line !== undefined; line = this.#waiting.shift()) {
      const pending = this.#line(line);
      if (!pending) continue;
      this.#busy = true;
      stdout.pause();
      void pending.then(() => {
        this.#busy = false;
        stdout.resume();
        this.#work();
      });
      return;
    }
    this.#whenIdle?.();
  }

  /**
   * Tells the program that the run is given up, answers no further message, and ends the program if it does not end by
   * itself.
   */
  cancel(): void {
    if (this.#silent) return;
    this.#silent = true;
    this.#child.write(`${JSON.stringify({ type: "cancel", reason: stopReason(this.#request.signal) })}\n`);
    this.#dismiss();
  }

  #line(line: Line): Promise<void> | undefined {
    if (this.#silent) return undefined;
    if ("tooLong" in line) {
      this.#conversation.warn(`A line of ${line.tooLong} bytes was thrown away; 8 MiB are accepted.`);
      return undefined;
    }
    const read = readLine(line.text);
    switch (read.kind) {
      case "blank":
        return undefined;
      case "raw":
        this.#output.raw(read.text);
        this.#conversation.warn(`A line is no message and was skipped: ${read.text.slice(0, 200)}`);
        return undefined;
      case "malformed":
        this.#conversation.warn(`A message was skipped: ${read.reason}.`);
        // A message with an id expects an answer line, even when the message could not be understood: answer null.
        if (read.replyTo !== null) this.#answer(read.replyTo, null);
        return undefined;
      case "message": {
        const { message, replyTo } = read;
        const handled = this.#conversation.handle(message);
        const id = "id" in message ? message.id : replyTo;
        if (!handled) {
          if (id !== null) this.#answer(id, null);
          return undefined;
        }
        return handled.then(
          (reply) => {
            if (id !== null) this.#answer(id, reply ? reply.value : null);
          },
          (error) => this.#giveUp(error),
        );
      }
    }
  }

  #answer(id: string, value: unknown): void {
    // Nothing is sent after a cancel: the program would take the line as the answer to its next request.
    if (!this.#silent) this.#child.write(`${JSON.stringify({ type: "response", id, value })}\n`);
  }

  #giveUp(error: unknown): void {
    if (this.#over.signal.aborted || this.#silent) return;
    this.failure = error;
    this.#silent = true;
    this.#dismiss();
  }

  #dismiss(): void {
    this.#child.stdin?.end();
    this.#over.abort(RUN_OVER);
    this.#child.signalAfter(TERM_AFTER_MS, "SIGTERM");
    this.#child.signalAfter(KILL_AFTER_MS, "SIGKILL");
  }
}
