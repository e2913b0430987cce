import { mkdir } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { PatchbayError } from "../../../../contract/index.ts";
import { systemClock } from "../../../base/clock.ts";
import { PausableLimit } from "../../../base/limit.ts";
import { LineSplitter } from "../../../platform/lines/byte-lines.ts";
import { Program } from "../../../platform/program.ts";
import { permissionFlags } from "../../../platform/walls/node-permissions.ts";
import { RunOutput } from "../run/output/run-output.ts";
import { Conversation } from "../run/protocol/conversation.ts";
import { initMessage } from "../run/protocol/init-message.ts";
import { readLine } from "../run/protocol/messages.ts";
import { describeProject } from "../run/protocol/project.ts";
import type { RunEnd } from "../run/protocol-run.ts";
import type { RunRequest } from "../run/run-request.ts";
import { readFromWasm } from "./from-wasm.ts";
import type { FromWasm, Mount, WasmJob } from "./wire.ts";

/** Milliseconds that a run may take, not counting the time in which it waits for an answer of the app. */
export const WASM_LIMIT_MS = 60_000;

const execSchema = z.object({
  command: z.string(),
  cwd: z.string().nullish(),
  timeout: z.number().int().nonnegative().nullish(),
});
const storeSchema = z.object({ key: z.string(), value: z.string() });
const keysSchema = z.array(z.string());

/** Megabytes that the JavaScript of the process may use; the module's own memory is limited by itself. */
const HEAP_MB = 64;

export interface WasmOptions {
  /** File of the process' code. */
  worker: string;
  /** The plugin's folder for its own data, which it sees as `/plugin`. */
  dataDir: string;
  limitMs?: number;
}

/**
 * Runs a WebAssembly command in a process of its own, behind a wall that shows what is mounted and nothing else. It is
 * killed when its time is over.
 */
export async function runWasm(request: RunRequest, options: WasmOptions): Promise<RunEnd> {
  const mounts = await mountsOf(request, options.dataDir);
  const project = await describeProject(request.root, request.env, request.cells.git);
  const { file } = request.launch;
  const folder = dirname(options.worker);
  const needs = [process.execPath, folder, join(dirname(dirname(folder)), "package.json")];
  const cell = request.cells.module({
    read: [...needs, file, ...mounts.filter(({ writable }) => !writable).map(({ dir }) => dir)],
    write: mounts.filter(({ writable }) => writable).map(({ dir }) => dir),
  });
  // Behind the wall its home folder is bait: who breaks out and looks there is seen.
  const free = cell.scratch ? [homedir()] : [];
  const program = new Program({
    ...cell,
    file: process.execPath,
    args: [
      `--max-old-space-size=${HEAP_MB}`,
      ...(cell.wall ? permissionFlags(cell.wall, needs, free) : []),
      options.worker,
    ],
    cwd: tmpdir(),
    // The desktop app is its own Node, when it is told to be.
    env: { ELECTRON_RUN_AS_NODE: "1" },
    input: true,
  });
  const job: WasmJob = { file, init: initMessage(request, project), grants: request.grants, mounts };
  program.write(`${JSON.stringify(job)}\n`);
  const run = new WasmRun(request, program, options.limitMs ?? WASM_LIMIT_MS);
  try {
    return await run.finish();
  } finally {
    program.signal("SIGKILL");
    await program.ended.catch(() => {});
  }
}

async function mountsOf(request: RunRequest, dataDir: string): Promise<Mount[]> {
  const { filesystem } = request.grants;
  if (filesystem === "none") return [];
  if (!request.seesProject) return filesystem === "project" ? [] : [await ownFolder(dataDir)];
  const project = { name: "/project", dir: request.root, writable: false };
  if (filesystem === "project") return [project];
  return [project, await ownFolder(dataDir)];
}

async function ownFolder(dir: string): Promise<Mount> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  return { name: "/plugin", dir, writable: true };
}

class WasmRun {
  readonly #request: RunRequest;
  readonly #program: Program;
  readonly #output = new RunOutput();
  readonly #over = new AbortController();
  readonly #conversation: Conversation;
  readonly #limitMs: number;
  readonly #end = Promise.withResolvers<RunEnd>();
  readonly #decoder = new TextDecoder();
  #limit: PausableLimit | undefined;

  constructor(request: RunRequest, program: Program, limitMs: number) {
    this.#request = request;
    this.#program = program;
    this.#limitMs = limitMs;
    this.#conversation = new Conversation(request, this.#output, this.#over.signal);
  }

