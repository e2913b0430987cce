import { setImmediate } from "node:timers/promises";
import { PatchbayError } from "../../src/contract/index.ts";
import type { HostExit } from "../../src/main/platform/platform.ts";
import type { SetupPlugin, SetupPluginState } from "../../src/main/runtimes/runtime.ts";

/** The plugin's side of a setup. Its answers and failures come from the test; it knows whether it was closed. */
export class ScriptedSetup implements SetupPlugin {
  readonly pid = 1;
  readonly exited: Promise<HostExit>;
  running = true;
  #exit: (exit: HostExit) => void = () => {};
  readonly #next: () => SetupPluginState;

  constructor(next: () => SetupPluginState) {
    this.#next = next;
    this.exited = new Promise((resolve) => {
      this.#exit = resolve;
    });
  }

  begin = async () => ({ sessionId: "s", state: await this.#answer() });
  poll = () => this.#answer();
  submit = () => this.#answer();
  cancel = async () => {};
  check = async () => {};
  close = async () => this.crash();

  crash(): void {
    this.running = false;
    this.#exit({ code: null, signal: "SIGKILL" });
  }

  async #answer(): Promise<SetupPluginState> {
    await setImmediate();
    if (!this.running) throw new PatchbayError("HOST_CRASHED", "It is gone.");
    const state = this.#next();
    if (state.kind === "error" && state.message === "throw") throw new Error("It threw.");
    return state;
  }
}
