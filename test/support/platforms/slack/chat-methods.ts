import {
  channelOf,
  jsonOf,
  type Method,
  postAs,
  type SlackCall,
  SlackRefusal,
  threadOf,
  writableChannel,
} from "./call.ts";
import type { SlackBlock, SlackChannel, SlackMessage } from "./workspace.ts";

const messageLimit = 40_000;
/** `chat.update` takes fewer than `chat.postMessage`, and counts bytes of UTF-8. */
const updateLimit = 4_000;
const markdownLimit = 12_000;
const sectionLimit = 3_000;

/** Messages, their reactions, and the line that says what is being done. */
export const chatMethods: Record<string, Method> = {
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
  "assistant.threads.setStatus": {
    scope: "chat:write",
    run: (call) => {
      channelOf({ ...call, fields: { channel: call.fields.channel_id } });
      if (typeof call.fields.thread_ts !== "string") throw new SlackRefusal("invalid_arguments");
      return {};
    },
  },
};

function metadataOf(fields: Record<string, unknown>): SlackMessage["metadata"] {
  if (fields.metadata === undefined) return undefined;
  const metadata = jsonOf(fields.metadata) as SlackMessage["metadata"];
  if (typeof metadata?.event_type !== "string" || typeof metadata.event_payload !== "object") {
    throw new SlackRefusal("invalid_metadata_format");
  }
  return metadata;
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
