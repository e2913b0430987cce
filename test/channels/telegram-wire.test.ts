import { afterEach, beforeEach, expect, test } from "vitest";
import { TelegramPerson } from "../support/platforms/telegram/person.ts";
import { type InProcessOptions, until } from "./in-process.ts";
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

test("a second copy of the bot is named, and the channel goes on when it has gone", async () => {
  await using channel = await open();
  await channel.connected();
  const other = () =>
    fetch(`${server.apiRoot}/bot${token}/getUpdates?timeout=0`).then((answer) => answer.arrayBuffer());
  await until("the channel fetches", () => bot.poll !== null);
  await other();
  await until("it is said", () => channel.error?.includes("Another copy of this bot") === true);
  await channel.connected();
  ada.says(bot, "hello");
  await shows("re: hello");
  await until("nothing is wrong any more", () => channel.error === null);
});

test("a webhook that another program set is taken off", async () => {
  bot.webhook = { url: "http://127.0.0.1:9/elsewhere" };
  await using channel = await open();
  await channel.connected();
  ada.says(bot, "hello");
  await shows("re: hello");
  expect(bot.webhook).toBeNull();
});

test("a token that is revoked ends the polling and asks to sign in again", async () => {
  await using channel = await open();
  await until("the channel fetches", () => bot.poll !== null);
  bot.revoke();
  await until("it is refused", () => channel.state.status === "needs-login");
  expect(channel.credentialsRefused.at(-1)).toBe(true);
  expect(channel.error).toContain("@BotFather");
  expect(channel.words).not.toContain(token);
  const asked = server.calls.length;
  ada.says(bot, "anybody there?");
  expect(server.calls.length).toBe(asked);
});

test.each([
  [
    "a gateway that answers in HTML",
    () => server.fail("getUpdates", { status: 502, body: "<html>Bad Gateway</html>" }),
  ],
  ["a cut", () => server.fail("getUpdates", "cut")],
  ["too many requests", () => server.slowDown("getUpdates", 2)],
  [
    "an error of the server",
    () =>
      server.fail("getMe", {
        status: 500,
        body: { ok: false, error_code: 500, description: "Internal Server Error: restart" },
      }),
  ],
])("after %s the channel comes back and nothing is lost", async (_name, harm) => {
  harm();
  await using channel = await open();
  ada.says(bot, "still there?");
  await shows("re: still there?");
  await channel.connected();
  expect(channel.asked.length).toBe(1);
});

test("what is too much is sent once, after the time that Telegram gave", async () => {
  server.slowDown("sendMessage", 3, 2);
  await using channel = await open();
  ada.says(bot, "one");
  ada.says(bot, "two");
  await shows("re: two");
  expect(texts()).toEqual(["re: one", "re: two"]);
  expect(channel.error).toBeNull();
});

test("an answer whose request was cut is sent again rather than lost", async () => {
  server.fail("sendMessage", "cut");
  await using channel = await open();
  ada.says(bot, "hello");
  await shows("re: hello");
  expect(channel.asked.length).toBe(1);
});

test("markup becomes entities; what Telegram cannot read goes out as plain text", async () => {
  const prompt = async () => ({
    sessionId: "s",
    text: "**bold** `a<b` [x](https://example.com/?a=1&b=2)\n```ts\nx < y\n```",
  });
  await using channel = await open({}, { prompt });
  ada.says(bot, "format");
  await until("it is shown", () => texts().length === 1);
  const [message] = ada.sees();
  expect(message?.text).toBe("bold a<b x\nx < y");
  expect(message?.entities?.map(({ type }) => type)).toEqual(["bold", "code", "text_link", "pre"]);
  expect(message?.entities?.[2]?.url).toBe("https://example.com/?a=1&b=2");
  const body = {
    ok: false,
    error_code: 400,
    description: "Bad Request: can't parse entities: Unexpected end tag",
  };
  server.fail("sendMessage", { status: 400, body });
  ada.says(bot, "again");
  await until("it is shown", () => texts().length === 2);
  expect(texts()[1]).toContain("**bold** `a<b`");
  expect(channel.error).toBeNull();
});

