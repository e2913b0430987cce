import type { SlackApp, SlackBlock, SlackChannel, SlackMessage, SlackWorkspace } from "./workspace.ts";

/** An error of the Web API, which is answered as `{ok: false, error}`. */
export class SlackRefusal extends Error {
  readonly more: Record<string, unknown>;

  constructor(error: string, more: Record<string, unknown> = {}) {
    super(error);
    this.more = more;
  }
}

export interface SlackCall {
  workspace: SlackWorkspace;
  app: SlackApp;
  /** Form fields; nested values are still JSON text. */
  fields: Record<string, unknown>;
  origin: string;
  /** Tells the app's sockets of an event. */
  emit(event: Record<string, unknown>): void;
}

const messageLimit = 40_000;
/** `chat.update` takes fewer than `chat.postMessage`, and counts bytes of UTF-8. */
const updateLimit = 4_000;
const markdownLimit = 12_000;
const sectionLimit = 3_000;

interface Method {
  scope?: string;
  run(call: SlackCall): Record<string, unknown>;
}

/** The methods of the Web API that need a bot token. */
export const methods: Record<string, Method> = {
  "auth.test": {
    run: ({ workspace, app, origin }) => ({
      url: `${origin}/`,
      team: workspace.teamName,
      user: workspace.users.get(app.botUserId)?.name,
      team_id: workspace.teamId,
      user_id: app.botUserId,
      bot_id: app.botId,
      is_enterprise_install: false,
    }),
  },
  "chat.postMessage": {
    scope: "chat:write",
    run: (call) => {
      const channel = writableChannel(call);
      const blocks = blocksOf(call.fields);
      const text = textOf(call.fields, blocks);
      const metadata = metadataOf(call.fields);
      const message = postAs(call, channel, {
        text,
        ...(blocks && { blocks }),
        ...(metadata && { metadata }),
        ...threadOf(call, channel),
      });
      return { channel: channel.id, ts: message.ts, message };
    },
  },
  "chat.update": {
    scope: "chat:write",
    run: (call) => {
      const channel = channelOf(call);
      const message = ownMessage(call, channel);
      const previous = structuredClone(message);
      const blocks = blocksOf(call.fields);
      const text = textOf(call.fields, blocks);
      if (Buffer.byteLength(text) > updateLimit) throw new SlackRefusal("msg_too_long");
      message.text = text;
      const metadata = metadataOf(call.fields);
      if (metadata) message.metadata = metadata;
      if (blocks) message.blocks = blocks;
      else if (call.fields.text !== undefined) delete message.blocks;
      message.edited = { user: call.app.botUserId, ts: call.workspace.nextTs() };
      call.emit({
        type: "message",
        subtype: "message_changed",
        channel: channel.id,
        channel_type: channel.type,
        ts: call.workspace.nextTs(),
        message,
        previous_message: previous,
      });
      return { channel: channel.id, ts: message.ts, text: message.text, message };
    },
  },
  "chat.delete": {
    scope: "chat:write",
    run: (call) => {
      const channel = channelOf(call);
      const message = ownMessage(call, channel);
      channel.messages.delete(message.ts);
      return { channel: channel.id, ts: message.ts };
    },
  },
  "chat.postEphemeral": {
    scope: "chat:write",
    run: (call) => {
      writableChannel(call);
      if (!call.workspace.users.has(String(call.fields.user))) throw new SlackRefusal("user_not_in_channel");
      return { message_ts: call.workspace.nextTs() };
    },
  },
  "reactions.add": {
    scope: "reactions:write",
    run: (call) => {
      const channel = channelOf(call);
      const message = channel.messages.get(String(call.fields.timestamp));
      if (!message) throw new SlackRefusal("message_not_found");
      const name = String(call.fields.name);
      message.reactions ??= [];
      const { reactions } = message;
      const found = reactions.find((reaction) => reaction.name === name);
      if (found?.users.includes(call.app.botUserId)) throw new SlackRefusal("already_reacted");
      if (found) found.users.push(call.app.botUserId);
      else reactions.push({ name, users: [call.app.botUserId] });
      return {};
    },
  },
  "reactions.remove": {
    scope: "reactions:write",
    run: (call) => {
      const message = channelOf(call).messages.get(String(call.fields.timestamp));
      if (!message) throw new SlackRefusal("message_not_found");
      const found = message.reactions?.find(({ name }) => name === String(call.fields.name));
      if (!found?.users.includes(call.app.botUserId)) throw new SlackRefusal("no_reaction");
      found.users.splice(found.users.indexOf(call.app.botUserId), 1);
      message.reactions = message.reactions?.filter(({ users }) => users.length > 0) ?? [];
      return {};
    },
  },
  "conversations.list": {
    run: ({ workspace, app, fields }) => {
      const types = String(fields.types ?? "public_channel").split(",");
      const needed = types.flatMap((type) => listScopes[type] ?? []);
      const missing = needed.find((scope) => !app.scopes.includes(scope));
      if (missing !== undefined) {
        throw new SlackRefusal("missing_scope", { needed: missing, provided: app.scopes.join(",") });
      }
      const wanted = new Set(types.map((type) => (type === "public_channel" ? "channel" : "group")));
      const open = [...workspace.channels.values()].filter(
        ({ type, archived, members }) =>
          wanted.has(type as "channel" | "group") &&
          !(archived && fields.exclude_archived === "true") &&
          (type === "channel" || members.has(app.botUserId)),
      );
      const from = Number(fields.cursor || 0);
      const limit = Number(fields.limit ?? 100);
      const next = from + limit < open.length ? String(from + limit) : "";
      return {
        channels: open.slice(from, from + limit).map((channel) => ({
          ...described(channel),
          is_member: channel.members.has(app.botUserId),
        })),
        response_metadata: { next_cursor: next },
      };
    },
  },
  "conversations.info": {
    scope: "channels:read",
    run: (call) => ({ channel: described(channelOf(call)) }),
  },
  "conversations.open": {
    scope: "im:write",
    run: ({ workspace, app, fields }) => {
      if (!workspace.users.has(String(fields.users))) throw new SlackRefusal("user_not_found");
      return { channel: described(workspace.direct(String(fields.users), app.botUserId)) };
    },
  },
  "conversations.history": {
    run: (call) => {
      const channel = readableChannel(call);
      // Answers in threads are not in the history of their channel.
      const roots = [...channel.messages.values()].filter(
        ({ ts, thread_ts, subtype }) =>
          thread_ts === undefined || thread_ts === ts || subtype === "thread_broadcast",
      );
      const messages = roots.filter(({ ts }) => Number(ts) > Number(call.fields.oldest ?? 0)).reverse();
      const limit = Number(call.fields.limit ?? 100);
      return {
        messages: messages.slice(0, limit).map((message) => shown(call, message)),
        has_more: messages.length > limit,
      };
    },
  },
  "conversations.replies": {
    run: (call) => {
      const channel = readableChannel(call);
      const root = String(call.fields.ts);
      if (!channel.messages.has(root)) throw new SlackRefusal("thread_not_found");
      const oldest = Number(call.fields.oldest ?? 0);
      const all = [...channel.messages.values()].filter(
        ({ ts, thread_ts }) => ts === root || (thread_ts === root && Number(ts) > oldest),
      );
      const from = Number(call.fields.cursor || 0);
      const limit = Number(call.fields.limit ?? 100);
      const has_more = from + limit < all.length;
      return {
        messages: all.slice(from, from + limit).map((message) => shown(call, message)),
        has_more,
        ...(has_more && { response_metadata: { next_cursor: String(from + limit) } }),
      };
    },
  },
  "users.info": {
    scope: "users:read",
    run: ({ workspace, fields }) => {
      const user = workspace.users.get(String(fields.user));
      if (!user) throw new SlackRefusal("user_not_found");
      return { user: { ...user, profile: { display_name: user.real_name, real_name: user.real_name } } };
    },
  },
  "files.info": {
    scope: "files:read",
    run: ({ workspace, fields }) => {
      const stored = workspace.files.get(String(fields.file));
      if (!stored) throw new SlackRefusal("file_not_found");
      return { file: stored.file };
    },
  },
  "files.getUploadURLExternal": {
    scope: "files:write",
    run: ({ workspace, fields, origin }) => {
      const length = Number(fields.length);
      if (!fields.filename || !(length > 0)) throw new SlackRefusal("invalid_arguments");
      const id = workspace.nextId("F");
      const name = String(fields.filename);
      const url = `${origin}/files-pri/${workspace.teamId}-${id}/${encodeURIComponent(name)}`;
      const mimetype = "application/octet-stream";
      const file = { id, name, mimetype, size: length, url_private: url, url_private_download: url };
      workspace.files.set(id, { file, bytes: null, shared: false });
      return { upload_url: `${origin}/upload/v1/${id}`, file_id: id };
    },
  },
  "files.completeUploadExternal": {
    scope: "files:write",
    run: (call) => {
      const wanted = jsonOf(call.fields.files) as { id: string; title?: string }[];
      const stored = wanted.map(({ id }) => {
        const found = call.workspace.files.get(id);
        if (!found?.bytes) throw new SlackRefusal("file_not_found");
        return found;
      });
      if (call.fields.channel_id === undefined) return { files: stored.map(({ file }) => file) };
      const channel = writableChannel({
        ...call,
        fields: { ...call.fields, channel: call.fields.channel_id },
      });
      for (const one of stored) one.shared = true;
      postAs(call, channel, {
        subtype: "file_share",
        text: String(call.fields.initial_comment ?? ""),
        files: stored.map(({ file }) => file),
        ...threadOf(call, channel),
      });
      return { files: stored.map(({ file }) => file) };
    },
  },
  "assistant.threads.setStatus": {
    scope: "chat:write",
    run: (call) => {
      channelOf({ ...call, fields: { channel: call.fields.channel_id } });
      if (typeof call.fields.thread_ts !== "string") throw new SlackRefusal("invalid_arguments");
      return {};
    },
  },
};

