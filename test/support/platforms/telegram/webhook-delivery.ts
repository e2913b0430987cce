import type { BotAccount } from "./bot-account.ts";

const retryMs = 200;
const answerLimitMs = 10_000;

/** Sends the updates of a bot to its webhook, one after the other; what is not taken is sent again. */
export class WebhookDelivery {
  readonly #bot: BotAccount;
  #running = false;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(bot: BotAccount) {
    this.#bot = bot;
  }

  wake(): void {
    if (!this.#running && !this.#stopped && this.#bot.webhook) void this.#deliver();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async #deliver(): Promise<void> {
    this.#running = true;
    while (this.#bot.webhook && this.#bot.queue[0] && !this.#stopped) {
      const { webhook, queue } = this.#bot;
      const [update] = queue;
      if (!update) break;
      const refused = await send(webhook.url, webhook.secret, update);
      if (refused !== null) {
        webhook.lastError = refused;
        this.#timer = setTimeout(() => this.wake(), retryMs);
        break;
      }
      this.#bot.confirm(update.update_id + 1);
    }
    this.#running = false;
  }
}

async function send(url: string, secret: string | undefined, update: unknown): Promise<string | null> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(secret !== undefined && { "x-telegram-bot-api-secret-token": secret }),
      },
      body: JSON.stringify(update),
      signal: AbortSignal.timeout(answerLimitMs),
    });
    await answer.arrayBuffer();
    return answer.ok ? null : `Wrong response from the webhook: ${answer.status}`;
  } catch (error) {
    return `Connection failed: ${error instanceof Error ? error.message : error}`;
  }
}
