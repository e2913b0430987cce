import { systemClock } from "@patchbay/plugin-sdk/channel";
import { checkSetup, runSetup } from "@patchbay/plugin-sdk/test";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startSlack } from "../../plugins/slack/src/channel.ts";
import slack from "../../plugins/slack/src/index.ts";
import { settingsSchema } from "../../plugins/slack/src/settings.ts";
import { SlackPerson } from "../support/platforms/slack/person.ts";
import { SlackServer } from "../support/platforms/slack/server.ts";
import { InProcess, type InProcessOptions, until } from "./in-process.ts";
import { slackTokens } from "./slack-platform.ts";

let server: SlackServer;
let ada: SlackPerson;

beforeEach(async () => {
  server = await SlackServer.open(slackTokens);
  Object.assign(server.socketMode.behaviour, { ackMs: 300, retryMs: [0, 100, 100, 100] });
  ada = new SlackPerson(server, "ada");
});
afterEach(() => server[Symbol.asyncDispose]());

function open(more: Record<string, unknown> = {}, options: InProcessOptions = {}): Promise<InProcess> {
  const base = { ...slackTokens, slackApiUrl: server.apiUrl, owners: [ada.user.id], joinSeconds: 0 };
  const settings = settingsSchema.parse({ ...base, ...more });
  return InProcess.start((ctx) => startSlack(settings, ctx, systemClock(50)), options);
}

const texts = () => ada.sees().map(({ text }) => text);
const shows = (text: string) => until(`Ada sees "${text}"`, () => texts().includes(text));

test.each(["refresh_requested", "warning"] as const)(
  "when Slack says %s, the new socket is open before the old one is left, and nothing is lost",
  async (reason) => {
    await using channel = await open();
    await channel.connected();
    for (let round = 1; round <= 3; round += 1) {
      server.socketMode.disconnect(reason);
      ada.says(`round ${round}`);
      await until("there is a new socket", () => server.socketMode.greeted === round + 1);
      await shows(`re: round ${round}`);
    }
    expect(channel.state.reconnects).toBe(0);
    expect(channel.asked.length).toBe(3);
  },
);

test("Socket Mode that was switched off is said, and the channel comes back when it is on again", async () => {
  await using channel = await open();
  await channel.connected();
  server.socketMode.disconnect("link_disabled");
  await until("it is said", () => channel.error?.includes("Socket Mode was switched off") === true);
  expect(channel.state.status).toBe("degraded");
  await channel.connected();
  expect(channel.error).toBeNull();
});

test.each([
  ["invalid_auth", () => server.refuse("apps.connections.open", "invalid_auth")],
  ["account_inactive", () => server.refuse("auth.test", "account_inactive")],
])("%s at the start asks to sign in again", async (code, harm) => {
  harm();
  await using channel = await open();
  await until("it is refused", () => channel.state.status === "needs-login");
  expect(channel.error).toContain(code);
  expect(channel.credentialsRefused.at(-1)).toBe(true);
  expect(channel.words).not.toMatch(/xoxb-1|xapp-1|ticket=/);
});

test.each([
  ["an app that is uninstalled", { type: "app_uninstalled" }],
  ["a bot token that is revoked", { type: "tokens_revoked", tokens: { oauth: [], bot: ["U1"] } }],
])("%s while it runs asks to sign in again", async (_name, event) => {
  await using channel = await open();
  await channel.connected();
  void server.emit(event);
  await until("it is refused", () => channel.state.status === "needs-login");
});

test.each([
  ["an error of the server", () => server.fail("apps.connections.open", { status: 500, body: "oops" })],
  ["too many requests", () => server.slowDown("auth.test", 1)],
  ["a cut", () => server.fail("auth.test", "cut")],
])("after %s the channel comes up, and what was said meanwhile is answered", async (_name, harm) => {
  harm();
  await using channel = await open();
  ada.says("still there?");
  await shows("re: still there?");
  expect(channel.asked.length).toBe(1);
});

test("a mention in a channel, told twice by Slack, opens one thread; a bot, an edit and an echo do nothing", async () => {
  const team = ada.channel("team");
  const robot = new SlackPerson(server, "robot", { is_bot: true });
  await using channel = await open({ groups: [team.id], everyone: true });
  await channel.connected();
  const mention = `<@${server.app.botUserId}>`;
  const said = ada.says(`${mention} what is 1 &lt; 2 &amp; <https://example.com|this>?`, { channel: team });
  await until("it is answered", () => ada.sees(team).length === 1);
  expect(ada.sees(team)[0]).toMatchObject({ thread_ts: said.ts });
  expect(channel.asked[0]).toMatchObject({
    conversation: `${team.id}:${said.ts}`,
    text: "what is 1 < 2 & this (https://example.com)?",
    userName: "ada",
    group: true,
  });
  robot.says(`${mention} beep`, { channel: team });
  ada.edits(team, said, `${mention} changed`);
  ada.reacts(team, said, "eyes");
  ada.says("!new", { channel: team, thread: said.ts });
  await until("the owner is heard in the thread", () => channel.asked.length === 2);
  expect(channel.asked[1]).toMatchObject({ text: "/new", conversation: `${team.id}:${said.ts}` });
  await until("all of it is acknowledged", () => server.socketMode.acknowledged.length >= 8);
  expect(channel.asked.length).toBe(2);
});

