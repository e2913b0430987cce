import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TelegramPerson } from "../support/platforms/telegram/person.ts";
import { type InProcess, type InProcessOptions, until } from "./in-process.ts";
import { type TelegramWithAda, telegramIn, telegramWithAda, token } from "./telegram-in-process.ts";

let server: TelegramWithAda["server"];
let bot: TelegramWithAda["bot"];
let ada: TelegramWithAda["ada"];

beforeEach(async () => {
  ({ server, bot, ada } = await telegramWithAda());
});
afterEach(() => server[Symbol.asyncDispose]());

const open = (more: Record<string, unknown> = {}, options: InProcessOptions = {}) =>
  telegramIn(server, more, options);

const texts = () => ada.sees().map(({ text }) => text);
const shows = (text: string) => until(`Ada sees "${text}"`, () => texts().some((seen) => seen === text));
const file = (name: string, bytes: Buffer, as: "document" | "photo" = "document") => ({
  name,
  type: "text/plain",
  bytes,
  as,
});

test("files come in as bytes; an album is one message; what is too large is told", async () => {
  await using channel = await open();
  ada.says(bot, "read this", { file: file("notes.txt", Buffer.from("the notes")) });
  await shows("re: read this");
  const [attachment] = channel.asked[0]?.attachments ?? [];
  expect(attachment).toMatchObject({ name: "notes.txt", mimeType: "text/plain" });
  expect(Buffer.from(attachment?.data ?? "", "base64").toString()).toBe("the notes");

  ada.says(bot, "three", { file: file("a.jpg", Buffer.from("1"), "photo"), album: "album" });
  ada.says(bot, "", { file: file("b.jpg", Buffer.from("2"), "photo"), album: "album" });
  await shows("re: three");
  expect(channel.asked[1]?.attachments?.length).toBe(2);

  ada.says(bot, "huge", { file: file("film.bin", Buffer.alloc(21 * 1024 * 1024)) });
  await until("it is asked", () => channel.asked.some(({ text }) => text.startsWith("huge")));
  expect(channel.asked.at(-1)?.text).toContain("film.bin: larger than the 20 MB");
  expect(channel.words).not.toContain(token);
});

test("files go out as picture or document, and a refusal is told in the conversation", async () => {
  const data = Buffer.from("bytes").toString("base64");
  const attachments = [
    { name: "chart.png", mimeType: "image/png", data },
    { name: "table.csv", mimeType: "text/csv", data },
  ];
  await using channel = await open(
    {},
    { prompt: async () => ({ sessionId: "s", text: "here", attachments }) },
  );
  ada.says(bot, "send");
  await until("all is there", () => ada.sees().length === 3);
  expect(ada.sees().map((message) => ["photo", "document", "text"].find((kind) => message[kind]))).toEqual([
    "text",
    "photo",
    "document",
  ]);
  const body = { ok: false, error_code: 400, description: "Bad Request: PHOTO_INVALID_DIMENSIONS" };
  server.fail("sendPhoto", { status: 400, body });
  ada.says(bot, "again");
  await until("all is there", () => ada.sees().length === 6);
  // What Telegram does not take as a picture goes as a document.
  expect(ada.sees()[4]).toHaveProperty("document.file_name", "chart.png");
  const gone = { ok: false, error_code: 400, description: "Bad Request: FILE_PARTS_INVALID" };
  server.fail("sendPhoto", { status: 400, body: gone });
  ada.says(bot, "once more");
  await until("all is there", () => ada.sees().length === 9);
  expect(texts()).toContain("(chart.png: Telegram refused it: FILE_PARTS_INVALID)");
  expect(channel.error).toBeNull();
});

/** The header of a PNG of this size; nothing of a picture. */
function png(width: number, height: number): string {
  const bytes = Buffer.alloc(32);
  bytes.writeUInt32BE(0x89504e47, 0);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString("base64");
}

test("pictures over Telegram's dimensions go as documents, without being tried as pictures", async () => {
  const sizes = [
    [5_000, 5_000],
    [5_001, 5_000],
    [2_000, 100],
    [2_001, 100],
    [100, 2_001],
  ] as const;
  const attachments = sizes.map(([width, height]) => ({
    name: `${width}x${height}.png`,
    mimeType: "image/png",
    data: png(width, height),
  }));
  await using channel = await open(
    {},
    { prompt: async () => ({ sessionId: "s", text: "here", attachments }) },
  );
  ada.says(bot, "send");
  await until("all is there", () => ada.sees().length === 6);
  const kinds = ada.sees().map((message) => ["photo", "document"].find((kind) => message[kind]) ?? "text");
  expect(kinds).toEqual(["text", "photo", "document", "photo", "document", "document"]);
  expect(server.callsOf("sendPhoto")).toHaveLength(2);
  expect(channel.error).toBeNull();
});

