import { type ChannelClock, ChannelFailure } from "@patchbay/plugin-sdk/channel";
import { isNoSasl } from "./wire/failures.ts";

/** For how long a refusal is taken for a passing one, in milliseconds. */
const PASSING_MS = 15 * 60_000;

/**
 * Whether it is believed that the server refuses the account. Services that are just coming back, after a restart or a split
 * of the network, refuse everybody for a moment, with the same number as for a wrong password: believed at once, that would
 * keep the bot away until a person signs it in again. Kept from one connection to the next.
 */
export class AccountDoubt {
  readonly #clock: ChannelClock;
  /** It was accepted before, or the services were seen to be away. */
  #isOpen = false;
  #refusedSince: number | null = null;

  constructor(clock: ChannelClock) {
    this.#clock = clock;
  }

  accepted(): void {
    this.#isOpen = true;
    this.#refusedSince = null;
  }

  /** What a failed sign-in with SASL is taken for: `credentials` is final, `offline` is tried again. */
  of(failure: ChannelFailure): ChannelFailure {
    if (isNoSasl(failure)) {
      this.#isOpen = true;
      // They went away once more, and come back once more.
      this.#refusedSince = null;
    }
    if (failure.kind !== "credentials" || !this.#isOpen) return failure;
    const now = this.#clock.now();
    this.#refusedSince ??= now;
    if (now - this.#refusedSince > PASSING_MS) return failure;
    return new ChannelFailure(
      "offline",
      `${failure.message}. Perhaps the services of the network are only coming back, so it is tried again for a quarter of an hour. If the password was changed, enter the new one.`,
      { cause: failure },
    );
  }
}
