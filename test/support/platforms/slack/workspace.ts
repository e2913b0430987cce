export interface SlackUser {
  id: string;
  name: string;
  real_name: string;
  is_bot: boolean;
}

export interface SlackFile {
  id: string;
  name: string;
  /** Not every file has one. */
  mimetype?: string;
  filetype?: string;
  size: number;
  url_private: string;
  url_private_download: string;
}

export interface SlackMessage {
  ts: string;
  user: string;
  text: string;
  thread_ts?: string;
  blocks?: SlackBlock[];
  bot_id?: string;
  app_id?: string;
  bot_profile?: { name: string; app_id: string };
  metadata?: { event_type: string; event_payload: Record<string, unknown> } | undefined;
  parent_user_id?: string;
  subtype?: string;
  files?: SlackFile[];
  edited?: { user: string; ts: string };
  reactions?: { name: string; users: string[] }[];
  /** Being written with `chat.startStream`. */
  streaming?: boolean;
}

export interface SlackBlock {
  type: string;
  block_id?: string;
  text?: { type: string; text: string };
  elements?: { type: string; action_id?: string; value?: string; text?: { text: string }; style?: string }[];
  [more: string]: unknown;
}

export type SlackChannelType = "im" | "channel" | "group" | "mpim";

/** A channel, private channel or direct conversation, with what stands in it. */
export class SlackChannel {
  readonly id: string;
  readonly type: SlackChannelType;
  readonly name: string;
  readonly members = new Set<string>();
  readonly messages = new Map<string, SlackMessage>();
  archived = false;

  constructor(id: string, type: SlackChannelType, name: string, members: string[]) {
    this.id = id;
    this.type = type;
    this.name = name;
    for (const member of members) this.members.add(member);
  }
}

/** The app and its two tokens. */
export interface SlackApp {
  appId: string;
  botId: string;
  botUserId: string;
  botToken: string;
  appToken: string;
  scopes: string[];
}

export const allScopes =
  "app_mentions:read chat:write channels:history groups:history im:history mpim:history channels:read groups:read im:read im:write users:read files:read files:write reactions:read reactions:write metadata.message:read commands".split(
    " ",
  );

/** One workspace: people, conversations, files, and the time stamps that are also ids. */
export class SlackWorkspace {
  readonly teamId = "T0TEAM";
  readonly teamName = "Example Team";
  readonly users = new Map<string, SlackUser>();
  readonly channels = new Map<string, SlackChannel>();
  readonly files = new Map<string, { file: SlackFile; bytes: Buffer | null; shared: boolean }>();
  #lastTs = 0;
  #counter = 0;

  /** Rising, also within one millisecond. */
  nextTs(): string {
    this.#lastTs = Math.max(this.#lastTs + 1, Date.now() * 1000);
    return `${Math.floor(this.#lastTs / 1_000_000)}.${String(this.#lastTs % 1_000_000).padStart(6, "0")}`;
  }

  nextId(prefix: string): string {
    this.#counter += 1;
    return `${prefix}0${String(this.#counter).padStart(8, "0")}`;
  }

  addUser(name: string, more: Partial<SlackUser> = {}): SlackUser {
    const user = { id: this.nextId("U"), name, real_name: name, is_bot: false, ...more };
    this.users.set(user.id, user);
    return user;
  }

  addChannel(type: SlackChannelType, name: string, members: string[]): SlackChannel {
    const prefix = type === "im" ? "D" : type === "channel" ? "C" : "G";
    const channel = new SlackChannel(this.nextId(prefix), type, name, members);
    this.channels.set(channel.id, channel);
    return channel;
  }

  /** The direct conversation of two. */
  direct(one: string, other: string): SlackChannel {
    const found = [...this.channels.values()].find(
      ({ type, members }) => type === "im" && members.has(one) && members.has(other),
    );
    return found ?? this.addChannel("im", "directmessage", [one, other]);
  }

  post(channel: SlackChannel, message: Omit<SlackMessage, "ts">): SlackMessage {
    const posted = { ts: this.nextTs(), ...message };
    channel.messages.set(posted.ts, posted);
    return posted;
  }
}
