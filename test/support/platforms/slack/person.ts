import type { SlackServer } from "./server.ts";
import type { SlackChannel, SlackMessage, SlackUser } from "./workspace.ts";

interface Said {
  /** Where; absent: the direct conversation with the bot. */
  channel?: SlackChannel;
  thread?: string;
  files?: { name: string; mimetype?: string; filetype?: string; bytes: Buffer }[];
}

/** A person who uses Slack. Texts are as Slack sends them: `&amp; &lt; &gt;`, mentions as `<@U…>`. */
export class SlackPerson {
  readonly user: SlackUser;
  readonly #server: SlackServer;

  constructor(server: SlackServer, name: string, more: Partial<SlackUser> = {}) {
    this.#server = server;
    this.user = server.workspace.addUser(name, more);
  }

  get direct(): SlackChannel {
    return this.#server.workspace.direct(this.user.id, this.#server.app.botUserId);
  }

  /** A channel with this person and the bot in it. */
  channel(name = "general", type: "channel" | "group" | "mpim" = "channel"): SlackChannel {
    return this.#server.workspace.addChannel(type, name, [this.user.id, this.#server.app.botUserId]);
  }

  says(text: string, more: Said = {}): SlackMessage {
    const { workspace, app } = this.#server;
    const channel = more.channel ?? this.direct;
    channel.members.add(this.user.id);
    const files = more.files?.map((file) => this.#store(file));
    const message = workspace.post(channel, {
      user: this.user.id,
      text,
      ...(more.thread !== undefined && { thread_ts: more.thread }),
      ...(files && { files, subtype: "file_share" }),
      ...(this.user.is_bot && {
        bot_id: "B0OTHER",
        app_id: "A0OTHER",
        bot_profile: { name: this.user.real_name, app_id: "A0OTHER" },
      }),
    });
    const parent = more.thread === undefined ? undefined : channel.messages.get(more.thread);
    if (parent) {
      parent.thread_ts ??= parent.ts;
      message.parent_user_id = parent.user;
    }
    const event = { ...message, channel: channel.id, event_ts: message.ts, client_msg_id: message.ts };
    const id = workspace.nextId("Ev");
    const spoken = { ...event, type: "message", channel_type: channel.type };
    void this.#server.emit(spoken, id);
    if (channel.type !== "im" && text.includes(`<@${app.botUserId}>`)) {
      void this.#server.emit({ ...event, type: "app_mention" });
    }
    this.again = () => void this.#server.emit(spoken, id);
    return message;
  }

  /** Delivers the last message once more, under the same id. */
  again = (): void => {};

  edits(channel: SlackChannel, message: SlackMessage, text: string): void {
    const previous = { ...message };
    message.text = text;
    message.edited = { user: this.user.id, ts: this.#server.workspace.nextTs() };
    void this.#server.emit({
      type: "message",
      subtype: "message_changed",
      channel: channel.id,
      channel_type: channel.type,
      ts: this.#server.workspace.nextTs(),
      message,
      previous_message: previous,
    });
  }

  reacts(channel: SlackChannel, message: SlackMessage, reaction: string): void {
    void this.#server.emit({
      type: "reaction_added",
      user: this.user.id,
      reaction,
      item: { type: "message", channel: channel.id, ts: message.ts },
      item_user: message.user,
    });
  }

  /** Presses a button by its text. Resolves when the app has acknowledged it. */
  presses(channel: SlackChannel, message: SlackMessage, text: string): Promise<unknown> {
    for (const block of message.blocks ?? []) {
      const button = block.elements?.find((element) => element.text?.text === text);
      if (!button) continue;
      return this.#server.socketMode.deliver("interactive", {
        type: "block_actions",
        team: { id: this.#server.workspace.teamId },
        user: { id: this.user.id, username: this.user.name, name: this.user.name },
        api_app_id: this.#server.app.appId,
        channel: { id: channel.id, name: channel.name },
        message,
        container: { type: "message", message_ts: message.ts, channel_id: channel.id },
        trigger_id: this.#server.workspace.nextId("t"),
        response_url: new URL("/response/1", this.#server.apiUrl).href,
        actions: [{ ...button, block_id: block.block_id, action_ts: this.#server.workspace.nextTs() }],
      });
    }
    throw new Error(`There is no button "${text}" on "${message.text}".`);
  }

  /**
   * Types a slash command of the app. Resolves with what the app answered at once.
   *
   * @param thread where Slack takes commands in threads, which it does not everywhere
   */
  commands(command: string, text: string, channel = this.direct, thread?: string): Promise<unknown> {
    return this.#server.socketMode.deliver("slash_commands", {
      command,
      text,
      team_id: this.#server.workspace.teamId,
      user_id: this.user.id,
      user_name: this.user.name,
      channel_id: channel.id,
      channel_name: channel.name,
      ...(thread !== undefined && { thread_ts: thread }),
      api_app_id: this.#server.app.appId,
      trigger_id: this.#server.workspace.nextId("t"),
      response_url: new URL("/response/1", this.#server.apiUrl).href,
    });
  }

  /** The bot's messages in a channel, or in one thread of it, as they are now, in order. */
  sees(channel: SlackChannel = this.direct, thread?: string): SlackMessage[] {
    return [...channel.messages.values()].filter(
      (message) =>
        message.bot_id === this.#server.app.botId && (thread === undefined || message.thread_ts === thread),
    );
  }

  /** An edit as it comes when Slack has found the preview of a link: the text is the same. */
  unfurls(channel: SlackChannel, message: SlackMessage): void {
    this.edits(channel, message, message.text);
  }

  #store(given: NonNullable<Said["files"]>[number]) {
    const { workspace } = this.#server;
    const id = workspace.nextId("F");
    const path = `/files-pri/${workspace.teamId}-${id}/${encodeURIComponent(given.name)}`;
    const url = new URL(path, this.#server.apiUrl).href;
    const { bytes, ...about } = given;
    const file = { id, ...about, size: bytes.length, url_private: url, url_private_download: url };
    workspace.files.set(id, { file, bytes, shared: true });
    return file;
  }
}
