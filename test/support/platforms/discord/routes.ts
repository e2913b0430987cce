import type { PlatformAnswer, UploadedFile } from "../http.ts";
import type { DiscordButton, DiscordChannel, DiscordGuilds, DiscordMessage, DiscordUser } from "./guilds.ts";
import type { DiscordCommand, Interactions } from "./interactions.ts";

/** An error of the REST API. */
export class DiscordRefusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly errors: unknown;

  constructor(status: number, code: number, message: string, errors?: unknown) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

export interface RestCall {
  guilds: DiscordGuilds;
  bot: DiscordUser;
  applicationId: string;
  /** Bits of the application's flags that grant privileged intents. */
  applicationFlags: number;
  interactions: Interactions;
  gatewayUrl: string;
  /** What the bot's roles allow on the guild, as a number; null: it was not invited. */
  botPermissions: string | null;
  /** Milliseconds for which a nonce is remembered. */
  nonceMs: number;
  origin: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  files: Map<string, UploadedFile>;
  dispatch(event: string, data: unknown): void;
}

interface Route {
  method: string;
  path: RegExp;
  run(call: RestCall, ...ids: string[]): PlatformAnswer;
}

const contentLimit = 2000;
const fileLimit = 10 * 1024 * 1024;
const id = "(\\d+)";

