import type { SlackApp, SlackChannel, SlackMessage, SlackWorkspace } from "./workspace.ts";

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

export interface Method {
  scope?: string;
  run(call: SlackCall): Record<string, unknown>;
}

const historyScopes = {
  im: "im:history",
  mpim: "mpim:history",
  channel: "channels:history",
  group: "groups:history",
};

export function channelOf({ workspace, fields }: SlackCall): SlackChannel {
  const channel = workspace.channels.get(String(fields.channel));
  if (!channel) throw new SlackRefusal("channel_not_found");
  return channel;
}

export function readableChannel(call: SlackCall): SlackChannel {
  const channel = channelOf(call);
  const needed = historyScopes[channel.type];
  const { scopes, botUserId } = call.app;
  if (!scopes.includes(needed))
    throw new SlackRefusal("missing_scope", { needed, provided: scopes.join(",") });
  if (!channel.members.has(botUserId)) throw new SlackRefusal("not_in_channel");
  return channel;
}

export function writableChannel(call: SlackCall): SlackChannel {
  const { workspace, app, fields } = call;
  // A user's id opens the direct conversation with them.
  const user = workspace.users.get(String(fields.channel));
  if (user) return workspace.direct(user.id, app.botUserId);
  const channel = channelOf(call);
  if (channel.archived) throw new SlackRefusal("is_archived");
  if (!channel.members.has(app.botUserId)) throw new SlackRefusal("not_in_channel");
  return channel;
}

export function threadOf({ fields }: SlackCall, channel: SlackChannel): { thread_ts?: string } {
  if (fields.thread_ts === undefined) return {};
  const ts = String(fields.thread_ts);
  const root = channel.messages.get(ts);
  if (root) root.thread_ts ??= ts;
  return { thread_ts: ts };
}

export function postAs(call: SlackCall, channel: SlackChannel, fields: Partial<SlackMessage>): SlackMessage {
  const { botUserId: user, botId: bot_id, appId: app_id } = call.app;
  const message = call.workspace.post(channel, { user, bot_id, app_id, text: "", ...fields });
  if (message.thread_ts !== undefined) {
    const parent = channel.messages.get(message.thread_ts)?.user;
    if (parent !== undefined) message.parent_user_id = parent;
  }
  call.emit({ type: "message", channel: channel.id, channel_type: channel.type, ...message });
  return message;
}

export function jsonOf(value: unknown): unknown {
  try {
    return typeof value === "string" ? JSON.parse(value) : value;
  } catch {
    throw new SlackRefusal("invalid_arguments");
  }
}