test("the owner decides by a button; a stranger's press and a late one decide nothing", async () => {
  await using channel = await open({ users: ["12"] });
  ada.says(bot, "hello");
  await shows("re: hello");
  channel.ask({ tool: "shell", arguments: '{"command":"ls <dir>"}' });
  await until("it is asked", () => channel.state.sent === 2);
  const [, asking] = ada.sees();
  if (!asking) throw new Error("Nothing was asked.");
  expect(asking.text).toContain('shell (request 7).\n{"command":"ls <dir>"}');
  const bea = new TelegramPerson(server, { id: 12 });
  const press = bea.presses(bot, asking, "Allow");
  await until("it is answered", () => bot.callbacks.get(press)?.answered === true);
  expect([bot.callbacks.get(press)?.text, channel.decided]).toEqual(["Only the owner may decide this.", []]);
  ada.presses(bot, asking, "Refuse", true);
  await until("it is settled", () => texts()[1]?.includes("refused") === true);
  expect(channel.decided).toEqual(["7 refuse 11"]);
  expect(ada.sees()[1]?.reply_markup).toBeUndefined();
});

test("bots, edits and empty messages are not answered, and Start is greeted with the commands", async () => {
  await using channel = await open({ everyone: true });
  const robot = new TelegramPerson(server, { id: 99, is_bot: true });
  robot.says(bot, "I am a bot");
  const message = ada.says(bot, "   ");
  ada.edits(bot, message, "changed");
  ada.reacts(bot, message, "👍");
  ada.says(bot, "/start abc");
  await shows("re: /help");
  expect(channel.asked.map(({ text }) => text)).toEqual(["/help"]);
  expect(bot.commandsIn.get("")?.map(({ command }) => command)).toContain("new");
});

test("the menu of commands is German for those who use Telegram in German", async () => {
  await using channel = await open({});
  await channel.connected();
  await until("both menus are there", () => bot.commandsIn.size === 2);
  const [all = [], german = []] = [bot.commandsIn.get(""), bot.commandsIn.get("de")];
  expect(german.map(({ command }) => command)).toEqual(all.map(({ command }) => command));
  expect(all).toContainEqual({ command: "help", description: "What can be typed here" });
  expect(german).toContainEqual({ command: "help", description: "Was man hier eingeben kann" });
});

test("other bots are answered a few times if they are listed, then when a person has written", async () => {
  const robot = new TelegramPerson(server, { id: 99, name: "Robot", is_bot: true });
  const team = ada.group(bot, { id: -1001, title: "Team" });
  await using channel = await open({ groups: ["-1001"], users: ["99"], botExchanges: 2 });
  await channel.connected();
  const enough = "I have answered Robot 2 times without a person between. I go on when a person writes here.";
  for (const round of [1, 2]) {
    for (const word of ["one", "two", "three", "four"])
      robot.says(bot, `@helper_bot ${word} ${round}`, { room: team });
    ada.says(bot, "so much talk", { room: team });
    await until("it is said", () => ada.sees(team).filter(({ text }) => text === enough).length === round);
    await until(
      "Ada is answered",
      () => ada.sees(team).filter(({ text }) => text === "re: so much talk").length === round,
    );
  }
  expect(channel.asked.map(({ text }) => text)).toEqual([
    "one 1",
    "two 1",
    "so much talk",
    "one 2",
    "two 2",
    "so much talk",
  ]);
});

test("what is forwarded and answered is told to the agent, and a forwarded command is none", async () => {
  await using channel = await open();
  const isAsked = (text: string) =>
    until(`it is asked "${text}"`, () => channel.asked.some((one) => one.text === text));
  const other = new TelegramPerson(server, { id: 12, name: "Bea" });
  const question = other.says(bot, "when do\nwe meet?", { room: ada.direct });
  ada.says(bot, "What do I say?", { replyTo: question.message_id });
  await isAsked("> when do\n> we meet?\n\nWhat do I say?");
  await until("it is answered", () => ada.sees().length === 1);
  const answer = ada.sees().at(-1);
  ada.says(bot, "Why?", { replyTo: answer?.message_id ?? 0 });
  await isAsked("Why?");
  for (const [origin, from] of [
    [{ type: "user", sender_user: { first_name: "Bea", last_name: "B." } }, "Bea B."],
    [{ type: "hidden_user", sender_user_name: "Somebody" }, "Somebody"],
    [{ type: "channel", chat: { title: "News" } }, "News"],
  ] as const) {
    ada.says(bot, "/new", { forwarded: origin });
    await isAsked(`[Forwarded from ${from}]\n/new`);
  }
  ada.says(bot, "/help", { replyTo: question.message_id });
  await isAsked("/help");
  expect(channel.error).toBeNull();
});

