import { type ChannelClock, systemClock } from "@patchbay/plugin-sdk/channel";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startSlack } from "../../plugins/slack/src/channel.ts";
import { settingsSchema } from "../../plugins/slack/src/settings.ts";
import { SlackPerson } from "../support/platforms/slack/person.ts";
import { SlackServer } from "../support/platforms/slack/server.ts";
import { InProcess, type InProcessOptions, until } from "./in-process.ts";
import { slackTokens } from "./slack-platform.ts";

/** The rows of the fact sheet on what Slack does when something goes wrong, beyond those of the other file. */
let server: SlackServer;
let ada: SlackPerson;

beforeEach(async () => {
  server = await SlackServer.open(slackTokens);
  Object.assign(server.socketMode.behaviour, { ackMs: 300, retryMs: [0, 100, 100, 100] });
  ada = new SlackPerson(server, "ada");
});
afterEach(() => server[Symbol.asyncDispose]());

function open(options: InProcessOptions = {}, clock: ChannelClock = systemClock(50)): Promise<InProcess> {
  const base = { ...slackTokens, slackApiUrl: server.apiUrl, owners: [ada.user.id], joinSeconds: 0 };
  return InProcess.start((ctx) => startSlack(settingsSchema.parse(base), ctx, clock), options);
}

/** What others may take passes faster as well. */
function hasty(scale: number): ChannelClock {
  const clock = systemClock(50);
  return { ...clock, limit: (ms, action) => clock.limit(ms / scale, action) };
}

const texts = () => ada.sees().map(({ text }) => text);
const shows = (text: string) => until(`Ada sees "${text}"`, () => texts().includes(text));
const withFile: InProcessOptions = {
  prompt: async ({ text }) => ({
    sessionId: "s",
    text: `re: ${text}`,
    ...(text === "send" && {
      attachments: [{ name: "table.csv", mimeType: "text/csv", data: Buffer.from("a,b").toString("base64") }],
    }),
  }),
};
const filesOf = () => ada.sees().flatMap(({ files }) => files ?? []);

test("a hello that takes its time is waited for; one that never comes is not", async () => {
  server.socketMode.behaviour.helloDelayMs = 400;
  {
    await using slow = await open();
    ada.says("patience");
    await shows("re: patience");
    expect(slow.state.reconnects).toBe(0);
  }
  server.socketMode.behaviour.helloDelayMs = 60_000;
  await using never = await open({}, hasty(100));
  await until("it is said", () => never.error?.includes("then said nothing") === true);
  server.socketMode.behaviour.helloDelayMs = 0;
  ada.says("and now");
  await shows("re: and now");
});

test("a server that answers no ping any more is left for a new connection, and nothing is lost", async () => {
  await using channel = await open({}, hasty(20));
  await channel.connected();
  server.socketMode.behaviour.silent = true;
  await until("it is noticed", () => channel.state.status === "degraded");
  server.socketMode.behaviour.silent = false;
  ada.says("back again?");
  await shows("re: back again?");
  await channel.connected();
  expect(channel.asked.length).toBe(1);
});

test("too many connections of the app make room by one, and a ticket that is used up is asked for anew", async () => {
  await using channel = await open();
  await channel.connected();
  server.socketMode.disconnect("too_many_websockets");
  await until("there is a new one", () => server.socketMode.greeted === 2);
  server.socketMode.spoilTicket();
  server.socketMode.cut();
  ada.says("through?");
  await shows("re: through?");
  expect(channel.asked.length).toBe(1);
});

