import { type ChannelClock, ChannelFailure } from "@patchbay/plugin-sdk/channel";
import type { IrcLine } from "irc-framework";
import type { IrcChannel } from "./settings.ts";
import { LINE_BYTES, toLines } from "./text/formatting.ts";
import { undelivered } from "./wire/failures.ts";
import { FloodControl } from "./wire/flood.ts";
import { paceOf } from "./wire/pace.ts";
import { RoundTrips } from "./wire/round-trips.ts";

/** Most times slower than usual that lines go out. */
const SLOWEST = 8;

/** Kept from one connection to the next. */
export interface Slowness {
  /** How many times slower lines go out, because the server complained. */
  slower: number;
}

export interface SpeechParts {
  settings: IrcChannel;
  clock: ChannelClock;
  slowness: Slowness;
  fold(name: string): string;
  isChannel(name: string): boolean;
  /** @throws ChannelFailure when the connection is gone */
  write(...words: string[]): void;
  /** Aborted when the connection ends. */
  closed: AbortSignal;
}

/** Says things to people and channels, at the pace of the server, and knows what it has taken and what it did not let through. */
export class Speech {
  readonly #parts: SpeechParts;
  readonly #flood: FloodControl;
  readonly #trips: RoundTrips;
  /** The server's last refusal for each target; the names are folded as the server compares them. */
  readonly #refusals = new Map<string, ChannelFailure>();

  constructor(parts: SpeechParts) {
    this.#parts = parts;
    const { settings, clock, slowness } = parts;
    this.#flood = new FloodControl(clock, paceOf(settings, "", slowness.slower));
    this.#trips = new RoundTrips(clock, (...words) => parts.write(...words));
  }

  /** From now on at the pace that suits this server. @param software as it names it (004) */
  suit(software: string): void {
    const { settings, slowness } = this.#parts;
    this.#flood.pace = paceOf(settings, software, slowness.slower);
  }

  /** A line goes out beside those said here, and counts for the server like them. */
  spend(): void {
    this.#flood.spend();
  }

  line(line: IrcLine): void {
    const last = line.params.at(-1) ?? "";
    switch (line.command) {
      case "PONG":
        this.#trips.pong(last);
        return;
      case "ERROR": {
        const { slowness } = this.#parts;
        if (/flood|sendq|recvq/i.test(last)) slowness.slower = Math.min(slowness.slower * 2, SLOWEST);
        return;
      }
      default: {
        const { fold, isChannel } = this.#parts;
        const refusal = undelivered(line, isChannel);
        if (refusal) this.#refusals.set(fold(refusal.target), refusal.failure);
      }
    }
  }

  /** Resolves when the server has answered a PING: it has then handled everything that was sent before. */
  roundTrip(): Promise<void> {
    return this.#trips.alone();
  }

  /** Resolves when the server has taken, and the bot has read, everything that was said until now. */
  caughtUp(): Promise<void> {
    this.#flood.spend();
    return this.#trips.shared();
  }

  /**
   * Resolves when the server has taken all lines.
   *
   * @param target whom the next line is for, asked right before it; throws when they are gone
   * @throws ChannelFailure `refused` when it does not let them through, `rate-limited` when it does later, or what `target`
   *   throws
   */
  async say(target: () => Promise<string>, text: string): Promise<void> {
    const { fold, write, closed } = this.#parts;
    const flood = this.#flood;
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
      throw refusal;
    }
  }

  /** The connection is gone: nobody answers any more. */
  end(reason: ChannelFailure): void {
    this.#trips.end(reason);
  }
}