test("a slash command, a button and its sentence for the person alone", async () => {
  await using channel = await open();
  await channel.connected();
  await ada.commands("/patchbay", "new");
  await shows("re: /new");
  channel.ask({ tool: "shell" });
  await until("it is asked", () => channel.state.sent === 2);
  const asking = ada.sees().find(({ blocks }) => blocks?.length);
  if (!asking) throw new Error("Nothing was asked.");
  await ada.presses(ada.direct, asking, "Allow");
  await until("it is settled", () => asking.text.includes("allowed"));
  expect(channel.decided).toEqual([`7 allow ${ada.user.id}`]);
  expect(asking.blocks ?? []).toEqual([]);
  await until("it is told", () => server.callsOf("chat.postEphemeral").length === 1);
});

test("files come in with the token for Slack's hosts only, and go out in three calls", async () => {
  const data = Buffer.from("a,b\n1,2").toString("base64");
  const attachments = [{ name: "table.csv", mimeType: "text/csv", data }];
  await using channel = await open(
    {},
    { prompt: async () => ({ sessionId: "s", text: "here", attachments }) },
  );
  ada.says("look", {
    files: [{ name: "notes.txt", mimetype: "text/plain", bytes: Buffer.from("the notes") }],
  });
  await until("the file is there", () => ada.sees().some(({ files }) => files?.length));
  expect(Buffer.from(channel.asked[0]?.attachments?.[0]?.data ?? "", "base64").toString()).toBe("the notes");
  const sent = ada.sees().flatMap(({ files }) => files ?? [])[0];
  expect(server.workspace.files.get(sent?.id ?? "")?.bytes?.toString()).toBe("a,b\n1,2");
  server.app.scopes.splice(server.app.scopes.indexOf("files:read"), 1);
  ada.says("again", { files: [{ name: "more.txt", mimetype: "text/plain", bytes: Buffer.from("more") }] });
  await until("it is asked", () => channel.asked.length === 2);
  expect(channel.asked[1]?.text).toContain("more.txt: the Slack app lacks the permission files:read");
});

test("an edit that comes too late is sent as a new message, and a missing permission is named", async () => {
  const prompt: InProcessOptions["prompt"] = async ({ onDelta }) => {
    onDelta?.("be");
    await until("the draft is shown", () => texts().length > 0);
    server.refuse("chat.update", "edit_window_closed", Number.POSITIVE_INFINITY);
    return { sessionId: "s", text: "begun" };
  };
  await using channel = await open({}, { prompt });
  ada.says("go");
  await shows("begun");
  server.faults.clear();
  const body = { ok: false, error: "missing_scope", needed: "chat:write", provided: "" };
  server.fail("chat.postMessage", { status: 200, body }, 1);
  const sent = await channel.handle.outbound?.send({ sessionId: "s", to: ada.direct.id, text: "hello" });
  expect(sent).toMatchObject({ success: false, error: expect.stringContaining("chat:write") });
});

test("the wizard takes the tokens in either order, says what is wrong, and checks the owner", async () => {
  const typed: Record<string, string>[] = [
    { name: "Ada's helper" },
    {},
    { botToken: `70010001:${"A".repeat(35)}`, appToken: slackTokens.appToken },
    { botToken: slackTokens.botToken, appToken: "nonsense" },
    { botToken: slackTokens.appToken, appToken: slackTokens.botToken, slackApiUrl: server.apiUrl },
    { owner: "@ada" },
    { owner: "U0NOBODY" },
    { owner: ada.user.id },
  ];
  const { states, config } = await runSetup(slack, { answer: () => typed.shift() ?? {} });
  const problems = states.flatMap((state) => ("problem" in state ? state.problem : []));
  expect(JSON.stringify(states[1])).toContain("Ada's helper");
  expect(problems).toEqual([
    "This is a token of a Telegram bot. The bot token begins with xoxb-.",
    "The app-level token begins with xapp-; this does not.",
    expect.stringContaining("A member id looks like"),
    "Nobody in the workspace has this id.",
  ]);
  expect(config).toEqual({ ...slackTokens, slackApiUrl: server.apiUrl, owners: [ada.user.id] });
  expect(states.at(-1)).toMatchObject({ account: "@helper in Example Team" });
  const way = () => {
    const answers = [{}, { ...slackTokens, slackApiUrl: server.apiUrl }, {}];
    return (state: { kind: string; step?: number }) =>
      state.kind === "awaiting_choice" ? { choice: "everyone" } : (answers[state.step ?? 0] ?? {});
  };
  expect(await checkSetup(slack, { answer: way() })).toEqual([]);
});
