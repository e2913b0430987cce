import { systemClock } from "@patchbay/plugin-sdk/channel";
import { checkSetup, runSetup } from "@patchbay/plugin-sdk/test";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startDiscord } from "../../plugins/discord/src/channel.ts";
import discord from "../../plugins/discord/src/index.ts";
import { settingsSchema } from "../../plugins/discord/src/settings.ts";
import { DiscordPerson } from "../support/platforms/discord/person.ts";
import { DiscordServer } from "../support/platforms/discord/server.ts";
import { discordToken } from "./discord-platform.ts";
import { InProcess, type InProcessOptions, until } from "./in-process.ts";

let server: DiscordServer;
let ada: DiscordPerson;

beforeEach(async () => {
  server = await DiscordServer.open({ token: discordToken });
  ada = new DiscordPerson(server, "ada");
});
afterEach(() => server[Symbol.asyncDispose]());

function open(more: Record<string, unknown> = {}, options: InProcessOptions = {}): Promise<InProcess> {
  const base = { token: discordToken, apiUrl: server.apiUrl, owners: [ada.user.id], joinSeconds: 0 };
  const settings = settingsSchema.parse({ ...base, ...more });
  return InProcess.start((ctx) => startDiscord(settings, ctx, systemClock(50)), options);
}

const texts = () => ada.sees().map(({ content }) => content);
const shows = (text: string) => until(`Ada sees "${text}"`, () => texts().includes(text));

test.each([
  ["the server asks for a reconnect", () => server.gateway.reconnect(), "resumed"],
  ["an unknown error closes it", () => server.gateway.close(4000), "resumed"],
  ["the session timed out", () => server.gateway.close(4009), "resumed"],
  ["the connection is cut", () => server.gateway.cut(), "resumed"],
  ["the session is gone", () => server.gateway.invalidate(false), "identified"],
] as const)("when %s, the session goes on and nothing is lost", async (_name, harm, how) => {
  await using channel = await open();
  await channel.connected();
  ada.says("before");
  await shows("re: before");
  const before = { resumed: server.gateway.resumed, identified: server.gateway.identified };
  harm();
  ada.says("meanwhile");
  await until(`it is ${how}`, () => server.gateway[how] > before[how]);
  ada.says("after");
  await shows("re: after");
  expect(channel.asked.map(({ text }) => text)).toEqual(["before", "meanwhile", "after"]);
  await until("all is well", () => channel.state.status === "connected" && channel.error === null);
});

test("a replay that breaks off is taken up again, and a replayed message is answered once", async () => {
  await using channel = await open();
  await channel.connected();
  ada.says("zero");
  await shows("re: zero");
  server.gateway.behaviour.dropReplayAfter = 1;
  server.gateway.cut();
  for (const word of ["one", "two", "three"]) ada.says(word);
  await shows("re: three");
  server.gateway.repeatLast();
  ada.says("four");
  await shows("re: four");
  expect(channel.asked.map(({ text }) => text)).toEqual(["zero", "one", "two", "three", "four"]);
});

test.each([
  [4004, "needs-login", "the developer portal has a new one"],
  [4014, "degraded", "Message Content Intent"],
])("close code %i is said with what is to be done: %s", async (code, status, words) => {
  server.gateway.behaviour.closeOnIdentify = code;
  await using channel = await open();
  await until("it is over", () => channel.state.status === status);
  expect(channel.error).toContain(words);
  expect(channel.credentialsRefused.at(-1)).toBe(code === 4004);
  expect(channel.words).not.toContain(discordToken);
  // Once the switch is on at Discord, the bot comes back by itself.
  if (code === 4014) await channel.connected();
});

test("a token that REST refuses asks to sign in again", async () => {
  server.token = "another";
  await using channel = await open();
  await until("it is refused", () => channel.state.status === "needs-login");
});

test.each([
  [
    "the gateway's address cannot be had",
    () => server.fail("GET /gateway/bot", { status: 502, body: "bad" }),
  ],
  ["too many ask for it", () => server.slowDown("GET /gateway/bot", 0.5, "global")],
])("when %s at first, the channel comes up later", async (_name, harm) => {
  harm();
  await using channel = await open();
  await channel.connected();
  ada.says("hello");
  await shows("re: hello");
});

test("a message whose answer was lost on the way is not shown twice", async () => {
  await using channel = await open();
  await channel.connected();
  // Where the history cannot be looked through, Discord itself knows the number of the message.
  server.refuse("GET /channels/:id/messages", 403, 50001, "Missing Access", Number.POSITIVE_INFINITY);
  server.fail("POST /channels/:id/messages", "cut-after");
  ada.says("once");
  await shows("re: once");
  await until("it is noted as sent", () => channel.state.sent === 1);
  expect(texts()).toEqual(["re: once"]);
  expect(server.callsOf("POST /channels/:id/messages").length).toBe(2);
});