export const routes: Route[] = [
  route("GET", "/gateway/bot", ({ gatewayUrl }) =>
    json({
      url: gatewayUrl,
      shards: 1,
      session_start_limit: { total: 1000, remaining: 999, reset_after: 14_400_000, max_concurrency: 1 },
    }),
  ),
  route("GET", "/users/@me", ({ bot }) => json(bot)),
  route("GET", "/users/@me/guilds", ({ guilds, botPermissions }) => {
    const { guildId: guild } = guilds;
    const told = { id: guild, name: "Example guild", icon: null, owner: false, features: [] };
    return json(botPermissions === null ? [] : [{ ...told, permissions: botPermissions }]);
  }),
  route("GET", `/guilds/${id}/channels`, ({ guilds, botPermissions }, guild) => {
    if (guild !== guilds.guildId || botPermissions === null)
      throw new DiscordRefusal(404, 10004, "Unknown Guild");
    return json([...guilds.channels.values()].filter(({ type }) => type === 0).map((one) => one.describe()));
  }),
  route("GET", "/applications/@me", ({ bot, applicationId, applicationFlags }) =>
    json({ id: applicationId, name: bot.username, flags: applicationFlags, bot }),
  ),
  route("PUT", `/applications/${id}/commands`, ({ interactions, body }) => {
    const commands = Object.values(body) as DiscordCommand[];
    for (const { name, description, description_localizations: localized } of commands) {
      if (!/^[-_\p{L}\p{N}]{1,32}$/u.test(name)) throw invalid("name", "APPLICATION_COMMAND_INVALID_NAME");
      if (!description || description.length > 100) throw invalid("description", "BASE_TYPE_BAD_LENGTH");
      for (const text of Object.values(localized ?? {}))
        if (!text || text.length > 100) throw invalid("description_localizations", "BASE_TYPE_BAD_LENGTH");
    }
    interactions.commands = commands;
    return json(commands);
  }),
  route("POST", "/users/@me/channels", ({ guilds, body }) => {
    const user = guilds.users.get(String(body.recipient_id));
    if (!user) throw invalid("recipient_id", "USER_INVALID");
    return json(guilds.direct(user).describe());
  }),
  route("GET", `/channels/${id}`, (call, channel) => json(channelOf(call, channel).describe())),
  route("GET", `/channels/${id}/messages`, (call, channelId) => {
    const channel = channelOf(call, channelId);
    const after = BigInt(call.query.get("after") ?? "0");
    const limit = Number(call.query.get("limit") ?? 50);
    const later = [...channel.messages.values()].filter((message) => BigInt(message.id) > after);
    // Nonces are told when a message is made, and never again.
    const shown = later.slice(0, limit).map(({ nonce: _, ...message }) => message);
    return json(shown.reverse());
  }),
  route("GET", `/channels/${id}/messages/${id}`, (call, channelId, messageId) => {
    const message = channelOf(call, channelId).messages.get(messageId ?? "");
    if (!message) throw new DiscordRefusal(404, 10008, "Unknown Message");
    const attachments = message.attachments.map((file) => ({ ...file, ...addressOf(call, file) }));
    const { nonce: _, ...shown } = message;
    return json({ ...shown, attachments });
  }),
  route("POST", `/channels/${id}/messages`, (call, channelId) => {
    const channel = channelOf(call, channelId);
    if (channel.shut) throw new DiscordRefusal(channel.shut.status, channel.shut.code, channel.shut.message);
    const { nonce } = call.body;
    if (nonce !== undefined && String(nonce).length > 25) throw invalid("nonce", "NONCE_TYPE_TOO_LONG");
    if (nonce !== undefined && call.body.enforce_nonce === true) {
      // "In the past few minutes": after that a nonce may be used again.
      const same = [...channel.messages.values()].find(
        (message) =>
          message.nonce === String(nonce) && Date.now() - Date.parse(message.timestamp) < call.nonceMs,
      );
      if (same) return json(same);
    }
    const message = call.guilds.post(channel, {
      author: call.bot,
      ...contentOf(call),
      ...referenceOf(call, channel),
      ...(nonce !== undefined && { nonce: String(nonce) }),
    });
    call.dispatch("MESSAGE_CREATE", call.guilds.dispatched(channel, message));
    return json(message);
  }),
  route("PATCH", `/channels/${id}/messages/${id}`, (call, channelId, messageId) => {
    const channel = channelOf(call, channelId);
    const message = channel.messages.get(messageId ?? "");
    if (!message) throw new DiscordRefusal(404, 10008, "Unknown Message");
    if (message.author.id !== call.bot.id) {
      throw new DiscordRefusal(403, 50005, "Cannot edit a message authored by another user");
    }
    Object.assign(message, contentOf(call), { edited_timestamp: new Date().toISOString() });
    call.dispatch("MESSAGE_UPDATE", call.guilds.dispatched(channel, message));
    return json(message);
  }),
  route("DELETE", `/channels/${id}/messages/${id}`, (call, channelId, messageId) => {
    if (!channelOf(call, channelId).messages.delete(messageId ?? "")) {
      throw new DiscordRefusal(404, 10008, "Unknown Message");
    }
    return { status: 204 };
  }),
  route("POST", `/channels/${id}/typing`, (call, channelId) => {
    channelOf(call, channelId).typed += 1;
    return { status: 204 };
  }),
  route(
    "PUT",
    `/channels/${id}/messages/${id}/reactions/([^/]+)/@me`,
    (call, channelId, messageId, emoji) => {
      const message = reactedOn(call, channelId, messageId);
      const name = decodeURIComponent(emoji ?? "");
      message.reactions = [...others(message, name), { count: 1, me: true, emoji: { id: null, name } }];
      return { status: 204 };
    },
  ),
  route(
    "DELETE",
    `/channels/${id}/messages/${id}/reactions/([^/]+)/@me`,
    (call, channelId, messageId, emoji) => {
      const message = reactedOn(call, channelId, messageId);
      message.reactions = others(message, decodeURIComponent(emoji ?? ""));
      return { status: 204 };
    },
  ),
  route("POST", `/interactions/${id}/([\\w-]+)/callback`, (call, interactionId, token) => {
    call.interactions.answer(interactionId ?? "", token ?? "", call.body);
    return { status: 204 };
  }),
  route("PATCH", `/webhooks/${id}/([\\w-]+)/messages/@original`, (call, _application, token) => {
    const { content } = contentOf(call);
    return json(call.interactions.edit(token ?? "", content));
  }),
  route("POST", `/webhooks/${id}/([\\w-]+)`, (call, _application, token) => {
    const { content } = contentOf(call);
    return json(call.interactions.follow(token ?? "", content));
  }),
];

function route(method: string, path: string, run: Route["run"]): Route {
  return { method, path: new RegExp(`^${path}$`), run };
}

function json(body: unknown): PlatformAnswer {
  return { status: 200, body };
}

function channelOf({ guilds }: RestCall, channelId: string | undefined): DiscordChannel {
  const channel = guilds.channels.get(channelId ?? "");
  if (!channel) throw new DiscordRefusal(404, 10003, "Unknown Channel");
  return channel;
}

function reactedOn(call: RestCall, channelId?: string, messageId?: string): DiscordMessage {
  const channel = channelOf(call, channelId);
  if (channel.shut) throw new DiscordRefusal(channel.shut.status, channel.shut.code, channel.shut.message);
  const message = channel.messages.get(messageId ?? "");
  if (!message) throw new DiscordRefusal(404, 10008, "Unknown Message");
  return message;
}

