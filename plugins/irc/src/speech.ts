import { ChannelFailure } from "@patchbay/plugin-sdk/channel";
import { LINE_BYTES, toLines } from "./text/formatting.ts";
import type { FloodControl } from "./wire/flood.ts";
import type { RoundTrips } from "./wire/round-trips.ts";

export interface SpeechParts {
  flood: FloodControl;
  trips: RoundTrips;
  fold(name: string): string;
  /** @throws ChannelFailure when the connection is gone */
  write(...words: string[]): void;
  /** Aborted when the connection ends. */
  closed: AbortSignal;
}

/** Says things to people and channels, at the pace of the server, and knows what it did not let through. */
export class Speech {
  readonly #parts: SpeechParts;
  /** The server's last refusal for each target; the names are folded as the server compares them. */
  readonly #refusals = new Map<string, string>();

  constructor(parts: SpeechParts) {
    this.#parts = parts;
  }

  /** The server has refused what was said to somebody. */
  refused(target: string, why: string): void {
    this.#refusals.set(this.#parts.fold(target), why);
  }

  /** Resolves when the server has taken, and the bot has read, everything that was said until now. */
  caughtUp(): Promise<void> {
    const { flood, trips } = this.#parts;
    flood.spend();
    return trips.shared();
  }

  /**
   * Resolves when the server has taken all lines.
   *
   * @param target whom the next line is for, asked right before it; throws when they are gone
   * @throws ChannelFailure `refused` when it does not let them through, or what `target` throws
   */
  async say(target: () => Promise<string>, text: string): Promise<void> {
    const { flood, fold, write, closed } = this.#parts;
    const names = new Set<string>();
    for (const line of toLines(text, LINE_BYTES)) {
      await flood.next(closed);
      let name: string;
      try {
        name = await target();
      } catch (error) {
        flood.giveBack();
        throw error;
      }
      if (!/^[^\s,:\0][^\s,\0]*$/.test(name)) {
        throw new ChannelFailure("refused", `${name} is no name of a person or channel.`);
      }
      if (!names.has(name)) this.#refusals.delete(fold(name));
      names.add(name);
      write("PRIVMSG", name, line);
    }
    await this.caughtUp();
    for (const name of names) {
      const refusal = this.#refusals.get(fold(name));
      if (refusal === undefined) continue;
      // Who is gone is no problem of the channel: then this says whether they may come back.
      await target();
      throw new ChannelFailure("refused", refusal);
    }
  }
}
