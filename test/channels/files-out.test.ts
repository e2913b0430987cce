import type { ChannelAgent } from "@patchbay/plugin-sdk";
import { afterEach, describe, expect, it } from "vitest";
import irc from "../../plugins/irc/src/index.ts";
import signal from "../../plugins/signal/src/index.ts";
import xmpp from "../../plugins/xmpp/src/index.ts";
import { person } from "../support/platforms/signal/accounts.ts";
import { SignalServer } from "../support/platforms/signal/server.ts";
import { InProcess, until } from "./in-process.ts";
import { ScriptedIrc } from "./irc/scripted-irc.ts";
import { XmppPlatform } from "./xmpp/xmpp-platform.ts";

/** Files that go out where the upload fails, or where there is none; of the other platforms in their own files. */
const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

/** Answers `send` with a file beside the words. */
function withFile(bytes = Buffer.from("a,b")): { prompt: ChannelAgent["prompt"] } {
  const attachments = [{ name: "table.csv", mimeType: "text/csv", data: bytes.toString("base64") }];
  return {
    prompt: async ({ text }) => ({
      sessionId: "s",
      text: `re: ${text}`,
      ...(text === "send" && { attachments }),
    }),
  };
}

const idle = (bot: InProcess) => () => JSON.stringify(bot.state.queue) === '{"in":0,"out":0}';

describe("Signal", () => {
  const ada = person("Ada", "+491000000");
  const olga = person("Olga", "+491000001");

  async function open(harm: (server: SignalServer) => void, language?: string) {
    const server = await SignalServer.open();
    closing.push(server);
    server.addAccount(ada);
    const settings = {
      server: server.origin,
      number: ada.number,
      owners: [olga.number],
      joinSeconds: 0,
      timeScale: 400,
    };
    const { channel } = signal.parseConfig({ channel: settings });
    const bot = await InProcess.start((ctx) => signal.channel.start(channel, ctx), {
      ...withFile(),
      ...(language && { language }),
    });
    closing.push(bot);
    await bot.connected();
    const say = (text: string) => server.say(ada.number ?? "", olga, { text });
    say("first");
    await until("answered", () => server.delivered.length === 1);
    harm(server);
    say("send");
    say("go on");
    await until("answered", () => server.delivered.some(({ message }) => message === "re: go on"));
    await until("nothing waits", idle(bot));
    return { server, bot };
  }

  const fileFails = (server: SignalServer, fault: Parameters<SignalServer["fail"]>[1]) =>
    server.fail("POST /v2/send with file", fault);

  it.each([
    [413, "<html>413 Request Entity Too Large</html>"],
    [400, { error: "attachment cannot be read" }],
  ])("tells in words that the server refused a file with %i, and goes on", async (status, body) => {
    const { server, bot } = await open((one) => fileFails(one, { status, body }));
    expect(server.delivered.map(({ message }) => message)).toEqual([
      "re: first",
      "re: send",
      expect.stringMatching(/^\\?\(table\.csv: Signal did not take the message: /),
      "re: go on",
    ]);
    expect(bot.error).toBeNull();
  });

  it("tells it in German where the chats are German", async () => {
    const body = { error: "attachment cannot be read" };
    const { server } = await open((one) => fileFails(one, { status: 400, body }), "de");
    expect(server.delivered.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^\\?\(table\.csv: Signal hat die Nachricht nicht angenommen: /),
    );
  });

  it.each([
    ["is cut", "cut" as const],
    ["meets a failure of the server", { status: 500, body: { error: "busy" } }],
    ["is too much for now", { status: 429, body: { error: "slow down", challenge_tokens: [] } }],
  ])("sends a file once whose upload %s", async (_what, fault) => {
    const { server } = await open((one) => fileFails(one, fault));
    const files = server.delivered.flatMap(({ attachments }) => attachments);
    expect(files.map(({ name, bytes }) => [name, String(bytes)])).toEqual([["table.csv", "a,b"]]);
  });
});

it("XMPP: a file that the server takes not is told in words, and what follows is sent", async () => {
  const platform = await XmppPlatform.open();
  closing.push({ [Symbol.asyncDispose]: () => platform.close() });
  const settings = { ...platform.settings().config.channel, password: "secret-of-ada" };
  const { channel } = xmpp.parseConfig({ channel: settings });
  // prosody takes ten megabytes.
  const large = withFile(Buffer.alloc(11 * 1024 * 1024));
  const bot = await InProcess.start((ctx) => xmpp.channel.start(channel, ctx), large);
  closing.push(bot);
  await platform.connected();
  await platform.say("owner", "send");
  await platform.say("owner", "go on");
  await until("answered", () => platform.heard("owner").includes("re: go on"));
  expect(platform.heard("owner")).toEqual([
    "re: send",
    expect.stringMatching(/^\(table\.csv: the server did not take it: .*too large/i),
    "re: go on",
  ]);
  expect(bot.error).toBeNull();
});

it("IRC: where there are no files, a sentence says so", async () => {
  const server = await ScriptedIrc.open();
  closing.push(server);
  const { port } = server;
  const settings = {
    server: "127.0.0.1",
    port,
    encrypted: false,
    nick: "ada",
    owners: ["olga"],
    joinSeconds: 0,
    timeScale: 500,
  };
  const { channel } = irc.parseConfig({ channel: settings });
  const bot = await InProcess.start((ctx) => irc.channel.start(channel, ctx), withFile());
  closing.push(bot);
  await bot.connected();
  server.say("@account=olga :olga!o@host PRIVMSG ada :send");
  await until("answered", () => server.said("olga").length === 2);
  expect(server.said("olga")).toEqual(["re: send", "(table.csv: files cannot be sent here)"]);
});