test("a group may be named by either id after it became a supergroup, and others are shown with theirs", async () => {
  await using channel = await open({ groups: ["-1005"], groupsOnlyListed: false });
  const team = ada.group(bot, { id: -5, title: "Team", type: "group" });
  const other = ada.group(bot, { id: -77, title: "Other" });
  ada.says(bot, "@helper_bot hello", { room: other });
  const next = ada.upgrades(bot, team, -1005);
  ada.says(bot, "@helper_bot hello", { room: next });
  await until("it is answered", () => ada.sees(next).length === 1);
  await until("the other is shown", () => channel.state.otherGroups === "Other (-77)");
  expect(ada.sees(other)).toEqual([]);
});

test("an edit of what waits takes its place", async () => {
  const first = Promise.withResolvers<void>();
  await using channel = await open(
    {},
    {
      prompt: async ({ text }) => {
        if (text === "first") await first.promise;
        return { sessionId: "s", text: `re: ${text}` };
      },
    },
  );
  ada.says(bot, "first");
  await until("it is asked", () => channel.asked.length === 1);
  const second = ada.says(bot, "second");
  ada.edits(bot, second, "instead");
  await until("both are taken", () => bot.queue.length === 0);
  first.resolve();
  await shows("re: instead");
  expect(channel.asked.map(({ text }) => text)).toEqual(["first", "instead"]);
});

test("a message that waits is marked as seen, then as worked on, then not any more", async () => {
  const done = Promise.withResolvers<void>();
  await using channel = await open(
    {},
    {
      prompt: async ({ text }) => {
        await done.promise;
        return { sessionId: "s", text: `re: ${text}` };
      },
    },
  );
  ada.says(bot, "long");
  const emojis = () =>
    server.callsOf("setMessageReaction").map(({ fields }) => {
      const reaction = typeof fields.reaction === "string" ? JSON.parse(fields.reaction) : fields.reaction;
      return (reaction as { emoji: string }[]).map(({ emoji }) => emoji).join();
    });
  await until("it is worked on", () => emojis().includes("✍"));
  done.resolve();
  await shows("re: long");
  await until("the mark is gone", () => emojis().at(-1) === "");
  expect(channel.error).toBeNull();
});

test("a flood of 1,000 messages is answered in the order of each conversation", {
  timeout: 60_000,
}, async () => {
  const people = Array.from({ length: 10 }, (_, index) => new TelegramPerson(server, { id: 100 + index }));
  await using channel = await open({ everyone: true });
  for (let n = 0; n < 100; n += 1) for (const person of people) person.says(bot, `m${n}`);
  await until("all are answered", () => people.every((person) => person.sees().length === 100), 50_000);
  const expected = Array.from({ length: 100 }, (_, n) => `re: m${n}`);
  for (const person of people) expect(person.sees().map(({ text }) => text)).toEqual(expected);
  expect(channel.asked.length).toBe(1_000);
});

/** The way from the public address to the plugin, as the gateway is. */
async function publicAddress(channel: () => InProcess): Promise<{ server: Server; url: string }> {
  const gateway = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([k, v]) => [k, String(v)]));
    const answer = await channel().handle.handleWebhook?.({ headers, rawBody: Buffer.concat(chunks) });
    response.writeHead(answer?.status ?? 404).end();
  });
  gateway.listen(0, "127.0.0.1");
  await once(gateway, "listening");
  return { server: gateway, url: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/hook` };
}

test("by webhook: Telegram's secret is checked, a repeated body is answered once, a wrong one not at all", async () => {
  let running: InProcess | undefined;
  const gateway = await publicAddress(() => running as InProcess);
  await using channel = await open({ webhookUrl: gateway.url });
  running = channel;
  await channel.connected();
  expect(bot.webhook?.url).toBe(gateway.url);
  ada.says(bot, "by webhook");
  await shows("re: by webhook");
  bot.repeatLast();
  ada.says(bot, "after it");
  await shows("re: after it");
  expect(channel.asked.map(({ text }) => text)).toEqual(["by webhook", "after it"]);

  const post = async (secret: string | undefined, body: string) => {
    const headers = secret === undefined ? {} : { "x-telegram-bot-api-secret-token": secret };
    return (await fetch(gateway.url, { method: "POST", headers, body })).status;
  };
  const forged = JSON.stringify({
    update_id: 1,
    message: { message_id: 9, chat: { id: 11, type: "private" }, from: { id: 11 }, text: "forged" },
  });
  expect(await post("wrong", forged)).toBe(401);
  expect(await post(undefined, forged)).toBe(401);
  expect(await post(bot.webhook?.secret, "\xff not json")).toBe(400);
  expect(channel.asked.length).toBe(2);
  expect(server.callsOf("getUpdates")).toEqual([]);
  gateway.server.closeAllConnections();
  gateway.server.close();
});