test("a long answer keeps its formatting in every message", async () => {
  const code = Array.from({ length: 300 }, (_, line) => `line ${line} <of> code & more`).join("\n");
  await using channel = await open(
    {},
    { prompt: async () => ({ sessionId: "s", text: `# Title\n\`\`\`js\n${code}\n\`\`\`\n**end**` }) },
  );
  ada.says(bot, "write");
  await until("the end is shown", () => texts().at(-1)?.endsWith("end") === true);
  const messages = ada.sees();
  expect(messages.length).toBeGreaterThan(1);
  for (const { entities } of messages)
    expect(entities).toContainEqual(expect.objectContaining({ language: "js" }));
  expect(messages.map(({ text }) => text).join("\n")).toContain("line 299 <of> code & more");
  expect(channel.error).toBeNull();
});

test("an answer is shown while it is written, and its mark is gone at the end", async () => {
  const { promise: goOn, resolve } = Promise.withResolvers<void>();
  await using channel = await open(
    {},
    {
      prompt: async ({ onDelta }) => {
        onDelta?.("one two");
        await goOn;
        onDelta?.(" three");
        return { sessionId: "s", text: "one two three" };
      },
    },
  );
  ada.says(bot, "count");
  await shows("one two …");
  expect(server.callsOf("sendChatAction").length).toBeGreaterThan(0);
  resolve();
  await shows("one two three");
  expect(texts()).toEqual(["one two three"]);
  expect(channel.error).toBeNull();
});

test("somebody who blocked the bot holds up nobody else", async () => {
  const bea = new TelegramPerson(server, { id: 12 });
  await using channel = await open({ users: ["12"] });
  bea.says(bot, "I block you");
  bea.direct.shut.set(bot.user.id, "bot was blocked by the user");
  await until("it is given up", () => channel.error?.includes("blocked") === true);
  ada.says(bot, "me not");
  await shows("re: me not");
});

test("a group that becomes a supergroup stays one conversation", async () => {
  const group = ada.group(bot, { id: -77, type: "group" });
  await using channel = await open({ groups: ["-77"] });
  ada.says(bot, "@helper_bot before", { room: group });
  await until("it is answered", () => ada.sees(group).length === 1);
  const moved = server.world.migrate(group, { id: -10077, type: "supergroup", title: "Team" });
  const sent = await channel.handle.outbound?.send({ sessionId: "s", to: "-77", text: "to the old id" });
  expect(sent).toMatchObject({ success: true });
  ada.says(bot, "@helper_bot after", { room: moved });
  await until("it is answered", () => ada.sees(moved).length === 2);
  expect(channel.asked.map(({ conversation, text }) => [conversation, text])).toEqual([
    ["-77", "before"],
    ["-77", "after"],
  ]);
});

test("in a topic the answer stays in the topic; mentions, replies and commands address the bot", async () => {
  const group = ada.group(bot, { id: -100, is_forum: true }, [5]);
  const bea = new TelegramPerson(server, { id: 12, name: "Bea" });
  await using channel = await open({ groups: ["-100"], groupsOnlyListed: false, listenInGroups: true });
  bea.says(bot, "just talking", { room: group, topic: 5 });
  bea.says(bot, "hello @Helper_Bot, you there", { room: group, topic: 5 });
  await until("it is answered", () => ada.sees(group).length === 1);
  const [answer] = ada.sees(group);
  expect(answer).toMatchObject({ message_thread_id: 5, text: "re: hello , you there" });
  bea.says(bot, "and a reply", { room: group, topic: 5, ...(answer && { replyTo: answer.message_id }) });
  bea.says(bot, "/new@helper_bot", { room: group, topic: 5 });
  bea.says(bot, "/new@other_bot", { room: group, topic: 5 });
  await until("both are asked", () => channel.asked.length === 3);
  expect(channel.asked.map(({ text }) => text).slice(1)).toEqual(["and a reply", "/new"]);
  expect(channel.asked[0]).toMatchObject({ conversation: "-100:5", group: true, userName: "Bea" });
  expect(channel.remembered.map(({ text }) => text)).toEqual(["just talking", "/new@other_bot"]);
});