function others({ reactions = [] }: DiscordMessage, name: string) {
  return reactions.filter(({ emoji }) => emoji.name !== name);
}

function invalid(field: string, code: string, message = "Invalid form body"): DiscordRefusal {
  return new DiscordRefusal(400, 50035, "Invalid Form Body", { [field]: { _errors: [{ code, message }] } });
}

function contentOf(call: RestCall): Pick<DiscordMessage, "content"> & Partial<DiscordMessage> {
  const content = String(call.body.content ?? "");
  if ([...content].length > contentLimit) {
    throw invalid("content", "BASE_TYPE_MAX_LENGTH", `Must be ${contentLimit} or fewer in length.`);
  }
  const attachments = [...call.files.values()].map((file) => {
    if (file.bytes.length > fileLimit) throw new DiscordRefusal(413, 40005, "Request entity too large");
    return storeFile(call.guilds, call.origin, file);
  });
  const components = call.body.components as DiscordMessage["components"];
  if (content === "" && attachments.length === 0 && !components?.length) {
    throw new DiscordRefusal(400, 50006, "Cannot send an empty message");
  }
  for (const row of components ?? []) checkRow(row.components);
  const flags = Number(call.body.flags ?? 0);
  if ((flags & VOICE_MESSAGE) !== 0) {
    if (call.guilds.noVoiceMessages)
      throw new DiscordRefusal(403, 50173, "Cannot send voice messages in this channel");
    const [told] = (call.body.attachments ?? []) as { duration_secs?: number; waveform?: string }[];
    const [only, ...more] = attachments;
    if (content !== "" || !only || more.length > 0)
      throw new DiscordRefusal(400, 50161, "Voice messages must have a single audio attachment.");
    if (typeof told?.duration_secs !== "number" || typeof told.waveform !== "string")
      throw new DiscordRefusal(400, 50162, "Voice messages must have supporting metadata.");
    return {
      content,
      flags,
      attachments: [{ ...only, duration_secs: told.duration_secs, waveform: told.waveform }],
    };
  }
  return { content, ...(attachments.length > 0 && { attachments }), ...(components && { components }) };
}

const VOICE_MESSAGE = 8192;

function checkRow(buttons: DiscordButton[]): void {
  if (buttons.length < 1 || buttons.length > 5) throw invalid("components", "BASE_TYPE_BAD_LENGTH");
  for (const { custom_id, label } of buttons) {
    if (custom_id.length < 1 || custom_id.length > 100) throw invalid("custom_id", "BASE_TYPE_BAD_LENGTH");
    if (label.length > 80) throw invalid("label", "BASE_TYPE_BAD_LENGTH");
  }
}

function referenceOf(call: RestCall, channel: DiscordChannel): Partial<DiscordMessage> {
  const reference = call.body.message_reference as
    | { message_id?: string; fail_if_not_exists?: boolean }
    | undefined;
  if (reference?.message_id === undefined) return {};
  const original = channel.messages.get(reference.message_id);
  if (original) {
    const message_reference = { message_id: original.id, channel_id: channel.id };
    return { message_reference, referenced_message: original };
  }
  if (reference.fail_if_not_exists !== false) throw invalid("message_reference", "REPLIES_UNKNOWN_MESSAGE");
  return {};
}

/** Stores a file so that the CDN can deliver it. */
export function storeFile(
  guilds: DiscordGuilds,
  origin: string,
  { name, type, bytes }: { name: string; type: string; bytes: Buffer },
) {
  const fileId = guilds.ids.next();
  guilds.files.set(fileId, { name, type, bytes, signature: 1 });
  const file = { id: fileId, filename: name, size: bytes.length, content_type: type };
  return { ...file, ...addressOf({ guilds, origin }, file) };
}

/** The present address of a file, which expires. */
function addressOf(
  { guilds, origin }: Pick<RestCall, "guilds" | "origin">,
  { id: fileId, filename }: { id: string; filename: string },
): { url: string; proxy_url: string } {
  const signature = guilds.files.get(fileId)?.signature ?? 0;
  const url = `${origin}/attachments/1/${fileId}/${encodeURIComponent(filename)}?ex=1&is=1&hm=${signature}`;
  return { url, proxy_url: url };
}
