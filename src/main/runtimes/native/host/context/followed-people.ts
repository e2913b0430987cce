import type { ChannelPeople } from "@patchbay/plugin-sdk";

type Listener = (people: ChannelPeople) => void;

/** Passes what the app tells about people on to the plugin's listeners. */
export class FollowedPeople {
  readonly #warn: (text: string) => void;
  readonly #listeners = new Set<Listener>();
  #newest: ChannelPeople | null = null;

  /** @param warn told when a listener throws */
  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  /** Adds a listener and calls it with what is known already. The returned function removes it. */
  add(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (this.#newest) this.#tell(listener, this.#newest);
    return () => void this.#listeners.delete(listener);
  }

  changed(people: ChannelPeople): void {
    this.#newest = people;
    for (const listener of this.#listeners) this.#tell(listener, people);
  }

  #tell(listener: Listener, people: ChannelPeople): void {
    try {
      listener(people);
    } catch (error) {
      this.#warn(`A listener of people failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
