import { z } from "zod";
import { PatchbayError } from "../../../contract/index.ts";
import type { HostExit, HostProcess } from "../../platform/platform.ts";
import type { SetupPlugin, SetupPluginState, SetupRequest } from "../runtime.ts";
import { parseSetupState } from "../setup-state.ts";
import { Calls } from "./calls.ts";
import { fromHostProblem, HostLine } from "./host-line.ts";
import { HostQuestions } from "./host-questions.ts";
import { Opening } from "./opening.ts";
import type { FromHost, HostRequest, HostSetupCall } from "./protocol.ts";

const begun = z.object({ sessionId: z.string().min(1).max(1_024), state: z.unknown() });

/** What a runtime adds to the kit so that its hosts' plugins can be set up. */
export interface HostedSetupKind {
  /** What this kind of host needs to open a setup. */
  setup: unknown;
  /** Brings settings into the form that the plugin speaks of. */
  shape(config: Record<string, unknown>): Record<string, unknown>;
}

/** The setup of one plugin, in a host process of its own that starts nothing else of it. */
export class HostedSetup implements SetupPlugin {
  readonly #line: HostLine;
  readonly #calls: Calls;
  readonly #questions: HostQuestions;
  readonly #request: SetupRequest;
  readonly #kind: HostedSetupKind;
  readonly #opening = new Opening<null>();

  constructor(process: HostProcess, request: SetupRequest, kind: HostedSetupKind) {
    this.#request = request;
    this.#kind = kind;
    this.#line = new HostLine(
      process,
      (message) => this.#receive(message),
      (level, text, origin) => request.services.log(level, text, origin),
    );
    this.#calls = new Calls(this.#line);
    this.#questions = new HostQuestions(this.#line, ({ request }) => this.#serve(request));
    void this.exited.then((exit) => {
      const crash = this.#line.crash(exit);
      this.#opening.failed(crash);
      this.#calls.end(crash);
      this.#questions.end(crash);
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
    try {
      await this.#opening.wait(signal, () => this.#line.post({ t: "setup", setup: this.#kind.setup }));
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
    return this.#call({ kind: "setup.check", config: this.#kind.shape(config) }, signal, () => {});
  }

  async close(): Promise<void> {
    await this.#line.kill();
  }

  #call<T>(call: HostSetupCall, signal: AbortSignal, parse: (value: unknown) => T): Promise<T> {
    return this.#calls.run(call, parse, { doing: "setup", abort: signal });
  }

  #receive(message: FromHost): void {
    switch (message.t) {
      case "setupReady":
        this.#opening.opened(null);
        break;
      case "failed":
        this.#opening.failed(fromHostProblem(message.problem));
        break;
      case "result":
        this.#calls.result(message.id, message.value);
        break;
      case "error":
        this.#calls.error(message.id, message.problem);
        break;
      case "request":
        void this.#questions.answer(message.id, message.request, undefined);
        break;
      case "cancel":
        this.#questions.cancel(message.id);
        break;
      default:
        // A plugin that has not been started reports nothing.
        break;
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
