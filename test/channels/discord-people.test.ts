import { systemClock } from "@patchbay/plugin-sdk/channel";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startDiscord } from "../../plugins/discord/src/channel.ts";
import { toDiscord } from "../../plugins/discord/src/render.ts";
import { settingsSchema } from "../../plugins/discord/src/settings.ts";
import type { DiscordMessage } from "../support/platforms/discord/guilds.ts";
import { DiscordPerson } from "../support/platforms/discord/person.ts";
import { DiscordServer } from "../support/platforms/discord/server.ts";
import { discordToken } from "./discord-platform.ts";
import { InProcess, type InProcessOptions, until } from "./in-process.ts";

/** How people really use Discord: roles, forwards, stickers, edits, other bots, long silences. */
let server: DiscordServer;
let ada: DiscordPerson;

beforeEach(async () => {
  server = await DiscordServer.open({ token: discordToken });
  ada = new DiscordPerson(server, "ada");
});
afterEach(() => server[Symbol.asyncDispose]());

async function open(
  more: Record<string, unknown> = {},
  options: InProcessOptions = {},
  clock = systemClock(50),
): Promise<InProcess> {
  const base = { token: discordToken, apiUrl: server.apiUrl, owners: [ada.user.id], joinSeconds: 0 };
  const settings = settingsSchema.parse({ ...base, ...more });
  const channel = await InProcess.start((ctx) => startDiscord(settings, ctx, clock), options);
  await channel.connected();
  return channel;
}

const texts = () => ada.sees().map(({ content }) => content);
const asked = (channel: InProcess) => channel.asked.map(({ text }) => text);
const isIdle = (channel: InProcess) => JSON.stringify(channel.state.queue) === '{"in":0,"out":0}';

test("a mention of the bot's own role is for the bot; another role, and somebody else, are not", async () => {
  const team = server.guilds.addChannel("team");
  const uma = new DiscordPerson(server, "uma");
  await using channel = await open({ groups: [team.id], users: [uma.user.id] });
  const where = { channel: team };
  uma.says(`<@&${server.guilds.otherRoleId}> lunch?`, where);
  const first = uma.says(`<@&${server.guilds.botRoleId}> hello <@&${server.guilds.otherRoleId}>`, where);
  await until("it is answered", () => ada.sees(team).length === 1);
  ada.says(`<@${uma.user.id}> not for the bot`, where);
  ada.says("nor this", { ...where, replyTo: first });
  uma.says(`<@${server.bot.id}> bye`, where);
  await until("it is asked", () => channel.asked.length === 2);
  expect(asked(channel)).toEqual(["hello @makers", "bye"]);
});

test("what is forwarded is read with its files, and stickers by their names", async () => {
  await using channel = await open();
  const elsewhere = server.guilds.addChannel("elsewhere");
  const files = [{ name: "plan.txt", type: "text/plain", bytes: Buffer.from("the plan") }];
  const original = new DiscordPerson(server, "uma").says("see\nthis", { channel: elsewhere, files });
  ada.says("", { forwards: original });
  await until("it is asked", () => channel.asked.length === 1);
  ada.says("", { stickers: ["Wave"] });
  await until("it is asked", () => channel.asked.length === 2);
  ada.says("look", { stickers: ["Thumbs up"] });
  await until("it is asked", () => channel.asked.length === 3);
  expect(asked(channel)).toEqual([
    "[Forwarded message]\n> see\n> this",
    "[Sticker: Wave]",
    "look\n[Sticker: Thumbs up]",
  ]);
  const [file] = channel.asked[0]?.attachments ?? [];
  expect([file?.name, Buffer.from(file?.data ?? "", "base64").toString()]).toEqual(["plan.txt", "the plan"]);
});