test("in a channel mentions and replies are answered, in a thread as well; bots and webhooks are not", async () => {
  const team = server.guilds.addChannel("team");
  const thread = server.guilds.addThread(team, "a thread");
  const bea = new DiscordPerson(server, "bea");
  const robot = new DiscordPerson(server, "robot", true);
  await using channel = await open({ groups: [team.id], groupsOnlyListed: false, listenInGroups: true });
  await channel.connected();
  bea.says("just talking", { channel: team });
  bea.says(`<@${server.bot.id}> hello <@${ada.user.id}> <:wave:123456789012345678>`, { channel: team });
  await until("it is answered", () => bea.sees(team).length === 1);
  const [answer] = bea.sees(team);
  expect(answer?.message_reference).toBeDefined();
  bea.says("a reply", { channel: team, ...(answer && { replyTo: answer }) });
  bea.says(`<@!${server.bot.id}> in the thread`, { channel: thread });
  robot.says(`<@${server.bot.id}> beep`, { channel: team });
  bea.says(`<@${server.bot.id}> by webhook`, { channel: team, webhook: true });
  await until("the thread is answered", () => bea.sees(thread).length === 1);
  await until("the reply is answered", () => bea.sees(team).length === 2);
  const asked = channel.asked.map(
    ({ conversation, text }) => `${conversation === thread.id ? "t" : "c"} ${text}`,
  );
  expect(asked.sort()).toEqual(["c a reply", "c hello @ada :wave:", "t in the thread"]);
  expect(channel.remembered.map(({ text }) => text)).toEqual(["just talking"]);
});

test("slash commands and buttons are answered within their three seconds", async () => {
  await using channel = await open();
  await channel.connected();
  await until("the commands are known", () => server.interactions.commands.length > 0);
  const command = ada.commands("new");
  await shows("re: /new");
  expect(server.interactions.answerTo(command)).toMatchObject({ type: 4, content: "/new", flags: 64 });
  channel.ask({ tool: "shell" });
  await until("it is asked", () => channel.state.sent === 2);
  const asking = ada.sees().find(({ components }) => components?.length);
  if (!asking) throw new Error("Nothing was asked.");
  const press = ada.presses(ada.direct, asking, "Refuse");
  await until("it is settled", () => asking.content.includes("refused"));
  expect(channel.decided).toEqual([`7 refuse ${ada.user.id}`]);
  expect(asking.components).toEqual([]);
  await until("it is told", () => server.interactions.followsOf(press).length === 1);
});

test("files come in, also when their address has expired, and go out; formatting stays", async () => {
  const data = Buffer.from("bytes").toString("base64");
  const attachments = [{ name: "chart.png", mimeType: "image/png", data }];
  const text = `# Title\n#### Small\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n**end** @everyone`;
  await using channel = await open({}, { prompt: async () => ({ sessionId: "s", text, attachments }) });
  await channel.connected();
  ada.says("look", { files: [{ name: "notes.txt", type: "text/plain", bytes: Buffer.from("the notes") }] });
  await until("the file is there", () => ada.sees().some((message) => message.attachments.length > 0));
  expect(Buffer.from(channel.asked[0]?.attachments?.[0]?.data ?? "", "base64").toString()).toBe("the notes");
  expect(texts()[0]).toContain("# Title\n**Small**\n\n```\na  b");
  expect(server.callsOf("POST /channels/:id/messages")[0]?.body).toMatchObject({
    allowed_mentions: { parse: [] },
  });
});

test("somebody who takes no messages holds up nobody else", async () => {
  const bea = new DiscordPerson(server, "bea");
  await using channel = await open({ users: [bea.user.id] });
  await channel.connected();
  bea.direct.shut = { status: 403, code: 50007, message: "Cannot send messages to this user" };
  bea.says("no answer for me");
  await until("it is given up", () => channel.error?.includes("takes no direct messages") === true);
  ada.says("me please");
  await shows("re: me please");
});

test("the wizard says what is wrong: another platform's token, a refused one, an intent that is off", async () => {
  const api = { apiUrl: server.apiUrl };
  const typed: Record<string, string>[] = [
    { token: "xoxb-1-2-abc" },
    { token: discordToken.replaceAll("x", "y"), ...api },
    { token: discordToken },
    { token: discordToken },
    { owner: "ada#1" },
    { owner: ada.user.id },
  ];
  server.messageContent = false;
  const { states, config } = await runSetup(discord, {
    answer: () => {
      if (typed.length === 3) server.messageContent = true;
      return typed.shift() ?? {};
    },
  });
  const problems = states.flatMap((state) => ("problem" in state ? (state.problem ?? []) : []));
  expect(problems).toEqual([
    expect.stringContaining("This is a bot token of Slack"),
    expect.stringContaining("Discord refused this token"),
    expect.stringContaining("Message Content Intent"),
    expect.stringContaining("A user id is a number"),
  ]);
  expect(config).toEqual({ token: discordToken, ...api, owners: [ada.user.id] });
  expect(JSON.stringify(states.slice(0, -1))).not.toContain(discordToken);
  const answers = [{ token: discordToken, ...api }, {}];
  const answer = (state: { kind: string; step?: number }) =>
    state.kind === "awaiting_choice" ? { choice: "everyone" } : (answers[state.step ?? 0] ?? {});
  expect(await checkSetup(discord, { answer })).toEqual([]);
});
