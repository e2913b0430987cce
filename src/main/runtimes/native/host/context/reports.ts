import type { RuntimeState } from "../../../../../contract/index.ts";
import type { HostPort } from "../../../hosted/node/port.ts";
import { MAX_RUNTIME_STATE } from "../protocol.ts";

/**
 * Pause between two messages in milliseconds, which allows 20 a second: the first value is sent at once, the newest one
 * after the pause.
 */
const PAUSE_MS = 50;

/**
 * Sends what plugin code reports about itself (state, errors). Reports that come fast are merged; an equal value is not
 * sent twice, and the last value is always sent.
 */
export class Reports {
  readonly #port: HostPort;
  readonly #warn: (text: string) => void;
  #state: Record<string, string> = {};
  #stateSize = 2;
  #pending: RuntimeState = {};
  #hasPending = false;
  #error: string | null | undefined;
  #errorSent: string | null | undefined;
  #credentialsRefused = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(port: HostPort, warn: (text: string) => void) {
    this.#port = port;
    this.#warn = warn;
  }

  error(message: string | null, credentialsRefused = false): void {
    this.#error = message === null || message === undefined ? null : String(message).slice(0, 4_000);
    this.#credentialsRefused = this.#error !== null && credentialsRefused;
    this.#schedule();
  }

  /** Merges a patch. A patch that is not plain data or makes the state too large is refused with a log line. */
  state(patch: unknown): void {
    if (typeof patch !== "object" || patch === null || Array.isArray(patch)) {
      this.#warn("reportRuntimeState was given something that is not an object; it is ignored.");
      return;
    }
    for (const [key, value] of Object.entries(patch)) this.#merge(key, value);
    if (this.#hasPending) this.#schedule();
  }

  /** Sends what is pending now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#send();
  }

  #merge(key: string, value: unknown): void {
    const text = jsonOf(value);
    if (text === undefined) {
      this.#warn(`reportRuntimeState: \`${key}\` is not plain data; it is ignored.`);
      return;
    }
    const before = this.#state[key];
    if (before === text) return;
    const size = this.#stateSize + entrySize(key, text) - (before === undefined ? 0 : entrySize(key, before));
    if (size > MAX_RUNTIME_STATE) {
      this.#warn(`reportRuntimeState: with \`${key}\` the state would be larger than 16 KB; it is ignored.`);
      return;
    }
    this.#state[key] = text;
    this.#stateSize = size;
    this.#pending[key] = JSON.parse(text);
    this.#hasPending = true;
  }

  #schedule(): void {
    if (this.#timer) return;
    this.#send();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#hasPending || this.#error !== this.#errorSent) this.#schedule();
    }, PAUSE_MS);
  }

  #send(): void {
    if (this.#hasPending) {
      this.#port.post({ t: "runtimeState", patch: this.#pending });
      this.#pending = {};
      this.#hasPending = false;
    }
    if (this.#error !== undefined && this.#error !== this.#errorSent) {
      this.#port.post({
        t: "runtimeError",
        message: this.#error,
        ...(this.#credentialsRefused && { credentialsRefused: true }),
      });
      this.#errorSent = this.#error;
    }
  }
}

function entrySize(key: string, text: string): number {
  return key.length + text.length + 4;
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
