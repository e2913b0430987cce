import { ChannelFailure, type ChannelPort, type InboundMessage } from "@patchbay/plugin-sdk/channel";
import type { WebClient } from "@slack/web-api";
import { z } from "zod";
import type { CatchUp } from "./catch-up.ts";
import {
  commandSchema,
  conversationOf,
  inboundOf,
  messageSchema,
  type Own,
  pressSchema,
  type SlackEvent,
  speakerOf,
  withEdit,
} from "./receive.ts";
import { type Envelope, revocationIn } from "./socket.ts";
import type { Threads } from "./threads.ts";

const eventSchema = z.object({
  api_app_id: z.string().nullish(),
  event: z.looseObject({
    type: z.string(),
    tokens: z.object({ bot: z.array(z.string()).optional() }).optional(),
  }),
});

const MOST_NAMES = 1_000;
/** Milliseconds that looking up a name may take; then the message goes on without it. */
const NAME_MS = 1_000;

export interface ReaderParts {
  web: WebClient;
  catchUp: CatchUp;
  port: ChannelPort;
  own: Own;
  /** The threads in which people go on without a mention; null: in none. */
  threads: Threads | null;
  /** Aborted when the connection is closed. */
  closed: AbortSignal;
}

/** Reads envelopes. Each is acknowledged when its message is stored, in the order of its channel. */
export class EventReader {
  readonly #parts: ReaderParts;
  readonly #names = new Map<string, Promise<string | undefined>>();
  /** The last message of each channel that is being taken in. */
  readonly #tails = new Map<string, Promise<void>>();
  /** Channels whose missed messages were not read before the connection was closed. */
  readonly #unread = new Set<string>();

  constructor(parts: ReaderParts) {
    this.#parts = parts;
  }

  /**
   * Takes in what was missed, before whatever comes next in the same channel.
   *
   * @param greeted resolves when Slack delivers again: what is said before that is read, too
   */
  async catchUp(greeted: Promise<void>): Promise<void> {
    const { catchUp, web, closed } = this.#parts;
    for (const [channel, last] of await catchUp.marks()) {
      void this.#inOrder(channel, async () => {
        const missed = await greeted.then(() => catchUp.missed(channel, last, web, closed)).catch(() => null);
        // What comes after it in this channel is left to the next connection, too, which reads all of it in order.
        if (missed === null && closed.aborted) this.#unread.add(channel);
        for (const message of missed ?? []) await this.#message(message);
      }).catch(() => {
        // Nothing is lost: Slack delivers missed messages again by itself.
      });
    }
  }

  read(envelope: Envelope): void {
    void this.#read(envelope).catch(() => {
      // Not acknowledged, so that Slack delivers it again.
    });
  }

  async #read({ type, body, acknowledge }: Envelope): Promise<void> {
    if (type === "interactive") {
      await acknowledge();
      return this.#press(body);
    }
    if (type === "slash_commands") await this.#command(body);
    if (type === "events_api") await this.#event(body);
    await acknowledge();
  }

  async #event(body: unknown): Promise<void> {
    const { data } = eventSchema.safeParse(body);
    if (!data) return;
    const revoked = revocationIn(data.event);
    if (revoked) return this.#parts.port.lost(revoked);
    if (data.api_app_id) this.#parts.own.appId = data.api_app_id;
    const { data: message } = messageSchema.safeParse(data.event);
    if (message) await this.#inOrder(message.channel, () => this.#message(message));
  }

  async #message(event: SlackEvent): Promise<void> {
    const { port, own, catchUp } = this.#parts;
    if (this.#unread.has(event.channel)) throw new ChannelFailure("offline", "The connection was closed.");
    const said = withEdit(event);
    if (said) {
      const name = speakerOf(said, own) === "person" ? await this.#nameOf(said.user ?? "") : undefined;
      await port.message(this.#inThread(inboundOf(said, own, name)));
    }
    catchUp.saw(event);
  }

  /** Takes note of who talks with whom in a thread. */
  #inThread(message: InboundMessage): InboundMessage {
    const { threads } = this.#parts;
    const { group, conversation, from, kind } = message;
    if (!threads || !group || from.self || from.bot || kind !== "message") return message;
    if (group.toOthers) threads.leave(conversation);
    const followUp = !group.addressed && threads.has(conversation);
    if (group.addressed || followUp) threads.join(conversation);
    return followUp ? { ...message, group: { ...group, followUp } } : message;
  }

  async #command(body: unknown): Promise<void> {
    const { data } = commandSchema.safeParse(body);
    if (!data) return;
    const { channel_id: channel, thread_ts: thread, user_id, user_name, trigger_id, text } = data;
    const said: InboundMessage = {
      conversation: conversationOf(channel, thread),
      id: trigger_id,
      from: { id: user_id, ...(user_name !== undefined && { name: user_name }) },
      text: `/${text.trim().replace(/^[/!]/, "") || "help"}`,
      ...(!channel.startsWith("D") && { group: { id: channel, addressed: true } }),
    };
    await this.#inOrder(channel, () => this.#parts.port.message(said));
  }

  async #press(body: unknown): Promise<void> {
    const { data } = pressSchema.safeParse(body);
    const channel = data?.channel?.id;
    if (!data || channel === undefined) return;
    const thread = data.message?.thread_ts;
    const text = await this.#parts.port.press({
      conversation: conversationOf(channel, thread),
      ...(data.message && { messageId: data.message.ts }),
      userId: data.user.id,
      data: data.actions[0]?.value ?? "",
    });
    await this.#parts.web.chat.postEphemeral({
      channel,
      user: data.user.id,
      text,
      ...(thread !== undefined && { thread_ts: thread }),
    });
  }

  async #inOrder(channel: string, work: () => Promise<void>): Promise<void> {
    const before = this.#tails.get(channel) ?? Promise.resolve();
    const now = before.then(work, work);
    this.#tails.set(channel, now);
    try {
      await now;
    } finally {
      if (this.#tails.get(channel) === now) this.#tails.delete(channel);
    }
  }

  #nameOf(user: string): Promise<string | undefined> {
    const known = this.#names.get(user);
    if (known) return known;
    const asked = this.#askName(user);
    this.#names.set(user, asked);
    if (this.#names.size > MOST_NAMES) this.#names.delete(this.#names.keys().next().value as string);
    return asked;
  }

  async #askName(user: string): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), NAME_MS);
    });
    try {
      const found = await Promise.race([this.#parts.web.users.info({ user }), late]);
      return found?.user?.profile?.display_name || found?.user?.real_name;
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}
