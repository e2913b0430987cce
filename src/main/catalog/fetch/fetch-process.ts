import { fromProblem, PatchbayError } from "../../../contract/index.ts";
import { untilAborted } from "../../base/limit.ts";
import { howItEnded } from "../../platform/how-it-ended.ts";
import type { HostProcess, Platform } from "../../platform/platform.ts";
import type { Step } from "../job-run.ts";
import type { FetchOperation, FetchOperations, FromChild, ToChild } from "./protocol.ts";

const memoryMb = 1024;
const keptOutput = 4_000;

interface OpenCall {
  step: Step;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

/**
 * The child process of one job that talks to registries and unpacks archives. It is started at the first call. {@link
 * close} ends it; when a call is aborted it is killed at once, so that its work does not go on in the background.
 */
export class FetchProcess {
  readonly #platform: Platform;
  readonly #cwd: string;
  #process: HostProcess | null = null;
  readonly #calls = new Map<number, OpenCall>();
  #lastId = 0;
  #output = "";

  /** @param cwd the folder that the child is started in */
  constructor(platform: Platform, cwd: string) {
    this.#platform = platform;
    this.#cwd = cwd;
  }

  /** @throws PatchbayError with what went wrong in the child, HOST_CRASHED when it ended, or the signal's reason. */
  async call<Op extends FetchOperation>(
    request: { op: Op } & FetchOperations[Op]["input"],
    step: Step,
  ): Promise<FetchOperations[Op]["output"]> {
    step.signal.throwIfAborted();
    const process = this.#running();
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#calls.set(id, { step, resolve, reject });
    const message = { id, request } as ToChild;
    process.post(message);
    try {
      return (await untilAborted(promise, step.signal)) as FetchOperations[Op]["output"];
    } catch (error) {
      if (step.signal.aborted) this.close();
      throw error;
    } finally {
      this.#calls.delete(id);
    }
  }

  close(): void {
    this.#process?.kill();
    this.#process = null;
  }

  #running(): HostProcess {
    if (this.#process) return this.#process;
    const process = this.#platform.forkHost({
      entry: "fetch",
      name: "patchbay-fetch",
      cwd: this.#cwd,
      env: childEnvironment(),
      memoryMb,
    });
    this.#process = process;
    process.onMessage((message) => this.#receive(message as FromChild));
    process.onOutput((_stream, chunk) => {
      this.#output = (this.#output + chunk.toString("utf8")).slice(-keptOutput);
    });
    process.onExit((ended) => {
      const exit = this.#process === process ? ended : { ...ended, endedFor: "its job is over" };
      if (this.#process === process) this.#process = null;
      const error = new PatchbayError(
        "HOST_CRASHED",
        `The process that fetches packages ${howItEnded(exit)}.`,
        {
          help: "Retry. If it happens again, look at the output in the details.",
          details: { ...exit, output: this.#output },
        },
      );
      for (const call of this.#calls.values()) call.reject(error);
    });
    return process;
  }

  #receive(message: FromChild): void {
    const call = this.#calls.get(message.id);
    if (!call) return;
    switch (message.type) {
      case "log":
        call.step.log(message.text);
        break;
      case "progress":
        call.step.progress(message.done);
        break;
      case "done":
        call.resolve(message.output);
        break;
      case "failed":
        call.reject(fromProblem(message.problem));
        break;
    }
  }
}

/**
 * The environment variables that are passed to the child: for finding programs, proxies, certificates and temporary
 * folders. No secrets.
 */
const passedOn =
  /^(?:path|pathext|home|userprofile|appdata|localappdata|systemroot|windir|comspec|tmp|temp|tmpdir|lang|lc_all|http_proxy|https_proxy|no_proxy|all_proxy|node_extra_ca_certs|ssl_cert_file|ssl_cert_dir)$/i;

function childEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && passedOn.test(name),
  );
  return Object.fromEntries(entries) as Record<string, string>;
}