const listScopes: Record<string, string> = {
  public_channel: "channels:read",
  private_channel: "groups:read",
};

/** Metadata is shown only to those who ask for it and may read it. */
function shown({ fields, app }: SlackCall, message: SlackMessage): Partial<SlackMessage> {
  const { metadata, ...rest } = message;
  const asked = String(fields.include_all_metadata) === "true" || String(fields.include_all_metadata) === "1";
  const may = app.scopes.includes("metadata.message:read");
  return { ...rest, ...(metadata && asked && may && { metadata }) };
}

function metadataOf(fields: Record<string, unknown>): SlackMessage["metadata"] {
  if (fields.metadata === undefined) return undefined;
  const metadata = jsonOf(fields.metadata) as SlackMessage["metadata"];
  if (typeof metadata?.event_type !== "string" || typeof metadata.event_payload !== "object") {
    throw new SlackRefusal("invalid_metadata_format");
  }
  return metadata;
}

const historyScopes = {
  im: "im:history",
  mpim: "mpim:history",
  channel: "channels:history",
  group: "groups:history",
};

function readableChannel(call: SlackCall): SlackChannel {
  const channel = channelOf(call);
  const needed = historyScopes[channel.type];
  const { scopes, botUserId } = call.app;
  if (!scopes.includes(needed))
    throw new SlackRefusal("missing_scope", { needed, provided: scopes.join(",") });
  if (!channel.members.has(botUserId)) throw new SlackRefusal("not_in_channel");
  return channel;
}