test("other bots are answered a few times if they are listed; their cards are read", async () => {
  const team = server.guilds.addChannel("team");
  const robot = new DiscordPerson(server, "robot", true);
  const post = (text: string, embeds: unknown[] = []) => {
    const mentions = [server.bot];
    const message = server.guilds.post(team, { author: robot.user, content: text, embeds, mentions });
    server.gateway.dispatch("MESSAGE_CREATE", server.guilds.dispatched(team, message));
  };
  {
    await using closed = await open({ groups: [team.id], users: [robot.user.id] });
    post("beep");
    ada.says("hello");
    await until("the owner is answered", () => texts().length === 1);
    expect(asked(closed)).toEqual(["hello"]);
  }
  await using channel = await open({ groups: [team.id], users: [robot.user.id], botExchanges: 2 });
  post("", [
    { title: "Build failed", description: "at step 3", fields: [{ name: "Branch", value: "main" }] },
  ]);
  for (const text of ["two", "three", "four"]) post(text);
  await until("it is said", () =>
    ada.sees(team).some(({ content }) => content.includes("I have answered robot 2 times")),
  );
  ada.says(`<@${server.bot.id}> enough`, { channel: team });
  await until("it is asked", () => channel.asked.length === 3);
  expect(asked(channel)).toEqual(["Build failed\nat step 3\nBranch: main", "two", "enough"]);
});

test("within minutes Discord itself shows a repeated message once", async () => {
  await using channel = await open();
  server.fail("POST /channels/:id/messages", "cut-after");
  ada.says("hello");
  await until("nothing waits", () => texts().length > 0 && isIdle(channel));
  expect(texts()).toEqual(["re: hello"]);
});

test("after that, the message is looked for in the history, and not taken for another with the same words", async () => {
  server.nonceMs = 0;
  const prompt = async () => ({ sessionId: "s", text: "OK" });
  // The times of the two sides are compared, so the clock of the channel runs as Discord's does.
  await using channel = await open({}, { prompt }, systemClock());
  ada.says("one");
  await until("it is answered", () => texts().length === 1 && isIdle(channel));
  ada.says("two");
  await until("it is answered", () => texts().length === 2 && isIdle(channel));
  server.fail("POST /channels/:id/messages", "cut-after");
  ada.says("three");
  await until("it is answered", () => texts().length >= 3 && isIdle(channel), 20_000);
  server.fail("POST /channels/:id/messages", "cut");
  ada.says("four");
  await until("it is answered", () => texts().length >= 4 && isIdle(channel), 20_000);
  expect(texts()).toEqual(["OK", "OK", "OK", "OK"]);
});

test("reactions show what waits and what is worked on, and are given up where the bot may not react", async () => {
  const team = server.guilds.addChannel("team");
  const release: (() => void)[] = [];
  const prompt: InProcessOptions["prompt"] = async ({ text }) => {
    await new Promise<void>((resolve) => release.push(resolve));
    return { sessionId: "s", text: `re: ${text}` };
  };
  await using channel = await open({ groups: [team.id] }, { prompt });
  const one = ada.says("one");
  const two = ada.says("two");
  const marksOf = ({ reactions = [] }: DiscordMessage) => reactions.map(({ emoji }) => emoji.name).join("");
  await until("both are marked", () => marksOf(one) === "⏳" && marksOf(two) === "👀");
  server.slowDown("DELETE /channels/:id/messages/:id/reactions/%E2%8F%B3/@me", 0.3);
  release.shift()?.();
  await until("the second is worked on", () => marksOf(two) === "⏳" && release.length === 1);
  release.shift()?.();
  await until("no mark is left", () => marksOf(one) + marksOf(two) === "");
  server.refuse("PUT /channels/:id/messages/:id/reactions/%E2%8F%B3/@me", 403, 50013, "Missing Permissions");
  const tries = () => server.calls.filter(({ route }) => /PUT .*reactions/.test(route)).length;
  const before = tries();
  ada.says("three", { channel: team });
  await until("it is tried", () => tries() === before + 1);
  release.shift()?.();
  await until("it is answered", () => ada.sees(team).length === 1);
  ada.says("four", { channel: team });
  await until("it is asked", () => channel.asked.length === 4);
  release.shift()?.();
  await until("it is answered", () => ada.sees(team).length === 2);
  expect([tries(), channel.error]).toEqual([before + 1, null]);
});

