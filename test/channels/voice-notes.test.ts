import type { ChannelAgent, ChannelAttachment } from "@patchbay/plugin-sdk";
import { systemClock } from "@patchbay/plugin-sdk/channel";
import { xml } from "@xmpp/client";
import { afterEach, describe, expect, it, test } from "vitest";
import { startDiscord } from "../../plugins/discord/src/channel.ts";
import { settingsSchema as discordSettings } from "../../plugins/discord/src/settings.ts";
import irc from "../../plugins/irc/src/index.ts";
import { readEnvelope } from "../../plugins/signal/src/inbound.ts";
import { channelSchema as signalSettings } from "../../plugins/signal/src/settings.ts";
import { SignalTransport } from "../../plugins/signal/src/transport.ts";
import { envelopeSchema } from "../../plugins/signal/src/wire.ts";
import { inboundOf as slackInbound, messageSchema as slackMessage } from "../../plugins/slack/src/receive.ts";
import { startTelegram } from "../../plugins/telegram/src/channel.ts";
import { settingsSchema as telegramSettings } from "../../plugins/telegram/src/settings.ts";
import { readMessage as readWeChat } from "../../plugins/wechat/src/inbound.ts";
import { messageSchema as wechatMessage } from "../../plugins/wechat/src/wire.ts";
import { readMessage as readXmpp } from "../../plugins/xmpp/src/messages/inbound.ts";
import { RoomIds } from "../../plugins/xmpp/src/rooms/ids.ts";
import { Occupants } from "../../plugins/xmpp/src/rooms/occupants.ts";
import { DiscordPerson } from "../support/platforms/discord/person.ts";
import { DiscordServer } from "../support/platforms/discord/server.ts";
import { person } from "../support/platforms/signal/accounts.ts";
import { SignalServer } from "../support/platforms/signal/server.ts";
import { TelegramPerson } from "../support/platforms/telegram/person.ts";
import { TelegramServer } from "../support/platforms/telegram/server.ts";
import { discordToken } from "./discord-platform.ts";
import { InProcess, until } from "./in-process.ts";
import { ScriptedIrc } from "./irc/scripted-irc.ts";
import { memoryStorage } from "./transport-desk.ts";

const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

const bytes = Buffer.from("OggS and so on");
/** Answers everything in words and with a voice. */
const spoken = (file: Partial<ChannelAttachment> = {}): { prompt: ChannelAgent["prompt"] } => ({
  prompt: async ({ text }) => ({
    sessionId: "s",
    text: `re: ${text}`,
    attachments: [
      {
        name: "answer.ogg",
        mimeType: "audio/ogg",
        data: bytes.toString("base64"),
        voice: { seconds: 3.4 },
        ...file,
      },
    ],
  }),
});

describe("Telegram", () => {
  const token = `70010001:${"A".repeat(35)}`;

  async function open(options = spoken()) {
    const server = await TelegramServer.open();
    closing.push(server);
    const bot = server.addBot({ token, hearsEverything: true });
    const ada = new TelegramPerson(server, { id: 11, name: "Ada" });
    const settings = telegramSettings.parse({
      token,
      apiRoot: server.apiRoot,
      owners: ["11"],
      joinSeconds: 0,
    });
    const channel = await InProcess.start((ctx) => startTelegram(settings, ctx, systemClock(100)), options);
    closing.push(channel);
    await channel.connected();
    return { server, bot, ada, channel };
  }

  it("passes voice notes and video notes on as spoken, with their length, and a song as a song", async () => {
    const { bot, ada, channel } = await open();
    ada.says(bot, "", { file: { name: "v.oga", type: "audio/ogg", bytes, as: "voice", duration: 12 } });
    ada.says(bot, "", { file: { name: "n.mp4", type: "video/mp4", bytes, as: "video_note", duration: 5 } });
    ada.says(bot, "song", { file: { name: "song.ogg", type: "audio/ogg", bytes } });
    await until("all three were asked", () => channel.asked.length === 3);
    expect(channel.asked.map(({ attachments }) => attachments)).toMatchObject([
      [{ mimeType: "audio/ogg", voice: { seconds: 12 } }],
      [{ mimeType: "video/mp4", voice: { seconds: 5 } }],
      [{ name: "song.ogg" }],
    ]);
    expect(channel.asked[2]?.attachments?.[0]).not.toHaveProperty("voice");
  });

  it("sends a spoken answer as a voice note, after its text", async () => {
    const { bot, ada } = await open();
    ada.says(bot, "hello");
    await until("both are there", () => ada.sees().length === 2);
    expect(ada.sees()).toMatchObject([{ text: "re: hello" }, { voice: { duration: 3 } }]);
  });

  it("sends it as a file to somebody who lets nobody send them voice notes, and where the format is another", async () => {
    const { server, bot, ada } = await open();
    server.fail("sendVoice", {
      status: 400,
      body: { ok: false, error_code: 400, description: "Bad Request: VOICE_MESSAGES_FORBIDDEN" },
    });
    ada.says(bot, "hello");
    await until("both are there", () => ada.sees().length === 2);
    expect(ada.sees()[1]).toMatchObject({ document: { file_name: "answer.ogg" } });

    const other = await open(spoken({ name: "answer.wav", mimeType: "audio/wav", voice: {} }));
    other.ada.says(other.bot, "hello");
    await until("both are there", () => other.ada.sees().length === 2);
    expect(other.ada.sees()[1]).toMatchObject({ document: { file_name: "answer.wav" } });
  });
});