function postAs(call: SlackCall, channel: SlackChannel, fields: Partial<SlackMessage>): SlackMessage {
  const { botUserId: user, botId: bot_id, appId: app_id } = call.app;
  const message = call.workspace.post(channel, { user, bot_id, app_id, text: "", ...fields });
  if (message.thread_ts !== undefined) {
    const parent = channel.messages.get(message.thread_ts)?.user;
    if (parent !== undefined) message.parent_user_id = parent;
  }
  call.emit({ type: "message", channel: channel.id, channel_type: channel.type, ...message });
  return message;
}

function channelOf({ workspace, fields }: SlackCall): SlackChannel {
  const channel = workspace.channels.get(String(fields.channel));
  if (!channel) throw new SlackRefusal("channel_not_found");
  return channel;
}

function writableChannel(call: SlackCall): SlackChannel {
  const { workspace, app, fields } = call;
  // A user's id opens the direct conversation with them.
  const user = workspace.users.get(String(fields.channel));
  if (user) return workspace.direct(user.id, app.botUserId);
  const channel = channelOf(call);
  if (channel.archived) throw new SlackRefusal("is_archived");
  if (!channel.members.has(app.botUserId)) throw new SlackRefusal("not_in_channel");
  return channel;
}

function threadOf({ fields }: SlackCall, channel: SlackChannel): { thread_ts?: string } {
  if (fields.thread_ts === undefined) return {};
  const ts = String(fields.thread_ts);
  const root = channel.messages.get(ts);
  if (root) root.thread_ts ??= ts;
  return { thread_ts: ts };
}

function ownMessage({ app, fields }: SlackCall, channel: SlackChannel): SlackMessage {
  const message = channel.messages.get(String(fields.ts));
  if (!message) throw new SlackRefusal("message_not_found");
  if (message.bot_id !== app.botId) throw new SlackRefusal("cant_update_message");
  return message;
}

function textOf(fields: Record<string, unknown>, blocks: SlackBlock[] | undefined): string {
  const text = String(fields.text ?? fields.markdown_text ?? "");
  if (text === "" && !blocks) throw new SlackRefusal("no_text");
  if (fields.markdown_text !== undefined && text.length > markdownLimit)
    throw new SlackRefusal("msg_too_long");
  if (text.length > messageLimit) throw new SlackRefusal("msg_too_long");
  return text;
}

function blocksOf(fields: Record<string, unknown>): SlackBlock[] | undefined {
  if (fields.blocks === undefined) return undefined;
  const blocks = jsonOf(fields.blocks) as SlackBlock[];
  if (!Array.isArray(blocks) || blocks.length > 50) throw new SlackRefusal("invalid_blocks");
  for (const block of blocks) {
    if (block.type === "section" && (block.text?.text.length ?? 0) > sectionLimit) {
      throw new SlackRefusal("invalid_blocks");
    }
    for (const element of block.elements ?? []) {
      if (element.type !== "button") continue;
      const bad =
        (element.text?.text.length ?? 0) > 75 ||
        (element.value?.length ?? 0) > 2000 ||
        (element.action_id?.length ?? 0) > 255;
      if (bad) throw new SlackRefusal("invalid_blocks");
    }
    if ((block.elements?.length ?? 0) > 25) throw new SlackRefusal("invalid_blocks");
  }
  return blocks.length > 0 ? blocks : undefined;
}

function jsonOf(value: unknown): unknown {
  try {
    return typeof value === "string" ? JSON.parse(value) : value;
  } catch {
    throw new SlackRefusal("invalid_arguments");
  }
}

function described({ id, type, name, archived }: SlackChannel) {
  return {
    id,
    name,
    is_im: type === "im",
    is_mpim: type === "mpim",
    is_private: type === "group",
    is_archived: archived,
  };
}
