import type { SetupState } from "@patchbay/plugin-sdk";
import { systemClock } from "@patchbay/plugin-sdk/channel";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startSlack } from "../../plugins/slack/src/channel.ts";
import { appManifest, commandOfApp } from "../../plugins/slack/src/manifest.ts";
import { toMrkdwn } from "../../plugins/slack/src/mrkdwn.ts";
import { settingsSchema } from "../../plugins/slack/src/settings.ts";
import { slackSetup } from "../../plugins/slack/src/setup.ts";
import { SlackPerson } from "../support/platforms/slack/person.ts";
import { SlackServer } from "../support/platforms/slack/server.ts";
import { InProcess, type InProcessOptions, until } from "./in-process.ts";
import { slackTokens } from "./slack-platform.ts";

/** How people really use Slack: threads, other apps, edits, long answers in their own script. */
let server: SlackServer;
let ada: SlackPerson;

beforeEach(async () => {
  server = await SlackServer.open(slackTokens);
  Object.assign(server.socketMode.behaviour, { ackMs: 300, retryMs: [0, 100, 100, 100] });
  ada = new SlackPerson(server, "ada");
});
afterEach(() => server[Symbol.asyncDispose]());

async function open(more: Record<string, unknown> = {}, options: InProcessOptions = {}): Promise<InProcess> {
  const base = { ...slackTokens, slackApiUrl: server.apiUrl, owners: [ada.user.id], joinSeconds: 0 };
  const settings = settingsSchema.parse({ ...base, ...more });
  const channel = await InProcess.start((ctx) => startSlack(settings, ctx, systemClock(50)), options);
  await channel.connected();
  return channel;
}

const texts = () => ada.sees().map(({ text }) => text);
const asked = (channel: InProcess) => channel.asked.map(({ text }) => text);
const mention = () => `<@${server.app.botUserId}>`;

test.each([
  ["Japanese", "日本語の文章です。"],
  ["signs that Slack escapes", "a < b && c; "],
  ["emoji", "👩‍👩‍👧 ok "],
])("a growing answer in %s goes on in a new message before Slack refuses the edit", async (_name, word) => {
  const whole = word.repeat(900);
  const prompt: InProcessOptions["prompt"] = async ({ onDelta }) => {
    for (let at = 0; at < whole.length; at += 1_500) {
      onDelta?.(whole.slice(at, at + 1_500));
      const before = server.callsOf("chat.update").length + server.callsOf("chat.postMessage").length;
      await until(
        "it is shown",
        () => server.callsOf("chat.update").length + server.callsOf("chat.postMessage").length > before,
      );
    }
    return { sessionId: "s", text: whole };
  };
  await using channel = await open({}, { prompt });
  ada.says("tell me");
  await until("it is sent", () => channel.state.sent === 1);
  const shown = texts().join("").replace(/\s/g, "");
  expect(shown === toMrkdwn(whole).replace(/\s/g, "")).toBe(true);
  expect(texts().length).toBeGreaterThan(2);
  for (const text of texts()) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_000);
  const ids = server.callsOf("chat.delete");
  expect([ids.length, channel.error]).toEqual([0, null]);
});

test("the agent's command in a thread is answered there, in the thread's session", async () => {
  const team = ada.channel("team");
  await using channel = await open({ groups: [team.id] });
  const root = ada.says(`${mention()} hello`, { channel: team });
  await until("it is answered", () => ada.sees(team, root.ts).length === 1);
  await ada.commands("/helper", "new", team, root.ts);
  await until("the command is answered", () => ada.sees(team, root.ts).length === 2);
  expect(channel.asked[1]).toMatchObject({ text: "/new", conversation: `${team.id}:${root.ts}` });
  await ada.commands("/helper", "clear", ada.direct, "1700000000.000100");
  await until("it is answered", () => channel.asked.length === 3);
  expect(channel.asked[2]?.conversation).toBe(`${ada.direct.id}:1700000000.000100`);
});

test("each app has a command of its own, made from its name", () => {
  const manifest = JSON.parse(appManifest("Élise's Helper"));
  expect(manifest.features.slash_commands).toMatchObject([{ command: "/elise-s-helper" }]);
  expect(["Patchbay", "Help", "日本", "A".repeat(60)].map(commandOfApp)).toEqual([
    "/patchbay",
    "/agent-help",
    "/patchbay",
    `/${"a".repeat(24)}`,
  ]);
});

