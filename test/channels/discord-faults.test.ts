import { type ChannelClock, systemClock } from "@patchbay/plugin-sdk/channel";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startDiscord } from "../../plugins/discord/src/channel.ts";
import { settingsSchema } from "../../plugins/discord/src/settings.ts";
import { DiscordPerson } from "../support/platforms/discord/person.ts";
import { DiscordServer } from "../support/platforms/discord/server.ts";
import { discordToken } from "./discord-platform.ts";
import { InProcess, type InProcessOptions, until } from "./in-process.ts";

/** The rows of the fact sheet on what Discord does when something goes wrong, beyond those of the other file. */
let server: DiscordServer;
let ada: DiscordPerson;

beforeEach(async () => {
  server = await DiscordServer.open({ token: discordToken });
  ada = new DiscordPerson(server, "ada");
});
afterEach(() => server[Symbol.asyncDispose]());

function open(options: InProcessOptions = {}, clock: ChannelClock = systemClock(50)): Promise<InProcess> {
  const base = { token: discordToken, apiUrl: server.apiUrl, owners: [ada.user.id], joinSeconds: 0 };
  return InProcess.start((ctx) => startDiscord(settingsSchema.parse(base), ctx, clock), options);
}

const texts = () => ada.sees().map(({ content }) => content);
const shows = (text: string) => until(`Ada sees "${text}"`, () => texts().includes(text));
const post = "POST /channels/:id/messages";
const withFile: InProcessOptions = {
  prompt: async ({ text }) => ({
    sessionId: "s",
    text: `re: ${text}`,
    ...(text === "send" && {
      attachments: [{ name: "table.csv", mimeType: "text/csv", data: Buffer.from("a,b").toString("base64") }],
    }),
  }),
};
const filesOf = () => ada.sees().flatMap(({ attachments }) => attachments);

test("a gateway that acknowledges no heartbeat is left, and the session is taken up where it was", async () => {
  server.gateway.behaviour.heartbeatMs = 150;
  await using channel = await open();
  await channel.connected();
  ada.says("before");
  await shows("re: before");
  server.gateway.behaviour.acksHeartbeats = false;
  await until("it is taken up again", () => server.gateway.resumed > 0);
  server.gateway.behaviour.acksHeartbeats = true;
  ada.says("after");
  await shows("re: after");
  expect(channel.asked.map(({ text }) => text)).toEqual(["before", "after"]);
  await until("all is well", () => channel.state.status === "connected" && channel.error === null);
});

test.each(["saysHello", "sendsReady"] as const)(
  "a gateway that is connected and never comes to the point (%s) is given up and tried again",
  async (what) => {
    server.gateway.behaviour[what] = false;
    const clock = systemClock(50);
    const hasty = { ...clock, limit: (ms: number, act: () => void) => clock.limit(ms / 60, act) };
    await using channel = await open({}, hasty);
    await until("it is said", () => channel.error?.includes("then said nothing") === true);
    server.gateway.behaviour[what] = true;
    await channel.connected();
    // The one that was given up does not come back by itself.
    await until("there is one session", () => server.gateway.connected === 1);
    ada.says("and now");
    await shows("re: and now");
    expect(channel.asked.length).toBe(1);
  },
);

test.each([
  ["leaves the session to be taken up again", [4001, 4002, 4200]],
  ["ends the session, and the next one catches up", [1000, 1001, 4003, 4005, 4007, 4008]],
])("a close code that %s: %j; nothing is lost or answered twice", async (_what, codes) => {
  // Discord lets a bot identify every five seconds: side by side, each with a gateway of its own.
  await Promise.all(codes.map((code) => closedWith(code)));
});