  async finish(): Promise<RunEnd> {
    const stop = () => this.#fail(this.#request.signal.reason);
    this.#request.signal.addEventListener("abort", stop, { once: true });
    if (this.#request.signal.aborted) stop();
    const splitter = new LineSplitter();
    this.#program.stdout.on("data", (chunk: Buffer) => {
      for (const line of splitter.push(chunk)) this.#hear("text" in line ? line.text : null);
    });
    let said = "";
    this.#program.stderr.on("data", (chunk: Buffer) => {
      if (said.length < 4_096) said += chunk.toString("utf8");
    });
    this.#program.ended.then(
      () => this.#fail(brokenModule(new Error(reasonIn(said)))),
      (error: Error) => this.#fail(brokenModule(error)),
    );
    this.#limit = new PausableLimit(systemClock, this.#limitMs, () => this.#fail(this.#tooLong()));
    try {
      return await this.#end.promise;
    } finally {
      this.#limit.stop();
      this.#over.abort();
      this.#request.signal.removeEventListener("abort", stop);
    }
  }

  /** Null: the line was longer than lines may be. */
  #hear(line: string | null): void {
    const message = line === null ? null : readFromWasm(line);
    if (message) this.#receive(message);
    else
      this.#conversation.warn("A message of the WebAssembly program was too long, or none, and was skipped.");
  }

  #receive(message: FromWasm): void {
    switch (message.t) {
      case "message":
        this.#said(message.text);
        break;
      case "request":
        void this.#serve(message);
        break;
      case "printed": {
        const bytes = Buffer.from(message.base64, "base64");
        if (message.stream === "stderr") this.#output.stderr(bytes);
        else this.#output.rawText(this.#decoder.decode(bytes, { stream: true }));
        break;
      }
      case "warning":
        this.#conversation.warn(message.text);
        break;
      case "ended":
        this.#settle({ exit: { code: message.code, signal: null }, output: this.#output, failure: null });
        break;
      case "failed":
        this.#fail(brokenModule(new Error(message.message)));
        break;
    }
  }

  /** A message through `send`, which gives no answer: a request that comes this way is refused. */
  #said(text: string): void {
    const read = readLine(text);
    if (read.kind === "blank") return;
    if (read.kind !== "message") {
      const why = read.kind === "raw" ? `it is not JSON: ${text.slice(0, 200)}` : `${read.reason}.`;
      this.#conversation.warn(`A message was skipped: ${why}`);
      return;
    }
    const { message } = read;
    if (
      message.type === "output" ||
      message.type === "log" ||
      message.type === "progress" ||
      message.type === "store"
    ) {
      void this.#conversation.handle(message);
    } else this.#conversation.warn(`A WebAssembly plugin cannot send ${message.type}; it was skipped.`);
  }

  async #serve(request: Extract<FromWasm, { t: "request" }>): Promise<void> {
    this.#limit?.pause();
    const reply = await this.#answer(request).catch(() => null);
    this.#limit?.resume();
    this.#program.write(`${JSON.stringify(reply ?? null)}\n`);
  }

  async #answer({ kind, text }: Extract<FromWasm, { t: "request" }>): Promise<unknown> {
    switch (kind) {
      case "exec": {
        const wanted = parsed(execSchema, text);
        return wanted
          ? this.#conversation.exec(wanted)
          : { code: 1, stdout: "", stderr: "malformed exec request" };
      }
      case "store_set": {
        const pair = parsed(storeSchema, text);
        if (pair) await this.#conversation.handle({ type: "store", ...pair });
        else this.#conversation.warn("A value was not kept: the request is malformed.");
        return null;
      }
      case "store_get":
        return this.#request.store.load(text);
      case "metadata": {
        const keys = parsed(keysSchema, text);
        const reply = await this.#conversation.handle({ type: "metadata", id: "", keys: keys ?? [] });
        return reply?.value ?? null;
      }
    }
  }

  #tooLong(): PatchbayError {
    return new PatchbayError(
      "TOOL_TIMEOUT",
      `The WebAssembly program took longer than ${this.#limitMs / 1_000} s and was stopped.`,
    );
  }

  #fail(failure: unknown): void {
    this.#settle({ exit: { code: null, signal: null }, output: this.#output, failure });
  }

  #settle(end: RunEnd): void {
    this.#limit?.stop();
    this.#end.resolve(end);
  }
}

function parsed<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function brokenModule(error: Error): PatchbayError {
  return new PatchbayError("TOOL_FAILED", `The WebAssembly program failed: ${error.message}.`, {
    cause: error,
  });
}

/** Why the process ended without a word of ours: what the engine says of memory is clearer than its stack. */
function reasonIn(said: string): string {
  return /out of memory|heap limit/i.test(said) ? "it ran out of memory" : "its process ended";
}