test("an edit of a message that waits is followed; the card of a link is none", async () => {
  const release: (() => void)[] = [];
  const prompt: InProcessOptions["prompt"] = async ({ text }) => {
    await new Promise<void>((resolve) => release.push(resolve));
    return { sessionId: "s", text: `re: ${text}` };
  };
  await using channel = await open({}, { prompt });
  ada.says("first");
  await until("it is asked", () => channel.asked.length === 1);
  const second = ada.says("secnod");
  await until("it waits", () => JSON.stringify(channel.state.queue) === '{"in":2,"out":0}');
  server.gateway.dispatch("MESSAGE_UPDATE", server.guilds.dispatched(ada.direct, second));
  ada.edits(ada.direct, second, "second");
  await until("it is stored", () => JSON.stringify([...channel.test.storage.values()]).includes('"second"'));
  release.shift()?.();
  await until("it is asked", () => channel.asked.length === 2);
  release.shift()?.();
  await until("it is answered", () => texts().includes("re: second"));
  ada.edits(ada.direct, second, "third");
  await until("it is remembered", () => channel.remembered.length === 1);
  expect(channel.remembered[0]?.text).toBe("[I changed an earlier message. It now says:]\nthird");
  expect(asked(channel)).toEqual(["first", "second"]);
});

test("stop is in the menu of commands and ends the turn", async () => {
  const prompt: InProcessOptions["prompt"] = ({ signal }) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  await using channel = await open({}, { prompt });
  ada.says("count to a million");
  await until("it is asked", () => channel.asked.length === 1);
  await until("the menu is there", () => server.interactions.commands.some(({ name }) => name === "stop"));
  ada.commands("stop");
  await until("it is said", () => texts().includes("Stopped."));
});

test("the menu of commands is German for those who use Discord in German", async () => {
  await using channel = await open({});
  await channel.connected();
  await until("the menu is there", () => server.interactions.commands.length > 0);
  const shown = server.interactions.commands.map(({ description, description_localizations: said }) => [
    description,
    said?.de,
  ]);
  expect(shown).toContainEqual(["What can be typed here", "Was man hier eingeben kann"]);
  for (const [english, german] of shown) expect(german && german !== english).toBe(true);
});

test.each([
  ["tables", "| A | B |\n|---|---|\n| **1** | `x|y` |", "```\nA  B\n1  x|y\n```"],
  ["deep headings", "##### Deep", "**Deep**"],
  ["headings with a line", "Title\n===", "# Title"],
  ["pictures", "![a](https://e.x/a.png) and `![b](c)`", "[a](https://e.x/a.png) and `![b](c)`"],
  ["boxes and rules", "- [x] done\n- [ ] open\n***", "- ☑ done\n- ☐ open\n———"],
  ["nested lists", "- one\n  - two\n    1. three", "- one\n  - two\n    1. three"],
  ["text in fences", "```\n| a | b |\n|---|---|\n- [x]\n```", "```\n| a | b |\n|---|---|\n- [x]\n```"],
])("%s are written as Discord shows them", (_name, markdown, expected) => {
  expect(toDiscord(markdown)).toBe(expected);
});

test("an answer that grows when it is rendered is still within Discord's limit", async () => {
  const row = `| ${"a".repeat(10)} | b |\n`;
  const text = `${row}|---|---|\n${row.repeat(120)}| ${"c".repeat(60)} | d |\n`;
  await using channel = await open({}, { prompt: async () => ({ sessionId: "s", text }) });
  ada.says("table");
  await until("it is sent", () => channel.state.sent === 1);
  for (const content of texts()) expect([...content].length).toBeLessThanOrEqual(2_000);
  expect(texts().every((content) => !content.includes("|"))).toBe(true);
});
