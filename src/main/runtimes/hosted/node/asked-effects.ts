import { type CallEffects, callEffects, type PluginEffect } from "@patchbay/plugin-sdk";
import { MAX_EFFECTS } from "../../../../contract/effects/limits.ts";

/** What one call asks for beside its answer. Nothing is made until the plugin looks for it. */
export class AskedEffects {
  readonly #warn: (text: string) => void;
  #methods: CallEffects | undefined;
  #asked: PluginEffect[] | undefined;
  #answered = false;

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  get methods(): CallEffects {
    this.#methods ??= callEffects((effect) => this.#add(effect));
    return this.#methods;
  }

  /** Everything asked for until now, to go with the answer; undefined: nothing. Later ones are lost, with a line in the log. */
  take(): PluginEffect[] | undefined {
    this.#answered = true;
    return this.#asked;
  }

  #add(effect: PluginEffect): void {
    if (this.#answered) {
      this.#warn(`\`effects\`: the plugin asked for \`${effect.kind}\` after its answer; it was lost.`);
      return;
    }
    this.#asked ??= [];
    // One more than is allowed, so that Patchbay can say that there were more.
    if (this.#asked.length <= MAX_EFFECTS) this.#asked.push(effect);
  }
}