describe("Discord", () => {
  async function open(options = spoken()) {
    const server = await DiscordServer.open({ token: discordToken });
    closing.push(server);
    const ada = new DiscordPerson(server, "ada");
    const settings = discordSettings.parse({
      token: discordToken,
      apiUrl: server.apiUrl,
      owners: [ada.user.id],
      joinSeconds: 0,
    });
    const channel = await InProcess.start((ctx) => startDiscord(settings, ctx, systemClock(50)), options);
    closing.push(channel);
    await channel.connected();
    return { server, ada, channel };
  }

  it("passes a voice message on as spoken, and sends one as the answer", async () => {
    const { ada, channel } = await open();
    ada.says("", { files: [{ name: "voice-message.ogg", type: "audio/ogg", bytes }], voiceSeconds: 7.5 });
    await until("both are there", () => ada.sees().length === 2);
    expect(channel.asked[0]?.attachments).toMatchObject([{ voice: { seconds: 7.5 } }]);
    expect(ada.sees()[1]).toMatchObject({ flags: 8192, attachments: [{ duration_secs: 3.4 }] });
    ada.says("a file", { files: [{ name: "song.ogg", type: "audio/ogg", bytes }] });
    await until("it was asked", () => channel.asked.length === 2);
    expect(channel.asked[1]?.attachments?.[0]).not.toHaveProperty("voice");
  });

  it("sends a file where the bot may send no voice messages, and where the length is not known", async () => {
    const { server, ada } = await open();
    server.guilds.noVoiceMessages = true;
    ada.says("hello");
    await until("both are there", () => ada.sees().length === 2);
    expect(ada.sees()[1]).toMatchObject({ attachments: [{ filename: "answer.ogg" }] });
    expect(ada.sees()[1]).not.toHaveProperty("flags");
    const other = await open(spoken({ voice: {} }));
    other.ada.says("hello");
    await until("both are there", () => other.ada.sees().length === 2);
    expect(other.ada.sees()[1]).not.toHaveProperty("flags");
    expect(other.ada.sees()[1]).toMatchObject({ attachments: [{ filename: "answer.ogg" }] });
  });
});

test("Slack: clips that were recorded there are spoken, sound files are files", () => {
  const file = { id: "F1", mimetype: "audio/mp4", size: 3, url_private: "https://files.slack.com/a.m4a" };
  const read = (more: object) =>
    slackInbound(
      slackMessage.parse({
        type: "message",
        subtype: "file_share",
        channel: "D1",
        channel_type: "im",
        user: "U1",
        ts: "1.1",
        files: [{ ...file, ...more }],
      }),
      { userId: "UBOT", botId: "B1" },
    ).files;
  expect(read({ subtype: "slack_audio", duration_ms: 3_400 })).toMatchObject([{ voice: { seconds: 3.4 } }]);
  expect(read({ subtype: "slack_video" })).toMatchObject([{ voice: {} }]);
  expect(read({ duration_ms: 3_400 })?.[0]).not.toHaveProperty("voice");
});

