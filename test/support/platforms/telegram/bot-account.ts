import type { TelegramMessage, TelegramUser } from "./world.ts";

export interface TelegramUpdate {
  update_id: number;
  [kind: string]: unknown;
}

/** The kinds of updates that the service sends by default. */
const defaultKinds = [
  "message",
  "edited_message",
  "channel_post",
  "callback_query",
  "my_chat_member",
  "stopped_message_generation",
];

export interface BotCommand {
  command: string;
  description: string;
}

/** A held `getUpdates`. */
interface Poll {
  answer(reply: "conflict" | "unauthorized" | "now"): void;
}

/** A bot as the service keeps it: its queue of updates, its webhook, its held poll. */
export class BotAccount {
  readonly user: TelegramUser;
  token: string;
  /** True with privacy mode off: the bot gets all messages of groups. */
  hearsEverything: boolean;
  allowed: string[] = defaultKinds;
  webhook: { url: string; secret?: string; lastError?: string } | null = null;
  queue: TelegramUpdate[] = [];
  /** The menu of commands, by the language that people use Telegram in; at "" for all others. */
  readonly commandsIn = new Map<string, BotCommand[]>();
  readonly callbacks = new Map<string, { answered: boolean; text?: string; late: boolean }>();
  poll: Poll | null = null;
  #lastUpdate: number;
  #arrived: () => void = () => {};

  constructor(user: TelegramUser, token: string, hearsEverything: boolean) {
    this.user = user;
    this.token = token;
    this.hearsEverything = hearsEverything;
    this.#lastUpdate = 1000 * user.id;
  }

  onUpdate(arrived: () => void): void {
    this.#arrived = arrived;
  }

  push(kind: string, value: unknown): void {
    if (!this.allowed.includes(kind)) return;
    this.#lastUpdate += 1;
    this.queue.push({ update_id: this.#lastUpdate, [kind]: structuredClone(value) });
    this.poll?.answer("now");
    this.#arrived();
  }

  /** Takes the token out of use, also for the request that is held. Returns the new one. */
  revoke(): string {
    this.token = `${this.user.id}:${"R".repeat(34)}${++this.#revocations}`;
    this.poll?.answer("unauthorized");
    return this.token;
  }

  /** Queues the same update once more, as the service does when it lost a confirmation. */
  repeatLast(): void {
    const last = this.queue.at(-1) ?? this.#confirmed;
    if (!last) throw new Error("There was no update yet.");
    this.queue.push(structuredClone(last));
    this.queue.sort((a, b) => a.update_id - b.update_id);
    this.poll?.answer("now");
    this.#arrived();
  }

  /** Forgets what is below the offset; a negative one keeps that many of the newest. */
  confirm(offset: number): void {
    if (offset < 0) this.queue = this.queue.slice(offset);
    else {
      for (const update of this.queue) if (update.update_id < offset) this.#confirmed = update;
      this.queue = this.queue.filter((update) => update.update_id >= offset);
    }
  }

  /** Whether privacy mode lets the bot see a message of a group. */
  hears(message: TelegramMessage): boolean {
    if (message.chat.type === "private" || this.hearsEverything) return true;
    if (message.reply_to_message?.from?.id === this.user.id) return true;
    const text = message.text ?? message.caption ?? "";
    const entities = message.entities ?? message.caption_entities ?? [];
    return entities.some(({ type, offset, length }) => {
      const word = text.slice(offset, offset + length);
      if (type === "mention") return word.toLowerCase() === `@${this.user.username}`.toLowerCase();
      return type === "bot_command" && (!word.includes("@") || word.endsWith(`@${this.user.username}`));
    });
  }

  setAllowed(kinds: unknown): void {
    if (!Array.isArray(kinds)) return;
    this.allowed = kinds.length === 0 ? defaultKinds : kinds.map(String);
  }

  #confirmed: TelegramUpdate | undefined;
  #revocations = 0;
}
