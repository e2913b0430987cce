import { z } from "zod";
import { PatchbayError } from "../../../contract/index.ts";
import type { HostExit, HostProcess } from "../../platform/platform.ts";
import type { SetupPlugin, SetupPluginState, SetupRequest } from "../runtime.ts";
import { parseSetupState } from "../setup-state.ts";
import { HostTalk } from "./host-talk.ts";
import type { HostRequest, HostSetupCall } from "./protocol.ts";

const begun = z.object({ sessionId: z.string().min(1).max(1_024), state: z.unknown() });

/** The part that a runtime must provide so that this kit can open the setups of its plugins. */
export interface HostedSetupKind {
  /** What this kind of host needs to open a setup. */
  setup: unknown;
  /** Turns stored settings into the form that the plugin expects. */
  shape(config: Record<string, unknown>): Record<string, unknown>;
}

/** The setup of one plugin, in a host process of its own that starts nothing else of it. */
export class HostedSetup implements SetupPlugin {
  readonly #talk: HostTalk<null>;
  readonly #request: SetupRequest;
  readonly #kind: HostedSetupKind;

  constructor(process: HostProcess, request: SetupRequest, kind: HostedSetupKind) {
    this.#request = request;
    this.#kind = kind;
    this.#talk = new HostTalk(process, {
      // A host that opened only a setup sends no other message of this kind.
      receive: ({ t }) => t === "setupReady" && this.#talk.opening.opened(null),
      serve: ({ request }) => this.#serve(request),
      log: (level, text, origin) => request.services.log(level, text, origin),
    });
  }

  get pid(): number | null {
    return this.#talk.line.process.pid ?? null;
  }

  get exited(): Promise<HostExit> {
    return this.#talk.line.exited;
  }

  /** Loads the plugin. When that fails or the signal is aborted, the process is gone before this rejects. */
  async open(signal: AbortSignal): Promise<void> {
    await this.#talk.open(signal, () => this.#talk.line.post({ t: "setup", setup: this.#kind.setup }));
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
    await this.#talk.line.kill("its setup is over");
  }

  #call<T>(call: HostSetupCall, signal: AbortSignal, parse: (value: unknown) => T): Promise<T> {
    return this.#talk.calls.run(call, parse, { doing: "setup", abort: signal });
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