test("Signal: what the bridge calls spoken is; from an older one, a sound without a name; one with a name is a file", () => {
  const read = (attachment: object) => {
    const envelope = envelopeSchema.parse({
      sourceUuid: "u-1",
      timestamp: 1,
      dataMessage: { timestamp: 1, message: null, attachments: [{ id: "a.m4a", size: 3, ...attachment }] },
    });
    return readEnvelope(envelope, { number: "+491", uuid: null, hasSent: () => false, isTheirs: () => true })
      ?.files?.[0];
  };
  expect(read({ contentType: "audio/aac", filename: null })).toMatchObject({ voice: {} });
  expect(read({ contentType: "audio/mpeg", filename: "song.mp3", isVoiceNote: true })).toMatchObject({
    voice: {},
  });
  for (const other of [
    { contentType: "audio/mpeg", filename: "song.mp3" },
    { contentType: "image/png", filename: null },
    { contentType: "audio/aac", filename: null, isVoiceNote: false },
  ])
    expect(read(other)).not.toHaveProperty("voice");
});

test("Signal: a spoken answer asks to be shown as a voice note, any other file does not", async () => {
  const server = await SignalServer.open();
  closing.push(server);
  const owner = person("Ada", "+491700000");
  server.addAccount(owner);
  const settings = signalSettings.parse({ server: server.origin, number: owner.number });
  const quiet = () => {};
  const logger = Object.assign(quiet, { debug: quiet, info: quiet, warn: quiet, error: quiet });
  const transport = new SignalTransport(settings, systemClock(50), memoryStorage(), logger);
  const sound = { name: "answer.ogg", mimeType: "audio/ogg", data: bytes.toString("base64") };
  const { uuid } = person("Olga", null);
  await transport.sendFile(uuid, { ...sound, voice: { seconds: 3 } });
  await transport.sendFile(uuid, sound);
  const sent = server.calls.filter(({ name }) => name === "POST /v2/send").map(({ body }) => body);
  expect(sent).toMatchObject([{ voice_note: true }, { base64_attachments: [expect.any(String)] }]);
  expect(sent[1]).not.toHaveProperty("voice_note");
});

test("WeChat: its own transcript counts as spoken; without one the sound is passed on", () => {
  const read = (voice_item: object) =>
    readWeChat(
      wechatMessage.parse({
        from_user_id: "olga@im.wechat",
        message_type: 1,
        message_id: "7",
        item_list: [{ type: 3, voice_item }],
      }),
      { find: () => null, odd: () => {} },
    );
  const media = { encrypt_query_param: "x", aes_key: "a2V5" };
  expect(read({ media, text: "spoken words", playtime: 3_400 })).toMatchObject({
    text: "[Voice note, 0:03, as WeChat understood it] spoken words",
    spoken: true,
  });
  expect(read({ media })).toMatchObject({ files: [{ mimeType: "audio/silk", voice: {} }] });
  expect(read({ media })).not.toHaveProperty("spoken");
});

test("XMPP: a sound file is spoken, as it has no other voice notes; a picture is not", () => {
  const around = {
    self: "ada@localhost",
    rooms: {
      has: () => false,
      nickIn: () => "ada",
      isOwnNick: () => false,
      occupants: new Occupants(() => false),
    },
    ids: new RoomIds(),
  };
  const read = (name: string) => {
    const address = `https://localhost/upload/${name}`;
    const attrs = { type: "chat", from: "olga@localhost/phone", id: "1" };
    const oob = xml("x", { xmlns: "jabber:x:oob" }, xml("url", {}, address));
    return readXmpp(xml("message", attrs, xml("body", {}, address), oob), around)?.files?.[0];
  };
  for (const name of ["a.m4a", "a.ogg", "a.oga", "a.opus", "a.mp3", "a.aac", "a.wav"])
    expect(read(name), name).toMatchObject({ voice: {} });
  expect(read("a.jpg")).not.toHaveProperty("voice");
});

test("IRC: the text of a spoken answer is all that is sent, without a word about the file", async () => {
  const server = await ScriptedIrc.open();
  closing.push(server);
  const { port } = server;
  const { channel } = irc.parseConfig({
    channel: {
      server: "127.0.0.1",
      port,
      encrypted: false,
      nick: "ada",
      owners: ["olga"],
      joinSeconds: 0,
      timeScale: 500,
    },
  });
  const bot = await InProcess.start((ctx) => irc.channel.start(channel, ctx), spoken());
  closing.push(bot);
  await bot.connected();
  for (const text of ["one", "two"]) server.say(`@account=olga :olga!o@host PRIVMSG ada :${text}`);
  await until("answered", () => server.said("olga").includes("re: two"));
  expect(server.said("olga")).toEqual(["re: one", "re: two"]);
});
