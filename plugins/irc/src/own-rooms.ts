import { type ChannelClock, Rooms } from "@patchbay/plugin-sdk/channel";
import type { IrcLine } from "irc-framework";
import { joinRefusals } from "./wire/failures.ts";
import { foldName } from "./wire/names.ts";

export interface OwnRoomsParts {
  /** As in the settings: `#team`, or `#team key`. */
  channels: readonly string[];
  clock: ChannelClock;
  isMe(nick: string): boolean;
  write(...words: string[]): void;
  trouble(sentence: string | null): void;
}

/** The channels of the settings, and whether the bot is in them. */
export class OwnRooms {
  readonly #parts: OwnRoomsParts;
  readonly #rooms: Rooms;

  constructor(parts: OwnRoomsParts) {
    this.#parts = parts;
    // Until the server has said how it compares names, only ASCII letters are folded, which every server does.
    const keys = new Map(
      parts.channels.map((channel) => {
        const [name = "", key] = channel.split(/\s+/);
        return [roomOf(name), [name, ...(key === undefined ? [] : [key])]];
      }),
    );
    this.#rooms = new Rooms({
      rooms: [...keys.keys()],
      clock: parts.clock,
      join: (room) => parts.write("JOIN", ...(keys.get(room) ?? [room])),
      trouble: (sentence) => parts.trouble(sentence),
    });
  }

  joinAll(): void {
    this.#rooms.joinAll();
  }

  /** The account is set: rooms for signed-in people may let the bot in. */
  mayWork(): void {
    this.#rooms.mayWork();
  }

  stop(): void {
    this.#rooms.stop();
  }

  line({ command, params, nick }: IrcLine): void {
    const { isMe } = this.#parts;
    const [first = "", second = ""] = params;
    const last = params.at(-1) ?? "";
    switch (command) {
      case "JOIN":
        if (isMe(nick)) this.#rooms.joined(roomOf(first));
        return;
      case "KICK":
        if (!isMe(second)) return;
        this.#rooms.removed(
          roomOf(first),
          `${nick} threw the bot out of ${first}: ${last}. It comes back by itself.`,
        );
        return;
      case "INVITE":
        if (isMe(first)) this.#rooms.mayWork(roomOf(second));
        return;
      default: {
        const refusal = joinRefusals[command];
        if (!refusal) return;
        const why = `${second} cannot be entered: ${refusal.why} (${last}).`;
        this.#rooms.refused(
          roomOf(second),
          `${why} It waits for ${refusal.until} and tries again by itself.`,
        );
      }
    }
  }
}

const roomOf = (name: string) => foldName(name, "ascii");