async function closedWith(code: number): Promise<void> {
  await using own = await DiscordServer.open({ token: discordToken });
  // Not all of them are noticed as they come; a heartbeat without an answer is.
  own.gateway.behaviour.heartbeatMs = 500;
  const person = new DiscordPerson(own, "ada");
  const settings = { token: discordToken, apiUrl: own.apiUrl, owners: [person.user.id], joinSeconds: 0 };
  await using channel = await InProcess.start((ctx) =>
    startDiscord(settingsSchema.parse(settings), ctx, systemClock(50)),
  );
  await channel.connected();
  const hears = (text: string) =>
    until(`after ${code} Ada sees "${text}"`, () => person.sees().some(({ content }) => content === text));
  person.says("before");
  await hears("re: before");
  own.gateway.close(code);
  if (code < 4000 || [4003, 4005, 4007, 4008].includes(code)) own.gateway.forget();
  person.says("meanwhile");
  await hears("re: meanwhile");
  expect([code, ...channel.asked.map(({ text }) => text)]).toEqual([code, "before", "meanwhile"]);
}

test.each([4010, 4011, 4012, 4013])(
  "close code %i is said, waited for long, and does not keep the bot away for good",
  async (code) => {
    server.gateway.behaviour.closeOnIdentify = code;
    await using channel = await open();
    await until("it is over", () => channel.state.status === "degraded");
    expect(channel.error).toContain(`(${code})`);
    expect(server.gateway.identified).toBe(0);
    await channel.connected();
    expect(channel.error).toBeNull();
  },
);

test("a session that is invalid for a moment is taken up again", async () => {
  await using channel = await open();
  await channel.connected();
  ada.says("before");
  await shows("re: before");
  server.gateway.invalidate(true);
  await until("it is taken up again", () => server.gateway.resumed > 0);
  ada.says("after");
  await shows("re: after");
});

test("an application that has used up its sessions waits, and is told so", async () => {
  server.fail("GET /gateway/bot", {
    status: 200,
    body: {
      url: server.origin.replace("http", "ws"),
      shards: 1,
      session_start_limit: { total: 1000, remaining: 0, reset_after: 200, max_concurrency: 1 },
    },
  });
  await using channel = await open();
  await channel.connected();
  ada.says("at last");
  await shows("re: at last");
});

test.each([
  [403, 50013, "Missing Permissions", "lacks a permission"],
  [403, 50001, "Missing Access", "may not see this channel"],
  [404, 10003, "Unknown Channel", "Unknown Channel"],
  [400, 50035, "Invalid Form Body", "Invalid Form Body"],
])(
  "status %i with code %i is given up in words, and what follows is sent",
  async (status, code, message, words) => {
    server.refuse(post, status, code, message);
    await using channel = await open();
    await channel.connected();
    ada.says("first");
    await until("it is given up", () => channel.error?.includes(words) === true);
    ada.says("second");
    await shows("re: second");
    await until("nothing is wrong any more", () => channel.error === null);
    expect(server.callsOf(post).length).toBe(2);
  },
);

test.each(["user", "shared", "global"] as const)(
  "a limit of the kind %s is waited for, and it is sent once",
  async (kind) => {
    server.slowDown(post, 1, kind);
    await using channel = await open();
    await channel.connected();
    ada.says("patience");
    await shows("re: patience");
    expect(texts()).toEqual(["re: patience"]);
  },
);

test("a draft that is too old to be edited (30046) does not stay beside the answer", async () => {
  const prompt: InProcessOptions["prompt"] = async ({ onDelta }) => {
    onDelta?.("be");
    await until("the draft is shown", () => texts().length > 0);
    const message = "Maximum number of edits to messages older than 1 hour reached";
    server.refuse("PATCH /channels/:id/messages/:id", 400, 30046, message, Number.POSITIVE_INFINITY);
    return { sessionId: "s", text: "begun" };
  };
  await using channel = await open({ prompt });
  await channel.connected();
  ada.says("go");
  await until("it is sent", () => channel.state.sent === 1);
  expect(texts()).toEqual(["begun"]);
  expect(channel.error).toBeNull();
});

