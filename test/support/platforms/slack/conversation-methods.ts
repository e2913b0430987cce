import { channelOf, type Method, readableChannel, type SlackCall, SlackRefusal } from "./call.ts";
import type { SlackChannel, SlackMessage } from "./workspace.ts";

/** Channels and direct conversations, and what was said in them. */
export const conversationMethods: Record<string, Method> = {
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
