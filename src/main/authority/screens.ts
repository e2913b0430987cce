import { EventEmitter } from "node:events";
import { PatchbayError, type Screen } from "../../contract/index.ts";
import { type Clock, isoOf } from "../base/clock.ts";
import type { KeptAccess, KeptScreen } from "./kept-access.ts";
import { keyOf, newSecret, newToken, partsOf, same, tokenText } from "./tokens.ts";

const DAY = 24 * 60 * 60 * 1_000;
/** A screen that was not used for so long has ended; milliseconds. */
const UNUSED = 30 * DAY;
/** When it was used is written down at most this often; milliseconds. */
const NOTED = 60 * 60 * 1_000;
/** Most screens that are kept; the one that was used least recently ends first. */
const MOST = 50;

/** What a token of a screen is: good, of a screen but outdated, or nothing. */
export type Identified = { screen: KeptScreen } | { outdated: KeptScreen } | undefined;

/**
 * The pages that may talk to this Patchbay. Each has a token of its own, which is replaced while it is used; of a token
 * only a digest is kept.
 */
export class Screens {
  readonly changes = new EventEmitter<{ ended: [id: string] }>();
  readonly #kept: KeptAccess;
  readonly #clock: Clock;
  readonly #noted = new Map<string, number>();

  constructor(kept: KeptAccess, clock: Clock) {
    this.#kept = kept;
    this.#clock = clock;
  }

  /** Lets one more page in. @returns its token @throws PatchbayError DISK_FULL, WRITE_FAILED */
  async open(name: string): Promise<{ id: string; token: string }> {
    const parts = newToken();
    const at = isoOf(this.#clock.now());
    const screen = { id: parts.id, name, key: keyOf(parts.secret), earlier: null, createdAt: at, usedAt: at };
    let gone: KeptScreen[] = [];
    await this.#kept.changeScreens((screens) => {
      const living = screens.filter((one) => !this.#isOver(one));
      const newest = [...living, screen].sort((left, right) => right.usedAt.localeCompare(left.usedAt));
      gone = newest.slice(MOST);
      return newest.slice(0, MOST);
    });
    for (const { id } of gone) this.changes.emit("ended", id);
    return { id: parts.id, token: tokenText(parts) };
  }

  identify(token: string): Identified {
    const parts = partsOf(token);
    const screen = parts && this.#find(parts.id);
    if (!parts || !screen) return undefined;
    const key = keyOf(parts.secret);
    if (same(key, screen.key)) {
      this.#note(screen);
      return { screen };
    }
    if (screen.earlier !== null && same(key, screen.earlier)) return { screen };
    return { outdated: screen };
  }

  /**
   * A new token for a screen. The one before stays good until the new one is used for the first time.
   * @throws PatchbayError NOT_FOUND, DISK_FULL, WRITE_FAILED
   */
  async renew(id: string): Promise<string> {
    const secret = newSecret();
    const key = keyOf(secret);
    this.#known(id);
    await this.#change(id, (screen) => ({ ...screen, key, earlier: screen.key }));
    return tokenText({ id, secret });
  }

  /** Keys that a page of this id may hold, for the proof that this is its Patchbay; empty when there is none. */
  keys(id: string): string[] {
    const screen = this.#find(id);
    return screen ? [screen.key, ...(screen.earlier === null ? [] : [screen.earlier])] : [];
  }

  /** @param current the screen that asks, if one does */
  list(current?: string): Screen[] {
    return this.#kept.screens
      .filter((screen) => !this.#isOver(screen))
      .map(({ id, name, createdAt, usedAt }) => ({
        id,
        name,
        createdAt,
        usedAt,
        expiresAt: isoOf(Date.parse(usedAt) + UNUSED),
        current: id === current,
      }));
  }

  /** @throws PatchbayError NOT_FOUND, DISK_FULL, WRITE_FAILED */
  async end(id: string): Promise<void> {
    this.#known(id);
    await this.#kept.changeScreens((screens) => screens.filter((screen) => screen.id !== id));
    this.changes.emit("ended", id);
  }

  /** @throws PatchbayError DISK_FULL, WRITE_FAILED */
  async endAll(): Promise<void> {
    const ids = this.#kept.screens.map(({ id }) => id);
    if (ids.length > 0) await this.#kept.changeScreens(() => []);
    for (const id of ids) this.changes.emit("ended", id);
  }

  #find(id: string): KeptScreen | undefined {
    const screen = this.#kept.screens.find((one) => one.id === id);
    return screen && !this.#isOver(screen) ? screen : undefined;
  }

  #known(id: string): KeptScreen {
    const screen = this.#find(id);
    if (screen) return screen;
    throw new PatchbayError("NOT_FOUND", "There is no such screen any more.");
  }

  #isOver({ usedAt }: KeptScreen): boolean {
    return Date.parse(usedAt) + UNUSED < this.#clock.now();
  }

  /** Writes down that the newest token was used, and with it that the one before is no longer needed. */
  #note({ id, earlier }: KeptScreen): void {
    const now = this.#clock.now();
    if (earlier === null && now - (this.#noted.get(id) ?? 0) < NOTED) return;
    this.#noted.set(id, now);
    // A note that cannot be written is written at the next use; nobody waits for it.
    this.#change(id, (screen) => ({ ...screen, earlier: null, usedAt: isoOf(now) })).catch(() => {});
  }

  #change(id: string, change: (screen: KeptScreen) => KeptScreen): Promise<void> {
    return this.#kept.changeScreens((screens) =>
      screens.map((screen) => (screen.id === id ? change(screen) : screen)),
    );
  }
}