test.each([
  ["it is too large", { status: 413, body: { message: "Request entity too large", code: 40005 } }],
  ["it is too large for what stands before Discord", { status: 413, body: "<html>413</html>" }],
  ["a permission is missing", { status: 403, body: { message: "Missing Permissions", code: 50013 } }],
])(
  "a file that is refused because %s is told in words, and what follows is not held up",
  async (_why, fault) => {
    await using channel = await open(withFile);
    await channel.connected();
    ada.says("first");
    await shows("re: first");
    server.fail(`${post} with file`, fault, Number.POSITIVE_INFINITY);
    ada.says("send");
    ada.says("go on");
    await shows("re: go on");
    expect(texts()[2]).toMatch(/^\(table\.csv: (larger than Discord takes|the bot lacks a permission)/);
    expect(filesOf()).toEqual([]);
    expect(channel.error).toBeNull();
  },
);

test.each(["cut", "cut-after"] as const)("a file whose upload is %s arrives once", async (fault) => {
  server.fail(`${post} with file`, fault);
  await using channel = await open(withFile);
  await channel.connected();
  ada.says("send");
  await until("it is there", () => filesOf().length > 0);
  await until("nothing waits", () => JSON.stringify(channel.state.queue) === '{"in":0,"out":0}');
  expect(filesOf()).toHaveLength(1);
});

test("a file whose address has expired is fetched at its new one; one that is gone is named to the agent", async () => {
  const file = (name: string) => ({ name, type: "text/plain", bytes: Buffer.from(`the ${name}`) });
  await using channel = await open();
  await channel.connected();
  ada.says("old", { files: [file("notes")] });
  server.expireFiles();
  await until("it is asked", () => channel.asked.length === 1);
  expect(Buffer.from(channel.asked[0]?.attachments?.[0]?.data ?? "", "base64").toString()).toBe("the notes");
  server.fail("file", { status: 403, body: "This content is no longer available." });
  ada.says("gone", { files: [file("gone.txt")] });
  await until("it is asked", () => channel.asked.length === 2);
  expect(channel.asked[1]?.text).toMatch(/^gone\n\[File not available: gone\.txt: .*403/);
  server.fail("file", { status: 200, body: Buffer.alloc(26 * 1024 * 1024) });
  ada.says("huge", { files: [file("huge.bin")] });
  await until("it is asked", () => channel.asked.length === 3);
  expect(channel.asked[2]?.text).toContain("huge.bin: larger than 25 MiB");
});

test("a button that is pressed too late, or twice, decides all the same", async () => {
  await using channel = await open();
  await channel.connected();
  ada.says("hello");
  await shows("re: hello");
  channel.ask({ tool: "shell" });
  await until("it is asked", () => channel.state.sent === 2);
  const asking = ada.sees().find(({ components }) => components?.length);
  if (!asking) throw new Error("Nothing was asked.");
  server.refuse("POST /interactions/:id/:token/callback", 404, 10062, "Unknown interaction");
  ada.presses(ada.direct, asking, "Allow");
  await until("it is decided", () => channel.decided.length === 1);
  expect(channel.decided).toEqual([`7 allow ${ada.user.id}`]);
  ada.says("still there?");
  await shows("re: still there?");
});

test.each([
  ["cuts the connection, asked for what was missed", "GET /channels/:id/messages", "cut"],
  ["fails, asked for what was missed", "GET /channels/:id/messages", { status: 503, body: {} }],
  ["fails, asked what channel it was in", "GET /channels/:id", { status: 503, body: {} }],
] as const)("when Discord %s, that still comes first", async (_what, route, fault) => {
  const seen = ada.says("before");
  ada.says("missed");
  server.fail(route, fault, 2);
  await using channel = await open({ storage: { "discord.last": { [ada.direct.id]: seen.id } } });
  await until("Discord was asked", () => server.callsOf(route).length > 0);
  ada.says("after");
  await shows("re: after");
  expect(channel.asked.map(({ text }) => text)).toEqual(["missed", "after"]);
});

test("a channel is known at once as one in which something may be missed", async () => {
  // A second of this clock takes longer than the test.
  await using channel = await open({}, systemClock(0.001));
  await channel.connected();
  ada.says("first");
  await shows("re: first");
  await expect.poll(() => channel.test.ctx.storage.get("discord.last")).toHaveProperty([ada.direct.id]);
});
