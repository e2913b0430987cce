import { setTimeout as wait } from "node:timers/promises";
import { type ChannelClock, systemClock } from "@patchbay/plugin-sdk/channel";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type InProcessOptions, until } from "./in-process.ts";
import { type TelegramWithAda, telegramIn, telegramWithAda, token } from "./telegram-in-process.ts";

/** The rows of the fact sheet on what Telegram does when something goes wrong, beyond those of the other two files. */
let server: TelegramWithAda["server"];
let bot: TelegramWithAda["bot"];
let ada: TelegramWithAda["ada"];

beforeEach(async () => {
  ({ server, bot, ada } = await telegramWithAda());
});
afterEach(() => server[Symbol.asyncDispose]());

const open = (options: InProcessOptions = {}, clock?: ChannelClock) => telegramIn(server, {}, options, clock);

const texts = () => ada.sees().map(({ text }) => text);
const shows = (text: string) => until(`Ada sees "${text}"`, () => texts().some((seen) => seen === text));
const refusal = (code: number, description: string) => ({
  status: code,
  body: { ok: false, error_code: code, description },
});
const withFile: InProcessOptions = {
  prompt: async ({ text }) => ({
    sessionId: "s",
    text: `re: ${text}`,
    ...(text === "send" && {
      attachments: [{ name: "table.csv", mimeType: "text/csv", data: Buffer.from("a,b").toString("base64") }],
    }),
  }),
};

test.each([
  ["by the Bot API", refusal(413, "Request Entity Too Large")],
  [
    "by the server before it, as a page",
    { status: 413, body: "<html><h1>413 Request Entity Too Large</h1></html>" },
  ],
])("a file that is refused as too large %s is told, and what follows is not held up", async (_who, fault) => {
  server.fail("sendDocument", fault, Number.POSITIVE_INFINITY);
  await using channel = await open(withFile);
  ada.says(bot, "send");
  ada.says(bot, "go on");
  await shows("re: go on");
  expect(texts()[0]).toBe("re: send");
  expect(texts()[1]).toMatch(/^\(table\.csv: .*too large/i);
  expect(server.callsOf("sendDocument").length).toBe(1);
  expect(channel.error).toBeNull();
});

test.each([
  [refusal(400, "Bad Request: chat not found"), "Telegram knows no such chat, or the bot is not in it"],
  [refusal(403, "Forbidden: bot was blocked by the user"), "this person has blocked the bot"],
  [refusal(403, "Forbidden: user is deactivated"), "this person's account is deleted"],
  [
    refusal(403, "Forbidden: bot was kicked from the supergroup chat"),
    "the bot is not in this group any more; add it again",
  ],
  [
    refusal(400, "Bad Request: not enough rights to send text messages to the chat"),
    "the bot may not write in this group; make it an administrator, or let members write",
  ],
  [refusal(400, "Bad Request: TOPIC_CLOSED"), "the topic is closed"],
  [refusal(400, "Bad Request: something new"), "Telegram refused it: something new"],
])("a message that is refused with $body.description is told in a person's words", async (fault, words) => {
  server.fail("sendMessage", fault);
  await using channel = await open();
  const sent = await channel.handle.outbound?.send({ sessionId: "s", to: "11", text: "hello" });
  expect(sent).toEqual({ success: false, error: words });
});

test("a file whose upload is cut or limited arrives once all the same", async () => {
  server.fail("sendDocument", "cut");
  server.slowDown("sendDocument", 2);
  await using channel = await open(withFile);
  ada.says(bot, "send");
  await until("the file is there", () => ada.sees().some((message) => message.document !== undefined));
  await until("nothing waits", () => JSON.stringify(channel.state.queue) === '{"in":0,"out":0}');
  expect(ada.sees().filter((message) => message.document !== undefined)).toHaveLength(1);
});

test("a server that takes the connection and says nothing is asked again", async () => {
  server.fail("getMe", "hang");
  const base = systemClock(100);
  await using channel = await open({}, { ...base, limit: (ms, action) => base.limit(ms / 200, action) });
  await until("it is said", () => channel.error?.includes("then said nothing") === true);
  ada.says(bot, "still there?");
  await shows("re: still there?");
  await channel.connected();
});

test.each([
  ["its address is not a Bot API", refusal(404, "Not Found"), "no Bot API at this address"],
  ["it fails for a while", refusal(500, "Internal Server Error: restart"), "Telegram answered 500"],
])("while %s the person is told, and then it goes on", async (_what, fault, words) => {
  server.fail("getMe", fault, 3);
  await using channel = await open();
  await until("it is said", () => channel.error?.includes(words) === true);
  await channel.connected();
  expect(channel.error).toBeNull();
});

test("a file that breaks off on the way, or is not kept any more, is named to the agent", async () => {
  const file = (name: string) => ({
    name,
    type: "text/plain",
    bytes: Buffer.from("the notes"),
    as: "document" as const,
  });
  server.fail("file", "cut-after");
  await using channel = await open();
  ada.says(bot, "half", { file: file("half.txt") });
  await until("it is asked", () => channel.asked.length === 1);
  server.fail("file", { status: 404, body: refusal(404, "Not Found").body });
  ada.says(bot, "gone", { file: file("gone.txt") });
  await until("it is asked", () => channel.asked.length === 2);
  expect(channel.asked.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^half\n\[File not available: half\.txt: /),
    expect.stringMatching(/^gone\n\[File not available: gone\.txt: .*404/),
  ]);
  expect(channel.words).not.toContain(token);
});

test.each([
  ["is the same already", "message is not modified: exactly the same", 1],
  ["was deleted meanwhile", "message to edit not found", 2],
])("an answer whose draft %s stands there once", async (_what, description, messages) => {
  const goOn = Promise.withResolvers<void>();
  await using channel = await open({
    prompt: async ({ onDelta }) => {
      onDelta?.("begun");
      await goOn.promise;
      return { sessionId: "s", text: "begun, done" };
    },
  });
  ada.says(bot, "go");
  await until("the draft is shown", () => texts().length === 1);
  server.fail("editMessageText", refusal(400, `Bad Request: ${description}`));
  goOn.resolve();
  await until("it is sent", () => channel.state.sent === 1);
  expect(server.callsOf("sendMessage").length).toBe(messages);
  expect(texts().filter((text) => text === "begun, done").length).toBe(messages === 2 ? 1 : 0);
  expect(texts()).toHaveLength(1);
  expect(channel.error).toBeNull();
});

test("messages from clocks that go wrong by years are answered once each, in the order in which they came", async () => {
  await using channel = await open();
  const year = 365 * 24 * 60 * 60;
  for (const years of [-30, 20, 0]) {
    const message = ada.says(bot, `from ${years}`);
    Object.assign(message, { date: Math.floor(Date.now() / 1_000) + years * year });
  }
  await shows("re: from 0");
  await wait(50);
  expect(texts()).toEqual(["re: from -30", "re: from 20", "re: from 0"]);
  expect(channel.error).toBeNull();
});
