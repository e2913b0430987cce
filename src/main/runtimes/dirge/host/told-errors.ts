import type { PluginEffect } from "@patchbay/plugin-sdk";

/** Tells the person of errors of hooks: one that comes again right after itself only as a number, when another follows or none. */
export class ToldErrors {
  #last: string | null = null;
  #repeats = 0;

  /** What is to be shown for an error. */
  failed(text: string): PluginEffect[] {
    if (text === this.#last) {
      this.#repeats += 1;
      return [];
    }
    const told = this.#repeated();
    this.#last = text;
    return [...told, { kind: "notify", text, level: "error" }];
  }

  /** What is to be shown when a hook ran well: how often the last error came. */
  went(): PluginEffect[] {
    if (this.#repeats === 0) return [];
    const told = this.#repeated();
    this.#repeats = 0;
    return told;
  }

  #repeated(): PluginEffect[] {
    const times = this.#repeats;
    this.#repeats = 0;
    return times === 0 ? [] : [{ kind: "notify", text: `… (repeated ${times} times)`, level: "error" }];
  }
}
