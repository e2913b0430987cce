import { wait } from "./link.ts";

/** Silence after which the core is asked whether it is there, in milliseconds. */
const quietMs = 250;
/** Milliseconds that the core may take to answer before the screen says that it does not. */
const patienceMs = 600;
/** After this many milliseconds of silence the connection is given up and a new one is tried. */
const giveUpMs = 6_000;

interface HeartbeatOptions {
  /** Resolves when the core has answered. */
  ask(): Promise<unknown>;
  /** Told when the core stops answering, and when it answers again. */
  onSilent(silent: boolean): void;
}

/**
 * Tells within a second whether the core still answers. Anything that arrives counts as an answer, so nothing is asked
 * while there is traffic. A hidden page does not ask; it asks at once when it becomes visible.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #heardAt = performance.now();
  #silent = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** To be called whenever something arrives from the core. */
  heard(): void {
    this.#heardAt = performance.now();
    this.#say(false);
  }

  /** Watches until `signal` aborts, or until the connection is to be given up. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await untilVisible(signal);
      const quietFor = performance.now() - this.#heardAt;
      if (quietFor < quietMs) await wait(quietMs - quietFor, signal);
      else if (!(await this.#answered(signal))) return;
    }
  }

  async #answered(signal: AbortSignal): Promise<boolean> {
    const before = this.#heardAt;
    const answer = this.#options.ask().then(
      () => {
        this.heard();
        return true;
      },
      () => false,
    );
    const late = wait(patienceMs, signal).then(() => "late" as const);
    const first = await Promise.race([answer, late]);
    if (first !== "late" || signal.aborted) return first === true;
    // Other traffic, such as a long answer, is a sign of life as well.
    if (this.#heardAt !== before) return true;
    this.#say(true);
    const last = await Promise.race([answer, wait(giveUpMs - patienceMs, signal).then(() => false)]);
    return last || this.#heardAt !== before;
  }

  #say(silent: boolean): void {
    if (this.#silent === silent) return;
    this.#silent = silent;
    this.#options.onSilent(silent);
  }
}

/** Timers of a hidden page run late, so that it would take a core for silent that is not. */
async function untilVisible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === "visible" || signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => {
    if (document.visibilityState === "visible" || signal.aborted) resolve();
  };
  document.addEventListener("visibilitychange", look);
  signal.addEventListener("abort", look, { once: true });
  await promise;
  document.removeEventListener("visibilitychange", look);
  signal.removeEventListener("abort", look);
}
