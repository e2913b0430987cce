import { createHash, timingSafeEqual } from "node:crypto";
import type { ChannelHandle } from "@patchbay/plugin-sdk";
import { ChannelFailure } from "@patchbay/plugin-sdk/channel";
import type { Update } from "grammy/types";
import type { Api } from "grammy/web";
import { handleUpdates, type UpdateParts, wantedUpdates } from "./updates.ts";

type Webhook = NonNullable<ChannelHandle["handleWebhook"]>;

/** Updates that Telegram brings. Each carries a secret that only Telegram and this bot know. */
export class WebhookReceiver {
  readonly #url: string;
  readonly #secret: string;
  #parts: UpdateParts | null = null;

  /** @param address of this Patchbay, or of the webhook itself when it has a path */
  constructor(address: string, agentId: string, token: string) {
    const url = new URL(address);
    if (url.pathname === "/") url.pathname = `/api/agents/${agentId}/channels/telegram/webhook`;
    this.#url = url.href;
    // The secret is computed from the token, so it is the same after a restart and nothing has to be stored.
    this.#secret = createHash("sha256").update(`patchbay-webhook\n${token}`).digest("hex");
  }

  async open(api: Api, parts: UpdateParts): Promise<void> {
    this.#parts = parts;
    await api.setWebhook(this.#url, { secret_token: this.#secret, allowed_updates: wantedUpdates });
  }

  close(): void {
    this.#parts = null;
  }

  /** @throws ChannelFailure when Telegram does not reach this address, or brings the updates elsewhere */
  async check(api: Api): Promise<void> {
    const { url, last_error_message, last_error_date } = await api.getWebhookInfo();
    if (url !== this.#url)
      throw new ChannelFailure("offline", "Another program has set a webhook for this bot.");
    const recent = last_error_date !== undefined && Date.now() / 1000 - last_error_date < 60;
    if (recent && last_error_message) {
      throw new ChannelFailure(
        "offline",
        `Telegram does not reach the webhook address: ${last_error_message}`,
      );
    }
  }

  readonly handle: Webhook = async ({ headers, rawBody }) => {
    if (!this.#isTelegram(headers["x-telegram-bot-api-secret-token"])) return { status: 401 };
    // The channel is not ready: Telegram delivers the update again.
    if (!this.#parts) return { status: 503 };
    const update = parse(rawBody);
    if (!update) return { status: 400 };
    await handleUpdates([update], this.#parts);
    return { status: 200 };
  };

  #isTelegram(given: string | undefined): boolean {
    const digest = (text: string) => createHash("sha256").update(text).digest();
    return timingSafeEqual(digest(given ?? ""), digest(this.#secret));
  }
}

function parse(body: string | Uint8Array): Update | null {
  try {
    const text = typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true }).decode(body);
    const update: unknown = JSON.parse(text);
    const known = typeof update === "object" && update !== null && "update_id" in update;
    return known ? (update as Update) : null;
  } catch {
    return null;
  }
}