test("the menu of Slack is in the language of the agent's chats", async () => {
  for (const [language, description] of [
    ["de", "Befehle des Agenten"],
    ["en", "Commands of the agent"],
  ] as const) {
    const { state } = await slackSetup().begin({}, { agentId: "helper", logger: () => {}, language });
    const { copy, page } = state as Extract<SetupState, { kind: "awaiting_user_input" }>;
    expect(copy?.text).toContain(`"description": "${description}"`);
    expect(decodeURIComponent(page?.url ?? "")).toContain(`"description":"${description}"`);
  }
});

test("files without a type get one from their name, and one that tells too little does not take the message away", async () => {
  await using channel = await open();
  const bytes = Buffer.from("x");
  const message = ada.says("look", {
    files: [
      { name: "shot.PNG", bytes },
      { name: "notes", filetype: "text", bytes },
      { name: "blob", bytes },
    ],
  });
  await until("it is asked", () => channel.asked.length === 1);
  expect(channel.asked[0]?.attachments?.map(({ mimeType }) => mimeType)).toEqual([
    "image/png",
    "text/plain",
    "application/octet-stream",
  ]);
  const odd = { ...message, ts: server.workspace.nextTs(), text: "and this", subtype: "file_share" };
  const files = [
    { mode: "tombstone" },
    { id: "F1", name: null, mimetype: null, size: null, url_private: null },
  ];
  void server.emit({ ...odd, type: "message", channel: ada.direct.id, channel_type: "im", files });
  await until("it is asked", () => channel.asked.length === 2);
  expect(channel.asked[1]?.text).toMatch(/^and this\n\[File not available: F1: /);
});

test("a thread goes on without a mention for listed people, until somebody else is addressed", async () => {
  const team = ada.channel("team");
  const uma = new SlackPerson(server, "uma");
  const sam = new SlackPerson(server, "sam");
  await using channel = await open({ groups: [team.id], users: [uma.user.id], groupsOnlyListed: false });
  const root = uma.says(`${mention()} one`, { channel: team });
  const inThread = { channel: team, thread: root.ts };
  await until("it is asked", () => channel.asked.length === 1);
  sam.says("a stranger's aside", inThread);
  uma.says("two", inThread);
  await until("it is asked", () => channel.asked.length === 2);
  uma.says(`<@${sam.user.id}> three, what do you say?`, inThread);
  ada.says(`<@${sam.user.id}> four?`, inThread);
  uma.says("five", inThread);
  uma.says(`${mention()} six`, inThread);
  await until("it is asked", () => channel.asked.length === 3);
  uma.says("seven", inThread);
  await until("it is asked", () => channel.asked.length === 4);
  expect(asked(channel)).toEqual(["one", "two", "six", "seven"]);
});

test("a talk in a thread is remembered through a restart, and can be switched off", async () => {
  const team = ada.channel("team");
  const uma = new SlackPerson(server, "uma");
  const listed = { groups: [team.id], users: [uma.user.id] };
  const first = await open(listed);
  const root = uma.says(`${mention()} one`, { channel: team });
  await until("it is answered", () => ada.sees(team).length === 1);
  await first[Symbol.asyncDispose]();
  const storage = Object.fromEntries(structuredClone(first.test.storage));
  {
    await using second = await open(listed, { storage });
    uma.says("two", { channel: team, thread: root.ts });
    await until("it is asked", () => second.asked.length === 1);
  }
  await using third = await open({ ...listed, followThreads: false }, { storage });
  uma.says("three", { channel: team, thread: root.ts });
  uma.says(`${mention()} four`, { channel: team, thread: root.ts });
  await until("it is asked", () => third.asked.length === 1);
  expect(asked(third)).toEqual(["four"]);
});

test("other bots are answered a few times if they are listed, and the app's own words never", async () => {
  const team = ada.channel("team");
  const robot = new SlackPerson(server, "robot", { is_bot: true });
  await using channel = await open({ groups: [team.id], users: [robot.user.id], botExchanges: 2 });
  const own = { bot_id: "B0CHANGED", app_id: server.app.appId, channel: team.id, channel_type: "channel" };
  for (const text of ["one", "two", "three", "four"]) {
    robot.says(`${mention()} ${text}`, { channel: team });
    void server.emit({
      ...own,
      type: "message",
      text: `${mention()} ${text}`,
      ts: server.workspace.nextTs(),
    });
  }
  await until("it is said", () =>
    ada.sees(team).some(({ text }) => text.includes("I have answered robot 2 times")),
  );
  ada.says(`${mention()} enough`, { channel: team });
  await until("it is asked", () => channel.asked.length === 3);
  expect(asked(channel)).toEqual(["one", "two", "enough"]);
});

test("a message whose confirmation was lost is looked for, and not sent again", async () => {
  const team = ada.channel("team");
  await using channel = await open({ groups: [team.id] });
  for (const [place, where] of [
    [ada.direct, {}],
    [team, { channel: team }],
  ] as const) {
    server.fail("chat.postMessage", "cut-after");
    ada.says(`${mention()} hello`, where);
    await until("it is sent", () => ada.sees(place).length > 0);
    await until("nothing waits", () => JSON.stringify(channel.state.queue) === '{"in":0,"out":0}');
    expect(ada.sees(place).map(({ text }) => text)).toEqual(["re: hello"]);
  }
  expect(server.callsOf("chat.postMessage")).toHaveLength(2);
  expect([server.callsOf("conversations.replies").length > 0, channel.error]).toEqual([true, null]);
});

test("where the app may not read the history, an uncertain message is sent again", async () => {
  server.app.scopes.splice(server.app.scopes.indexOf("im:history"), 1);
  await using channel = await open();
  server.fail("chat.postMessage", "cut-after");
  ada.says("hello");
  await until("it is sent twice", () => texts().length === 2);
  await until("nothing waits", () => JSON.stringify(channel.state.queue) === '{"in":0,"out":0}');
});

test("reactions show what waits and what is worked on; an app without the right shows none", async () => {
  const release: (() => void)[] = [];
  const prompt: InProcessOptions["prompt"] = async ({ text }) => {
    await new Promise<void>((resolve) => release.push(resolve));
    return { sessionId: "s", text: `re: ${text}` };
  };
  await using channel = await open({}, { prompt });
  const one = ada.says("one");
  const two = ada.says("two");
  const marksOf = (message: typeof one) => message.reactions?.map(({ name }) => name) ?? [];
  await until("both are marked", () => marksOf(one).length === 1 && marksOf(two).length === 1);
  expect([marksOf(one), marksOf(two)]).toEqual([["hourglass_flowing_sand"], ["eyes"]]);
  release.shift()?.();
  await until("the second is worked on", () => marksOf(two).join() === "hourglass_flowing_sand");
  release.shift()?.();
  await until("no mark is left", () => marksOf(one).length + marksOf(two).length === 0);
  server.app.scopes.splice(server.app.scopes.indexOf("reactions:write"), 1);
  const calls = server.callsOf("reactions.add").length;
  ada.says("three");
  await until("it is tried", () => server.callsOf("reactions.add").length === calls + 1);
  release.shift()?.();
  await until("it is answered", () => texts().includes("re: three"));
  ada.says("four");
  await until("it is asked", () => channel.asked.length === 4);
  release.shift()?.();
  await until("it is answered", () => texts().includes("re: four"));
  expect([server.callsOf("reactions.add").length, channel.error]).toEqual([calls + 1, null]);
});

test("an edit of a message that waits is followed; the preview of a link is none", async () => {
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
  ada.edits(ada.direct, second, "second");
  await until("all is acknowledged", () => server.socketMode.acknowledged.length >= 3);
  release.shift()?.();
  await until("it is asked", () => channel.asked.length === 2);
  release.shift()?.();
  await until("it is answered", () => texts().includes("re: second"));
  ada.unfurls(ada.direct, second);
  ada.edits(ada.direct, second, "third");
  await until("it is remembered", () => channel.remembered.length === 1);
  expect(channel.remembered[0]?.text).toBe("[I changed an earlier message. It now says:]\nthird");
  expect(asked(channel)).toEqual(["first", "second"]);
});

test("messages that follow each other at once are one turn", async () => {
  await using channel = await open({ joinSeconds: 5 });
  ada.says("look");
  ada.says("at this");
  await until("it is answered", () => texts().includes("re: look\nat this"));
  expect(channel.asked).toHaveLength(1);
});

test("a long question with buttons is cut where it may be cut", async () => {
  await using channel = await open();
  ada.says("hello");
  await until("it is answered", () => texts().length === 1);
  channel.ask({ tool: "shell", arguments: `{"command":"${"a && b < c; ".repeat(80)}"}` });
  await until("it is asked", () => ada.sees().some(({ blocks }) => blocks?.length));
  const blocks = ada.sees().find((message) => message.blocks?.length)?.blocks ?? [];
  const sections = blocks.flatMap(({ text }) => text?.text ?? []);
  for (const text of sections) expect(text.replace(/&(?:amp|lt|gt);/g, "")).not.toContain("&");
});
