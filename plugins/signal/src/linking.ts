import { type ChannelClock, failureOf, pause } from "@patchbay/plugin-sdk/channel";
import { SignalApi, SignalRefusal } from "./api.ts";

/** A code expires after about a minute; milliseconds. */
export const LINK_MS = 60_000;
/** Codes that are shown one after the other before the setup gives up. */
export const MOST_LINKS = 8;
const ASK_MS = 1_500;

export type LinkingView =
  | { kind: "code"; text: string; number: number; expiresInMs: number }
  | { kind: "linked"; account: string }
  | { kind: "failed"; message: string };

export interface LinkingOptions {
  server: string;
  deviceName: string;
  clock: ChannelClock;
  signal: AbortSignal;
}

/** Links the server with a phone: shows codes until the phone's account appears among the server's. */
export class Linking {
  readonly #options: LinkingOptions;
  readonly #api: SignalApi;
  #before = new Set<string>();
  #view: LinkingView = { kind: "failed", message: "" };
  #codes = 0;
  #shownAt = 0;

  constructor(options: LinkingOptions) {
    this.#options = options;
    this.#api = new SignalApi(options.server, options.clock);
  }

  get view(): LinkingView {
    if (this.#view.kind !== "code") return this.#view;
    return { ...this.#view, expiresInMs: Math.max(0, LINK_MS - (this.#options.clock.now() - this.#shownAt)) };
  }

  /** Resolves when there is a code to show, or there will be none. */
  async begin(): Promise<void> {
    try {
      this.#before = new Set(await this.#api.accounts());
      await this.#newCode();
      void this.#watch();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Never rejects. */
  async #watch(): Promise<void> {
    const { clock, signal } = this.#options;
    while (!signal.aborted && this.#view.kind === "code") {
      await pause(clock, ASK_MS, signal);
      if (signal.aborted) return;
      // A failed question counts as no answer; the next one comes soon.
      const accounts = await this.#api.accounts().catch(() => []);
      const account = accounts.find((one) => !this.#before.has(one));
      if (account !== undefined) this.#view = { kind: "linked", account };
      else if (clock.now() - this.#shownAt >= LINK_MS)
        await this.#newCode().catch((error) => this.#fail(error));
    }
  }

  async #newCode(): Promise<void> {
    if (this.#codes === MOST_LINKS) {
      this.#view = {
        kind: "failed",
        message: "No code was scanned in time. Try again when the phone is at hand.",
      };
      return;
    }
    const text = await this.#api.link(this.#options.deviceName);
    this.#codes += 1;
    this.#shownAt = this.#options.clock.now();
    this.#view = { kind: "code", text, number: this.#codes, expiresInMs: LINK_MS };
  }

  #fail(error: unknown): void {
    const message =
      error instanceof SignalRefusal && error.status === 404
        ? "This server is too old to show a code here. Update signal-cli-rest-api, then try again."
        : error instanceof SignalRefusal
          ? `The server gave no code: ${error.message}.`
          : failureOf(error).message;
    this.#view = { kind: "failed", message };
  }
}
