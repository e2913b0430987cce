import { mkdir } from "node:fs/promises";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { z } from "zod";
import { PatchbayError } from "../../../../contract/index.ts";
import { systemClock } from "../../../base/clock.ts";
import { PausableLimit } from "../../../base/limit.ts";
import { RunOutput } from "../run/output/run-output.ts";
import { Conversation } from "../run/protocol/conversation.ts";
import { initMessage } from "../run/protocol/init-message.ts";
import { readLine } from "../run/protocol/messages.ts";
import { describeProject } from "../run/protocol/project.ts";
import type { RunEnd } from "../run/protocol-run.ts";
import type { RunRequest } from "../run/run-request.ts";
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

export interface WasmOptions {
  /** File of the worker. */
  worker: string | URL;
  /** The plugin's folder for its own data, which it sees as `/plugin`. */
  dataDir: string;
  limitMs?: number;
}

/** Runs a WebAssembly command in a worker of its own, which is terminated when its time is over. */
export async function runWasm(request: RunRequest, options: WasmOptions): Promise<RunEnd> {
  const mounts = await mountsOf(request, options.dataDir);
  const project = await describeProject(request.root, request.env, request.cells.git);
  const bell = new SharedArrayBuffer(4);
  const { port1, port2 } = new MessageChannel();
  const job: WasmJob = {
    file: request.launch.file,
    init: initMessage(request, project),
    grants: request.grants,
    mounts,
    bell,
  };
  const worker = new Worker(options.worker, {
    workerData: { job, port: port2 },
    transferList: [port2],
    env: {},
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  });
  const run = new WasmRun(request, worker, port1, bell, options.limitMs ?? WASM_LIMIT_MS);
  try {
    return await run.finish();
  } finally {
    await worker.terminate();
    port1.close();
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
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #bell: Int32Array;
  readonly #output = new RunOutput();
  readonly #over = new AbortController();
  readonly #conversation: Conversation;
  readonly #limitMs: number;
  readonly #end = Promise.withResolvers<RunEnd>();
  readonly #decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  #limit: PausableLimit | undefined;

  constructor(
    request: RunRequest,
    worker: Worker,
    port: MessagePort,
    bell: SharedArrayBuffer,
    limitMs: number,
  ) {
    this.#request = request;
    this.#worker = worker;
    this.#port = port;
    this.#bell = new Int32Array(bell);
    this.#limitMs = limitMs;
    this.#conversation = new Conversation(request, this.#output, this.#over.signal);
  }

  async finish(): Promise<RunEnd> {
    const stop = () => this.#fail(this.#request.signal.reason);
    this.#request.signal.addEventListener("abort", stop, { once: true });
    if (this.#request.signal.aborted) stop();
    this.#worker.on("message", (message: FromWasm) => this.#receive(message));
    this.#worker.once("error", (error) => this.#fail(brokenModule(error)));
    this.#worker.once("exit", () => this.#fail(brokenModule(new Error("its worker ended"))));
    this.#limit = new PausableLimit(systemClock, this.#limitMs, () => this.#fail(this.#tooLong()));
    try {
      return await this.#end.promise;
    } finally {
      this.#limit.stop();
      this.#over.abort();
      this.#request.signal.removeEventListener("abort", stop);
    }
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
        const text = this.#decoders[message.stream].decode(message.bytes, { stream: true });
        if (message.stream === "stdout") this.#output.rawText(text);
        if (message.stream === "stderr") this.#output.stderr(Buffer.from(message.bytes));
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
    this.#port.postMessage(JSON.stringify(reply));
    Atomics.store(this.#bell, 0, 1);
    Atomics.notify(this.#bell, 0);
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
