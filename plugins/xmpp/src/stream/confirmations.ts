import type { ChannelFailure } from "@patchbay/plugin-sdk/channel";
import type { Client, Element } from "@xmpp/client";

/** Stanzas that the server has not confirmed yet (XEP-0198). */
export class Confirmations {
  readonly #client: Client;
  readonly #failure: () => ChannelFailure;
  readonly #waiting = new Map<Element, { confirm(): void; fail(): void }>();

  /** @param failure why nothing can be confirmed now */
  constructor(client: Client, failure: () => ChannelFailure) {
    this.#client = client;
    this.#failure = failure;
    client.streamManagement.on("ack", (stanza) => this.#waiting.get(stanza)?.confirm());
    client.streamManagement.on("fail", (stanza) => this.#waiting.get(stanza)?.fail());
  }

  /** Writes a stanza, and resolves when the server has confirmed it. @throws ChannelFailure `offline` when that cannot be known */
  of(stanza: Element, write: () => Promise<void>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.set(stanza, { confirm: resolve, fail: () => reject(this.#failure()) });
    write().then(() => this.#failUntracked(stanza), reject);
    return promise.finally(() => this.#waiting.delete(stanza));
  }

  /** The connection was cut. */
  cut(): void {
    for (const stanza of this.#waiting.keys()) this.#failUntracked(stanza);
  }

  failAll(): void {
    for (const { fail } of this.#waiting.values()) fail();
  }

  /**
   * Fails a stanza that the library does not track. On resuming, the library sends again only stanzas that it has seen
   * written. One that was interrupted on its way to the socket, or while being sent again, would never be confirmed.
   */
  #failUntracked(stanza: Element): void {
    const { outbound_q: tracked } = this.#client.streamManagement;
    if (!tracked.some((item) => item.stanza === stanza)) this.#waiting.get(stanza)?.fail();
  }
}