test.each([
  ["the place for it is refused", () => server.refuse("files.getUploadURLExternal", "file_uploads_disabled")],
  [
    "its bytes are refused",
    () => server.fail("upload", { status: 400, body: "bad" }, Number.POSITIVE_INFINITY),
  ],
  [
    "its bytes are too many",
    () => server.fail("upload", { status: 413, body: "big" }, Number.POSITIVE_INFINITY),
  ],
  ["its end is refused", () => server.refuse("files.completeUploadExternal", "not_in_channel")],
])("a file of which %s is told in words, and what follows is not held up", async (_what, harm) => {
  harm();
  await using channel = await open(withFile);
  ada.says("send");
  ada.says("go on");
  await shows("re: go on");
  expect(texts()[1]).toMatch(/^\(table\.csv: \S/);
  expect(filesOf()).toEqual([]);
  expect(channel.error).toBeNull();
});

test.each([
  ["asking for a place is cut", () => server.fail("files.getUploadURLExternal", "cut")],
  ["its bytes are cut", () => server.fail("upload", "cut")],
  ["the server of its bytes fails", () => server.fail("upload", { status: 503, body: "busy" })],
  ["its end is limited", () => server.slowDown("files.completeUploadExternal", 1)],
])("a file arrives once though %s", async (_what, harm) => {
  harm();
  await using channel = await open(withFile);
  ada.says("send");
  await until("the file is there", () => filesOf().length > 0);
  await until("nothing waits", () => JSON.stringify(channel.state.queue) === '{"in":0,"out":0}');
  expect(filesOf()).toHaveLength(1);
});

test.each([
  ["msg_too_long", "too long for Slack"],
  ["not_in_channel", "the app is not in the channel"],
  ["is_archived", "the channel is archived"],
  ["channel_not_found", "there is no such channel"],
])("%s is given up in words, and what follows is sent", async (code, words) => {
  server.refuse("chat.postMessage", code);
  await using channel = await open();
  ada.says("first");
  await until("it is given up", () => channel.error?.includes(words) === true);
  ada.says("second");
  await shows("re: second");
  await until("nothing is wrong any more", () => channel.error === null);
});

test.each([
  ["is gone", () => server.fail("file", { status: 404, body: "gone" }), "404"],
  [
    "is larger than anything",
    () => server.fail("file", { status: 200, body: Buffer.alloc(26 * 1024 * 1024) }),
    "25 MiB",
  ],
])("a file that came in and %s is named to the agent", async (_what, harm, words) => {
  harm();
  await using channel = await open();
  ada.says("look", { files: [{ name: "a.bin", mimetype: "application/zip", bytes: Buffer.from("x") }] });
  await until("it is asked", () => channel.asked.length === 1);
  expect(channel.asked[0]?.text).toMatch(new RegExp(`^look\\n\\[File not available: a\\.bin: .*${words}`));
});

test("a draft that cannot be edited any more does not stay beside the answer", async () => {
  const prompt: InProcessOptions["prompt"] = async ({ onDelta }) => {
    onDelta?.("be");
    await until("the draft is shown", () => texts().length > 0);
    server.refuse("chat.update", "edit_window_closed", Number.POSITIVE_INFINITY);
    return { sessionId: "s", text: "begun" };
  };
  await using channel = await open({ prompt });
  ada.says("go");
  await until("it is sent", () => channel.state.sent === 1);
  expect(texts()).toEqual(["begun"]);
});

test.each([
  ["cuts the connection", "cut"],
  ["fails", { status: 503, body: "try later" }],
  [
    "is asked too much",
    { status: 429, headers: { "retry-after": "1" }, body: { ok: false, error: "ratelimited" } },
  ],
] as const)(
  "when Slack %s as it is asked for what was missed, that still comes first",
  async (_what, fault) => {
    await using channel = await open();
    await channel.connected();
    ada.says("before");
    await shows("re: before");
    server.fail("conversations.history", fault, 2);
    // Slack has given up delivering this one.
    server.workspace.post(ada.direct, { user: ada.user.id, text: "missed" });
    server.cut();
    ada.says("after");
    await shows("re: after");
    expect(channel.asked.map(({ text }) => text)).toEqual(["before", "missed", "after"]);
  },
);

test("what was said while Slack takes its time to greet comes before what is said then", async () => {
  await using channel = await open();
  await channel.connected();
  ada.says("before");
  await shows("re: before");
  server.socketMode.behaviour.helloDelayMs = 300;
  server.cut();
  await until("it connects", () => server.callsOf("apps.connections.open").length === 2);
  // Slack has given up delivering this one.
  server.workspace.post(ada.direct, { user: ada.user.id, text: "missed" });
  ada.says("after");
  await shows("re: after");
  expect(channel.asked.map(({ text }) => text)).toEqual(["before", "missed", "after"]);
});

test("a channel is known at once as one in which something may be missed", async () => {
  // A second of this clock takes longer than the test.
  await using channel = await open({}, systemClock(0.001));
  ada.says("first");
  await shows("re: first");
  await expect.poll(() => channel.test.ctx.storage.get("slack.last")).toHaveProperty([ada.direct.id]);
});
