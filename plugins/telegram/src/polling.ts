import type { Api } from "grammy/web";
import { signalOf } from "./bot-api.ts";
import { telegramFailure } from "./errors.ts";
import { handleUpdates, type UpdateParts, wantedUpdates } from "./updates.ts";

/** Seconds for which Telegram holds a request when there is nothing new. */
const HOLD_SECONDS = 30;
/** Milliseconds that the last confirmation may take when the channel stops. */
const CONFIRM_MS = 2_000;

/** Fetches updates. Each request confirms the updates of the one before, after they have been stored. */
export class Polling {
  #offset = 0;

  /** Runs until `signal` is aborted or the connection is lost, which the port is told. Never rejects. */
  async run(api: Api, parts: UpdateParts, signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        const updates = await api.getUpdates(
          {
            ...(this.#offset > 0 && { offset: this.#offset }),
            timeout: HOLD_SECONDS,
            allowed_updates: wantedUpdates,
          },
          signalOf(signal),
        );
        await handleUpdates(updates, parts);
        const last = updates.at(-1);
        if (last) this.#offset = last.update_id + 1;
      }
    } catch (error) {
      if (!signal.aborted) parts.port.lost(telegramFailure(error));
    }
  }

  /**
   * Confirms the updates that were handled, so that they are not delivered to another program again. Failures are
   * ignored.
   */
  async confirm(api: Api): Promise<void> {
    if (this.#offset === 0) return;
    const confirmation = { offset: this.#offset, limit: 1, timeout: 0 };
    await api.getUpdates(confirmation, signalOf(AbortSignal.timeout(CONFIRM_MS))).catch(() => {});
  }
}
