const WINDOW_MS = 5 * 60_000;
const MOST_CRASHES = 3;
const FIRST_DELAY_MS = 1_000;

/**
 * Decides what happens after a crash: a restart after 1, 2, 4 … seconds. After the third crash within five minutes
 * there is no further restart (quarantine), because the plugin would crash again and again.
 */
export class CrashRule {
  #crashes: number[] = [];
  #row = 0;

  /** @param now milliseconds @returns the delay before the restart in milliseconds, or "quarantine" */
  crashed(now: number): number | "quarantine" {
    const last = this.#crashes.at(-1);
    this.#row = last !== undefined && now - last < WINDOW_MS ? this.#row + 1 : 1;
    this.#crashes = [...this.#crashes.filter((at) => now - at < WINDOW_MS), now];
    if (this.#crashes.length >= MOST_CRASHES) return "quarantine";
    return FIRST_DELAY_MS * 2 ** (this.#row - 1);
  }

  forget(): void {
    this.#crashes = [];
    this.#row = 0;
  }
}
