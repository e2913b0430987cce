import { errorCatalogue, type Problem, type SetupStep, toProblem } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { SetupPluginState } from "../../runtimes/runtime.ts";

type External = Extract<SetupPluginState, { kind: "awaiting_external" }>;
type Poll = Extract<SetupStep, { kind: "external" }>["poll"];

/** Longest pause after failures, milliseconds. */
const MOST_MS = 30_000;
/** After a code has expired the plugin is asked this soon, milliseconds. */
const AFTER_EXPIRY_MS = 100;

export interface PollerEvents {
  /** Asks the plugin once and shows what it says. @throws when it could not be asked */
  ask(): Promise<void>;
  show(poll: Poll): void;
}

/** Asks a plugin at its own pace; after failures after 1, 2, 4 … 30 seconds. It is the core that asks, never a screen. */
export class Poller {
  readonly #clock: Clock;
  readonly #events: PollerEvents;
  #intervalMs = 0;
  #expiresAt: number | null = null;
  #failures = 0;
  #cancel: () => void = () => {};
  #running: Promise<void> | null = null;
  /** Rises with every start and stop, so that a question of before sets no clock. */
  #round = 0;

  constructor(clock: Clock, events: PollerEvents) {
    this.#clock = clock;
    this.#events = events;
  }

  start(state: External): void {
    this.stop();
    this.#failures = 0;
    this.#intervalMs = state.pollIntervalMs;
    this.#expiresAt = state.expiresInMs === undefined ? null : this.#clock.now() + state.expiresInMs;
    this.#schedule(this.#intervalMs);
  }

  stop(): void {
    this.#round += 1;
    this.#cancel();
    this.#cancel = () => {};
  }

  /** Asks at once. Never rejects. */
  now(): Promise<void> {
    this.#cancel();
    this.#running ??= this.#askOnce().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #askOnce(): Promise<void> {
    const round = this.#round;
    try {
      await this.#events.ask();
      if (round !== this.#round) return;
      const recovered = this.#failures > 0;
      this.#failures = 0;
      this.#schedule(this.#intervalMs);
      if (recovered) this.#events.show({ failures: 0, problem: null, nextAt: null });
    } catch (error) {
      if (round !== this.#round) return;
      this.#failures += 1;
      const pause = Math.min(MOST_MS, Math.max(this.#intervalMs, 1_000 * 2 ** (this.#failures - 1)));
      this.#schedule(pause);
      this.#events.show({
        failures: this.#failures,
        problem: shown(toProblem(error, "SETUP_FAILED")),
        nextAt: new Date(this.#clock.now() + pause).toISOString(),
      });
    }
  }

  #schedule(ms: number): void {
    const untilExpiry =
      this.#expiresAt === null ? Number.POSITIVE_INFINITY : this.#expiresAt - this.#clock.now();
    const wait = untilExpiry > 0 ? Math.min(ms, untilExpiry + AFTER_EXPIRY_MS) : ms;
    this.#cancel = this.#clock.after(wait, () => void this.now());
  }
}

/** The step that shows what the plugin waits for. */
export function externalStep(state: External, now: number) {
  const { qrText, redirectUrl, code, attempt, expiresInMs } = state;
  return {
    kind: "external" as const,
    ...(qrText !== undefined && { qrText }),
    ...(redirectUrl !== undefined && { redirectUrl }),
    ...(code !== undefined && { code }),
    ...(attempt && { attempt }),
    shownAt: new Date(now).toISOString(),
    expiresAt: expiresInMs === undefined ? null : new Date(now + expiresInMs).toISOString(),
    poll: { failures: 0, problem: null, nextAt: null },
  };
}

/** Without what only helps its author. */
function shown({ code, message, help }: Problem): Problem {
  return { code, message, help: help ?? errorCatalogue[code].help };
}
