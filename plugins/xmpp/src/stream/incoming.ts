import { type ChannelClock, pause, pauseForServer } from "@patchbay/plugin-sdk/channel";
import type { Element } from "@xmpp/client";
import { bareOf } from "../namespaces.ts";
import { idGivenBy } from "../rooms/ids.ts";
import type { Archive } from "./archive.ts";
import type { CatchUp } from "./catch-up.ts";

/** How often it is tried to read the archive after signing in, and the first wait between two tries in milliseconds. */
const MOST_TRIES = 5;
const FIRST_WAIT_MS = 1_000;
/**
 * How long after signing in the archive is read, in milliseconds. A server may go on giving messages to the session of a
 * process that was killed until a moment after this one has come in. It sends those to nobody, and puts them into the
 * archive one by one, before what came in later by the archive's order.
 */
const SETTLED_MS = 1_000;
/** And some more times, for a server that has much to do: milliseconds from one time to the next. */
const LATER_MS = [4_000, 25_000, 90_000];
/** While the last of these fails, it is tried again after this long, so that the place in the archive moves on one day. */
const STUCK_MS = 5 * 60_000;

export interface IncomingParts {
  /** The bot's own bare address. */
  account: string;
  archive: Archive;
  /** Null: nothing is read from the archive. */
  catchUp: CatchUp | null;
  clock: ChannelClock;
  /** The session is closed. */
  stopped: AbortSignal;
  /**
   * Resolves when the message is safe.
   *
   * @param old it is from the archive
   */
  take(stanza: Element, old: boolean): Promise<void>;
}

/** Messages as they come in by themselves and from the archive, in one order; what is safe of them is remembered. */
export class Incoming {
  /** Messages that are being stored. */
  readonly storing = new Set<Promise<void>>();
  readonly #parts: IncomingParts;
  /** What comes in by itself while the archive is read after signing in; it is taken after what the archive gives. Else null. */
  #behind: Element[] | null = null;
  #readings = 0;
  /** Everything that came up to now is safe; rejected for good when something of it could not be stored. */
  #safe: Promise<unknown> = Promise.resolve();

  constructor(parts: IncomingParts) {
    this.#parts = parts;
  }

  /** A message that came in by itself. */
  live(stanza: Element): void {
    // Told to the server as received: what waits here is in the archive, and read from there after a crash.
    if (this.#behind && stanza.attrs.type !== "groupchat") this.#behind.push(stanza);
    else this.#keep(this.#parts.take(stanza, false), stanza, false);
  }

  /**
   * Reads what came while the bot was away from the archive. Until that was read, what comes in by itself waits, so that
   * the order is kept. The first time, the server gives by itself what it has kept, which some do only before they are asked
   * for the archive.
   *
   * @param announce says that the bot is there
   */
  async begin(announce: () => Promise<void>): Promise<void> {
    const { archive, catchUp, clock, stopped } = this.#parts;
    const remembers = await catchUp?.remembers();
    // Where there is no archive, what waits here would be lost with this process.
    const waits = remembers === true && (await archive.isThere().catch(() => true));
    if (waits) this.#behind ??= [];
    await announce();
    this.#readings += 1;
    const reading = this.#readings;
    const read = (waits ? pauseForServer(clock, SETTLED_MS, stopped) : Promise.resolve())
      .then(() => this.#readOn(reading))
      .then(() => reading === this.#readings && this.#takeBehind());
    void read.then(() => this.#readLater(reading));
    // The first time the bot is in only when it is kept from where the archive is new.
    if (remembers === false) await read;
  }

  #keep(storing: Promise<void>, stanza: Element, old: boolean): void {
    this.storing.add(storing);
    const given = idGivenBy(this.#parts.account, stanza);
    // The archive is read up to a message only when everything before it is safe, too.
    this.#safe = Promise.all([this.#safe, storing]).then(() => {
      if (given !== undefined) this.#parts.catchUp?.reached(given, old);
    });
    this.#safe.catch(() => {});
    void storing.catch(() => {}).finally(() => this.storing.delete(storing));
  }

  async #readArchive(): Promise<void> {
    const { archive, catchUp } = this.#parts;
    await catchUp?.read(archive, (message) => this.#fromArchive(message));
  }

  /**
   * Reads the archive, and tries again what failed. A server that does not answer must not keep messages back for ever.
   *
   * @returns whether it was read
   */
  async #readOn(reading: number): Promise<boolean> {
    const { clock, stopped } = this.#parts;
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      try {
        await this.#readArchive();
        return true;
      } catch {
        await pause(clock, FIRST_WAIT_MS * 2 ** tries, stopped);
        if (reading !== this.#readings || stopped.aborted) return false;
      }
    }
    return false;
  }

  async #readLater(reading: number): Promise<void> {
    const { catchUp, clock, stopped } = this.#parts;
    if (!catchUp) return;
    for (let times = 0, isRead = false; times < LATER_MS.length || !isRead; times += 1) {
      await pauseForServer(clock, LATER_MS[times] ?? STUCK_MS, stopped);
      if (reading !== this.#readings || stopped.aborted) return;
      isRead = await this.#readOn(reading);
    }
  }

  async #fromArchive(message: Element): Promise<void> {
    const { from = "", type } = message.attrs;
    if (bareOf(from) === this.#parts.account || type === "groupchat") return;
    const storing = this.#parts.take(message, true);
    this.#keep(storing, message, true);
    await storing;
  }

  #takeBehind(): void {
    const behind = this.#behind ?? [];
    this.#behind = null;
    for (const stanza of behind) this.#keep(this.#parts.take(stanza, false), stanza, false);
  }
}
