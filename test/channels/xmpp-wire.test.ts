import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import type { SetupState } from "@patchbay/plugin-sdk";
import { runSetup } from "@patchbay/plugin-sdk/test";
import { xml } from "@xmpp/client";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import german from "../../plugins/xmpp/locales/de.json" with { type: "json" };
import xmpp from "../../plugins/xmpp/src/index.ts";
import { settingsSchema } from "../../plugins/xmpp/src/settings.ts";
import { InProcess, type InProcessOptions, until } from "./in-process.ts";
import { passOn } from "./tcp-proxy.ts";
import { XmppPlatform } from "./xmpp/xmpp-platform.ts";

const ROOM = "team@conference.localhost";
const BOT = "ada@localhost";
let platform: XmppPlatform;
const closing: AsyncDisposable[] = [];

beforeAll(async () => {
  platform = await XmppPlatform.open();
});
afterAll(() => platform.close());
beforeEach(() => {
  for (const person of Object.values(platform.people)) person.heard.length = 0;
});
afterEach(async () => {
  for (const one of closing.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

async function open(settings: Record<string, unknown> = {}, more: InProcessOptions = {}): Promise<InProcess> {
  const {
    roomSettings: _,
    rooms: [team],
    ...common
  } = platform.settings().config.channel;
  const base = { ...common, rooms: [team], password: "secret-of-ada" };
  const { channel } = xmpp.parseConfig({ channel: { ...base, ...settings } });
  const bot = await InProcess.start((ctx) => xmpp.channel.start(channel, ctx), more);
  closing.push(bot);
  return bot;
}

const heard = (text: string) => () => platform.heard("owner").some((message) => message.includes(text));
const admin = (room: string, item: Record<string, string>) =>
  platform.people.owner.request(
    xml(
      "iq",
      { type: "set", to: room },
      xml("query", { xmlns: "http://jabber.org/protocol/muc#admin" }, xml("item", item)),
    ),
  );

describe("signing in", () => {
  it.each([
    ["a wrong password", { password: "guessed-it" }, "needs-login", /did not accept the password/],
    ["a server that offers no encryption", { encrypted: true }, "degraded", /offers no encryption/],
    [
      "a domain that the server does not know",
      { jid: "ada@nowhere.example" },
      "degraded",
      /does not know the domain/,
    ],
  ])("ends with %s, in words", async (_what, settings, status, sentence) => {
    const bot = await open(settings);
    await until("given up", () => bot.state.status === status);
    expect(bot.error).toMatch(sentence);
    expect(bot.credentialsRefused.at(-1)).toBe(status === "needs-login");
    expect(bot.words).not.toMatch(/guessed|secret-of/);
  });
});

describe("after a short cut", () => {
  it("takes up where it was: what was said meanwhile is answered once, and it never left its room", async () => {
    const bot = await open();
    await bot.connected();
    await platform.connected();
    platform.proxy.refusing = true;
    platform.proxy.cut();
    await until("noticed", () => bot.state.status === "degraded");
    await platform.say("owner", "in between");
    await platform.say("user", "in the room", { place: "group" });
    platform.proxy.refusing = false;
    await until("answered", heard("re: in between"));
    await until("answered in the room", () => platform.heard("user", "group").length > 0);
    await bot.connected();
    expect(bot.asked.map(({ text }) => text).sort()).toEqual(["in between", "in the room"]);
    expect(platform.heard("owner")).toEqual(["re: in between"]);
    expect(bot.error).toBeNull();
  });

  it("sends an answer once that was on its way", async () => {
    let answer = (_: { sessionId: string; text: string }) => {};
    const prompt = () =>
      new Promise<{ sessionId: string; text: string }>((resolve) => {
        answer = resolve;
      });
    const bot = await open({}, { prompt });
    await bot.connected();
    await platform.say("owner", "hello");
    await until("asked", () => bot.asked.length === 1);
    platform.proxy.silent = true;
    answer({ sessionId: "s", text: "the answer" });
    await until("it is on its way", () => JSON.stringify(bot.state.queue) === '{"in":0,"out":1}');
    platform.proxy.cut();
    platform.proxy.silent = false;
    await until("delivered", () => JSON.stringify(bot.state.queue) === '{"in":0,"out":0}');
    await until("heard", heard("the answer"));
    expect(platform.heard("owner")).toEqual(["the answer"]);
  });

  it("is told to the server as received only when it is safe: else the server gives it again", async () => {
    const first = await open();
    await first.connected();
    const set = first.test.ctx.storage.set;
    first.test.ctx.storage.set = () => new Promise(() => {});
    await platform.say("owner", "not yet safe");
    await until("it is being stored", () => JSON.stringify(first.state.queue) === '{"in":1,"out":0}');
    const storage = Object.fromEntries(first.test.storage);
    platform.proxy.refusing = true;
    platform.proxy.cut();
    await until("gone", () => first.state.status === "degraded");
    closing.splice(closing.indexOf(first), 1);
    first.test.ctx.storage.set = set;
    first.test.abort();
    platform.proxy.refusing = false;
    const second = await open({}, { storage });
    await until("answered", heard("re: not yet safe"));
    expect(second.asked.map(({ text }) => text)).toEqual(["not yet safe"]);
  });
});

describe("what the server sends", () => {
  it("is read whole when its letters come in pieces", async () => {
    const bot = await open();
    await bot.connected();
    platform.proxy.pieces = 3;
    const text = "Grüße 🧰, こんにちは, 你好, здравствуйте";
    await platform.say("owner", text);
    await until("asked", () => bot.asked.length === 1);
    platform.proxy.pieces = null;
    expect(bot.asked[0]?.text).toBe(text);
  });

  it("after the end of its stream ends nothing here: it is tried again", async () => {
    const header =
      "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' " +
      "from='localhost' id='1' version='1.0'>";
    let connections = 0;
    const server = createSocketServer((socket) => {
      connections += 1;
      socket.on("error", () => {});
      socket.once(
        "data",
        () => void passOn([`${header}</stream:stream>`, "\n"], socket).then(() => socket.destroy()),
      );
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const bot = await open({ host: `127.0.0.1:${(server.address() as AddressInfo).port}` });
      await until("tried again", () => connections > 2);
      await until("it says so", () => bot.state.status === "degraded");
    } finally {
      server.close();
    }
  });
});

describe("rooms", () => {
  it("comes back after it was thrown out, once", async () => {
    const bot = await open();
    await platform.connected();
    await admin(ROOM, { nick: "ada", role: "none" });
    await bot.told("not in team@conference.localhost any more: it was thrown out");
    await platform.connected();
    await until("all is well", () => bot.error === null);
    await platform.say("user", "welcome back", { place: "group" });
    await until("answered", () => platform.heard("user", "group").includes("re: welcome back"));
  });

  it("says that it is banned", async () => {
    const room = `banned-${Date.now()}@conference.localhost`;
    const bot = await open({ rooms: [room] });
    const enter = xml("x", { xmlns: "http://jabber.org/protocol/muc" });
    await bot.connected();
    // The bot made this room and owns it; the ban is its own.
    await platform.people.owner.send(xml("presence", { to: `${ROOM}/olga` }, enter));
    await admin(ROOM, { jid: BOT, affiliation: "outcast" });
    const other = await open();
    await until("told", () => other.error !== null);
    expect(other.error).toContain(`${ROOM} cannot be entered: it is banned there`);
    await admin(ROOM, { jid: BOT, affiliation: "none" });
  });

  it("has another name where its own is taken, and is spoken to by that", async () => {
    const enter = xml("x", { xmlns: "http://jabber.org/protocol/muc" });
    await platform.people.stranger.send(xml("presence", { to: `${ROOM}/ada` }, enter));
    const bot = await open();
    await bot.connected();
    const seen = () => platform.people.user.stanzas.map((stanza) => /\/(ada-[0-9a-f]{4})"/.exec(stanza)?.[1]);
    await until("it is there", () => seen().some((name) => name !== undefined));
    const nick = seen().findLast((name) => name !== undefined);
    await platform.people.user.say(ROOM, "groupchat", `${nick}: is it you?`);
    await until("answered", () => platform.heard("user", "group").includes("re: is it you?"));
    await platform.people.stranger.send(xml("presence", { to: `${ROOM}/stan` }, enter));
  });
});

describe("what comes in", () => {
  it("is no reason to answer when it is a correction, a reaction, an error, a headline or whispered in a room", async () => {
    const bot = await open();
    await platform.connected();
    const { owner } = platform.people;
    await owner.say(
      BOT,
      "chat",
      "corrected",
      xml("replace", { xmlns: "urn:xmpp:message-correct:0", id: "x" }),
    );
    const reaction = xml("reactions", { xmlns: "urn:xmpp:reactions:0", id: "x" }, xml("reaction", {}, "👍"));
    await owner.send(xml("message", { to: BOT, type: "chat", id: "r" }, reaction));
    await owner.send(xml("message", { to: BOT, type: "headline", id: "h" }, xml("body", {}, "news")));
    const failed = xml("error", { type: "cancel" });
    await owner.send(xml("message", { to: BOT, type: "error", id: "e" }, xml("body", {}, "lost"), failed));
    await owner.say(`${ROOM}/ada`, "chat", "whispered");
    await platform.say("owner", "now answer");
    await until("answered", heard("re: now answer"));
    expect(bot.asked.map(({ text }) => text)).toEqual(["now answer"]);
  });

  it("is confirmed to people who asked for it and whom it knows, and shown to be worked on", async () => {
    await open();
    await platform.connected();
    const { owner, stranger } = platform.people;
    const request = () => xml("request", { xmlns: "urn:xmpp:receipts" });
    await owner.say(BOT, "chat", "are you there", request());
    await stranger.say(BOT, "chat", "are you there", request());
    await until("answered", heard("re: are you there"));
    const told = (stanzas: readonly string[]) =>
      stanzas.filter((stanza) => /<received|<composing/.test(stanza));
    await until("confirmed", () => told(owner.stanzas).some((stanza) => stanza.includes("<received")));
    expect(told(owner.stanzas).some((stanza) => stanza.includes("<composing"))).toBe(true);
    expect(told(stranger.stanzas)).toEqual([]);
  });

  it("may be a file, which is fetched from hosts that are expected and no others", async () => {
    const files = createServer((request, response) => response.end(`bytes of ${request.url}`));
    await new Promise<void>((ready) => files.listen(0, "127.0.0.1", ready));
    const address = `http://127.0.0.1:${(files.address() as AddressInfo).port}/note.txt`;
    const bot = await open();
    await platform.connected();
    const oob = (url: string) => xml("x", { xmlns: "jabber:x:oob" }, xml("url", {}, url));
    await platform.people.owner.say(BOT, "chat", address, oob(address));
    await until("asked", () => bot.asked.length === 1);
    const elsewhere = address.replace("127.0.0.1", "localhost.example");
    await platform.people.owner.say(BOT, "chat", elsewhere, oob(elsewhere));
    await until("asked again", () => bot.asked.length === 2);
    expect(bot.asked[0]).toMatchObject({
      text: "",
      attachments: [
        {
          name: "note.txt",
          mimeType: "text/plain",
          data: Buffer.from("bytes of /note.txt").toString("base64"),
        },
      ],
    });
    expect(bot.asked[1]?.attachments).toBeUndefined();
    expect(bot.asked[1]?.text).toContain("not where files are expected");
    files.close();
  });
});

describe("what goes out", () => {
  it("of 300,000 characters comes in messages that no server refuses, with nothing that XML cannot carry", async () => {
    const text = `\u0001\uffff${"many words ".repeat(27_000)}`;
    const bot = await open({}, { prompt: async () => ({ sessionId: "s", text }) });
    await platform.connected();
    await platform.say("owner", "everything");
    await until("sent", () => JSON.stringify(bot.state.queue) === '{"in":0,"out":0}' && bot.state.sent === 1);
    // The server has taken all of it; the owner has read it when the answer to a later question is there.
    await platform.people.owner.synced();
    const words = platform.heard("owner").join(" ").split(/\s+/).filter(Boolean);
    expect(words.length).toBe(54_000);
    expect(bot.state.reconnects).toBe(0);
  });

  it("may be a file, which the server keeps", async () => {
    const data = Buffer.from("drawn by the agent").toString("base64");
    const attachments = [{ name: "drawing.txt", mimeType: "text/plain", data }];
    await open({}, { prompt: async () => ({ sessionId: "s", text: "Here it is.", attachments }) });
    await platform.connected();
    await platform.say("owner", "draw");
    await until("there", heard("drawing.txt"));
    const [text, address] = platform.heard("owner");
    expect(text).toBe("Here it is.");
    expect(await (await fetch(address ?? "")).text()).toBe("drawn by the agent");
  });

  it("of an approval is corrected when it is decided", async () => {
    const bot = await open();
    await platform.connected();
    bot.ask({ arguments: '{"url":"x"}' });
    await until("asked", heard("approve 7"));
    bot.settle("expired");
    await until("corrected", heard("expired, so it was refused"));
    expect(platform.heard("owner")).toHaveLength(1);
  });
});

/** What a page of the setup says above its fields. */
const instructionsOf = (state: SetupState | undefined) =>
  state?.kind === "awaiting_user_input" ? (state.instructions ?? "") : "";

describe("the setup", () => {
  it("ends connected, with the settings to store", async () => {
    const passwords = ["wrong", "secret-of-ada"];
    const { states, config } = await runSetup(xmpp, {
      answer: (state) =>
        state.kind === "awaiting_user_input" && state.fields[0]?.key === "jid"
          ? { jid: BOT, password: passwords.shift(), host: `127.0.0.1:${platform.server.port}` }
          : { owners: "olga@localhost", rooms: ROOM },
    });
    expect(JSON.stringify(states[2])).toContain("did not accept the password");
    expect(states.at(-1)).toMatchObject({ kind: "done", account: BOT });
    expect(config).toMatchObject({ jid: BOT, owners: ["olga@localhost"], rooms: [ROOM], encrypted: false });
    expect(() => xmpp.parseConfig({ channel: config ?? {} })).not.toThrow();
  });

  it("says that without an owner nobody is answered before somebody was let in, and it is so", async () => {
    const { states, config } = await runSetup(xmpp, {
      answer: (state) =>
        state.kind === "awaiting_user_input" && state.fields[0]?.key === "jid"
          ? { jid: BOT, password: "secret-of-ada", host: `127.0.0.1:${platform.server.port}` }
          : {},
    });
    const people = instructionsOf(states[1]);
    expect(people).toContain("Until somebody is named or let in, nobody is answered.");
    expect(new Map(Object.entries(german)).get(people)).toContain("bekommt niemand eine Antwort");
    const { everyone, strangers, owners } = settingsSchema.parse(config);
    expect([everyone, strangers, owners]).toEqual([false, "pair", []]);
  });
});
