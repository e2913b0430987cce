import { runChannel } from "@patchbay/plugin-sdk/channel";
import { afterEach, expect, it } from "vitest";
import irc from "../../plugins/irc/src/index.ts";
import { channelSchema } from "../../plugins/irc/src/settings.ts";
import { IrcTransport } from "../../plugins/irc/src/transport.ts";
import { InProcess, type InProcessOptions, until } from "./in-process.ts";
import { type IrcScript, ScriptedIrc } from "./irc/scripted-irc.ts";
import { fastClock } from "./transport-desk.ts";

/** The rows of the fact sheet on what IRC servers do when something goes wrong, beyond those of the other file. */
const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

async function open(script: IrcScript, settings: Record<string, unknown> = {}, more: InProcessOptions = {}) {
  const server = await ScriptedIrc.open(script);
  closing.push(server);
  const base = { server: "127.0.0.1", port: server.port, encrypted: false, nick: "ada", owners: ["olga"] };
  const { channel } = irc.parseConfig({ channel: { ...base, joinSeconds: 0, timeScale: 500, ...settings } });
  const bot = await InProcess.start((ctx) => irc.channel.start(channel, ctx), more);
  closing.push(bot);
  return { server, bot };
}

/** What others may take passes faster as well. */
async function hasty(more: InProcessOptions = {}, script: IrcScript = {}) {
  const server = await ScriptedIrc.open(script);
  closing.push(server);
  const { port } = server;
  const settings = channelSchema.parse({ server: "127.0.0.1", port, encrypted: false, nick: "ada" });
  const clock = fastClock(100);
  const access = { owners: ["olga!o@host", "olga"], users: [], everyone: false, groups: [] };
  const transport = new IrcTransport(settings, clock);
  const bot = await InProcess.start(
    (ctx) => runChannel({ name: "IRC", transport, access, clock }, ctx),
    more,
  );
  closing.push(bot);
  return { server, bot };
}

const olga = "@account=olga :olga!o@host PRIVMSG";

it.each([
  ["403", "there is no such channel"],
  ["405", "the bot is in too many channels"],
  ["471", "the channel is full"],
  ["473", "the bot must be invited"],
  ["474", "the bot is banned there"],
  ["477", "only signed-in accounts may enter"],
])("a channel that answers %s is named with its reason, and the rest goes on", async (code, words) => {
  const { server, bot } = await open({ joins: { "#team": code } }, { channels: ["#team", "#tea"] });
  await until("told", () => bot.error?.includes(`#team cannot be entered: ${words}`) === true);
  expect(server.lines).toContain("JOIN #tea");
  server.say(`${olga} ada :hello`);
  await until("answered", () => server.said("olga").length === 1);
});

it.each([
  ["a KILL", (server: ScriptedIrc) => server.say("ERROR :Closing Link: ada (Killed (op (bye)))")],
  ["a shutdown", (server: ScriptedIrc) => server.say("ERROR :Server going down")],
])("after %s the bot comes back, and answers", async (_what, harm) => {
  const { server, bot } = await open({});
  await bot.connected();
  harm(server);
  server.hangUp();
  await until("it is back", () => server.connections === 2 && bot.state.status === "connected");
  server.say(`${olga} ada :back?`);
  await until("answered", () => server.said("olga").includes("re: back?"));
  expect(bot.error).toBeNull();
});

it("a server that answers no PING any more is left, and what was not confirmed is sent again", async () => {
  const answer = Promise.withResolvers<{ sessionId: string; text: string }>();
  const { server, bot } = await hasty({ prompt: () => answer.promise });
  await bot.connected();
  server.say(`${olga} ada :hello`);
  await until("asked", () => bot.asked.length === 1);
  server.script.mute = true;
  answer.resolve({ sessionId: "s", text: "the answer" });
  await until("it is noticed", () => bot.error?.includes("stopped answering") === true);
  expect(bot.state.queue).toEqual({ in: 0, out: 1 });
  server.script.mute = false;
  await until("sent", () => JSON.stringify(bot.state.queue) === '{"in":0,"out":0}');
  expect(server.said("olga").at(-1)).toBe("the answer");
  expect(server.connections).toBeGreaterThan(1);
});

it("a server that takes the connection and says nothing is tried again", async () => {
  const { server, bot } = await hasty({}, { speechless: true });
  await until("told", () => bot.error?.includes("then said nothing") === true);
  server.script.speechless = false;
  await bot.connected();
  server.say(`${olga} ada :hello`);
  await until("answered", () => server.said("olga").length === 1);
});

it("a nick that is held back (437) is replaced for now", async () => {
  const { bot } = await open({ nicks: { ada: "437" } });
  await bot.connected();
  expect(bot.state.account).toBe("ada_ on Script");
});

it("a list of mechanisms (908) before the refusal changes nothing of it", async () => {
  const caps = "sasl=PLAIN message-tags";
  const { bot } = await open({ caps, sasl: "908" }, { account: "ada", password: "s3cret-word" });
  await until("given up", () => bot.state.status === "needs-login");
  expect(bot.words).not.toContain("s3cret");
});

it("lines longer than any server may send, and bytes that are no line, do no harm", async () => {
  const { server, bot } = await open({});
  await bot.connected();
  server.say(`${olga} ada :${"x".repeat(100_000)}`);
  server.sayBytes(Buffer.from([0x00, 0xff, 0x0d, 0x0a, 0x3a, 0x0d, 0x0a, 0x0d, 0x0a]));
  server.say(`${olga} ada :after it`);
  await until("answered", () => server.said("olga").includes("re: after it"));
  expect(bot.state.reconnects).toBe(0);
});
