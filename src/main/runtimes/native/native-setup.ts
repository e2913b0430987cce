import { z } from "zod";
import { PatchbayError, toProblem } from "../../../contract/index.ts";
import type { HostExit, HostProcess } from "../../platform/platform.ts";
import { folderOf } from "../artifact.ts";
import type { SetupPlugin, SetupPluginState, SetupRequest } from "../runtime.ts";
import { parseSetupState } from "../setup-state.ts";
import { Calls } from "./calls.ts";
import type { HostRequest, HostSetupCall } from "./host/protocol.ts";
import { fromHostProblem, HostLine } from "./host-line.ts";

const begun = z.object({ sessionId: z.string().min(1).max(1_024), state: z.unknown() });

/** The setup of one native plugin, in a host process of its own that starts nothing else of it. */
export class NativeSetup implements SetupPlugin {
  readonly #line: HostLine;
  readonly #calls: Calls;
  readonly #request: SetupRequest;
  readonly #shape: (config: Record<string, unknown>) => Record<string, unknown>;
  #opened: ((result: PatchbayError | null) => void) | undefined;

  /** @param shape brings settings into the form that the plugin speaks of */
  constructor(
    process: HostProcess,
    request: SetupRequest,
    shape: (config: Record<string, unknown>) => Record<string, unknown>,
  ) {
    this.#request = request;
    this.#shape = shape;
    this.#line = new HostLine(
      process,
      (message) => this.#receive(message),
      (level, text, origin) => request.services.log(level, text, origin),
    );
    this.#calls = new Calls(this.#line);
    void this.exited.then((exit) => {
      const crash = this.#line.crash(exit);
      this.#opened?.(crash);
      this.#calls.end(crash);
    });
  }

  get pid(): number | null {
    return this.#line.process.pid ?? null;
  }

  get exited(): Promise<HostExit> {
    return this.#line.exited;
  }

  /** Loads the plugin. When that fails or the signal is aborted, the process is gone before this rejects. */
  async open(signal: AbortSignal): Promise<void> {
    const { plugin, agentId, reason } = this.#request;
    try {
      await new Promise<void>((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const abort = () => reject(signal.reason);
        signal.addEventListener("abort", abort, { once: true });
        this.#opened = (result) => {
          this.#opened = undefined;
          signal.removeEventListener("abort", abort);
          if (result) reject(result);
          else resolve();
        };
        const { flatConfig } = plugin.declaration;
        this.#line.post({
          t: "setup",
          setup: { dir: folderOf(plugin.artifact), agentId, reason, flatConfig },
        });
      });
    } catch (error) {
      await this.#line.kill();
      throw error;
    }
  }

  async begin(
    input: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<{ sessionId: string; state: SetupPluginState }> {
    const { sessionId, state } = await this.#call({ kind: "setup.begin", input }, signal, (value) => {
      const parsed = begun.safeParse(value);
      if (parsed.success) return parsed.data;
      throw new PatchbayError("SETUP_INVALID", "The plugin's setup began without giving a session.");
    });
    return { sessionId, state: parseSetupState(state) };
  }

  poll(sessionId: string, signal: AbortSignal): Promise<SetupPluginState> {
    return this.#call({ kind: "setup.poll", sessionId }, signal, parseSetupState);
  }

  submit(sessionId: string, input: Record<string, unknown>, signal: AbortSignal): Promise<SetupPluginState> {
    return this.#call({ kind: "setup.submit", sessionId, input }, signal, parseSetupState);
  }

  cancel(sessionId: string, signal: AbortSignal): Promise<void> {
    return this.#call({ kind: "setup.cancel", sessionId }, signal, () => {});
  }

  check(config: Record<string, unknown>, signal: AbortSignal): Promise<void> {
    return this.#call({ kind: "setup.check", config: this.#shape(config) }, signal, () => {});
  }

  async close(): Promise<void> {
    await this.#line.kill();
  }

  #call<T>(call: HostSetupCall, signal: AbortSignal, parse: (value: unknown) => T): Promise<T> {
    return this.#calls.run(call, parse, { doing: "setup", abort: signal });
  }

  #receive(message: Parameters<ConstructorParameters<typeof HostLine>[1]>[0]): void {
    switch (message.t) {
      case "setupReady":
        this.#opened?.(null);
        break;
      case "failed":
        this.#opened?.(fromHostProblem(message.problem));
        break;
      case "result":
        this.#calls.result(message.id, message.value);
        break;
      case "error":
        this.#calls.error(message.id, message.problem);
        break;
      case "request":
        void this.#answer(message.id, message.request);
        break;
      default:
        // A plugin that has not been started reports nothing.
        break;
    }
  }

  async #answer(id: number, request: HostRequest): Promise<void> {
    try {
      this.#line.post({ t: "answer", id, value: await this.#serve(request) });
    } catch (error) {
      this.#line.post({ t: "refusal", id, problem: toProblem(error) });
    }
  }

  async #serve(request: HostRequest): Promise<unknown> {
    const { credentials } = this.#request.services;
    switch (request.kind) {
      case "credentials.get":
        return credentials.get(request.profile);
      case "credentials.set":
        return credentials.set(request.profile, request.values);
      default:
        throw new PatchbayError(
          "PLUGIN_NOT_RUNNING",
          "Only credentials can be used while a plugin is set up.",
        );
    }
  }
}
