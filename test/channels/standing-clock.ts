import type { ChannelClock } from "@patchbay/plugin-sdk/channel";

/** A clock whose time passes only when the test says so. Limits on what a server may take count real time. */
export class StandingClock implements ChannelClock {
  #now = Date.now();
  #timers: { at: number; action: () => void }[] = [];

  now = () => this.#now;
  random = () => 0.5;
  limit = (ms: number, action: () => void) => {
    const handle = setTimeout(action, ms);
    return () => clearTimeout(handle);
  };
  after = (ms: number, action: () => void) => {
    const timer = { at: this.#now + ms, action };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  pass(ms: number): void {
    this.#now += ms;
    const due = this.#timers.filter(({ at }) => at <= this.#now);
    this.#timers = this.#timers.filter(({ at }) => at > this.#now);
    for (const { action } of due) action();
  }
}
