import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { until } from "./in-process.ts";
import { sideBySide } from "./side-by-side.ts";
import { BOT, ROOM, XmppBench } from "./xmpp/bench.ts";
import { Ejabberd } from "./xmpp/ejabberd.ts";
import { XmppPerson } from "./xmpp/xmpp-person.ts";

/** It is never down for good while it is switched on: what throws it out, and what brings it back. */
sideBySide("it comes back", ["prosody", "ejabberd"], (server) => {
  let bench: XmppBench;
  beforeAll(async () => {
    bench = await XmppBench.open(server);
  });
  afterEach(() => bench.reset());
  afterAll(() => bench.platform.close());

  const answersInTheRoom = async (text: string) => {
    await bench.platform.connected();
    await bench.platform.say("user", text, { place: "group" });
    await until("answered", bench.inRoom(`re: ${text}`));
  };

  it("into a room from which it was banned, when the ban is lifted", async () => {
    const bot = await bench.bot();
    await bench.platform.connected();
    await bench.admin({ jid: BOT, affiliation: "outcast" });
    await bot.told(`${ROOM} cannot be entered: it is banned there`);
    await bench.admin({ jid: BOT, affiliation: "none" });
    await until("all is well", () => bot.error === null);
    await answersInTheRoom("unbanned");
  });

  it("into a room from which it was thrown out three times", async () => {
    const bot = await bench.bot();
    for (const time of ["one", "two", "three"]) {
      await bench.platform.connected();
      await bench.admin({ nick: "ada", role: "none" });
      await bot.told("it was thrown out");
      await until(`back, time ${time}`, () => bot.error === null);
    }
    await answersInTheRoom("thrown out");
  });

  it("into a room for members, when it is made one", async () => {
    for (const jid of ["uma@localhost", "stan@localhost"]) await bench.admin({ jid, affiliation: "member" });
    await bench.configure({ "muc#roomconfig_membersonly": "1" });
    const bot = await bench.bot();
    await bot.told("it is for members only");
    await bench.admin({ jid: BOT, affiliation: "member" });
    await until("all is well", () => bot.error === null);
    await answersInTheRoom("member");
    await bench.configure({ "muc#roomconfig_membersonly": "0" });
    await bench.admin({ jid: BOT, affiliation: "none" });
  });

  it("into a room that was closed and made anew", async () => {
    const bot = await bench.bot();
    await bench.platform.connected();
    // A room is only there again when somebody makes it, and that may be the bot itself.
    await bench.destroy();
    await bot.told("it was closed");
    for (const [person, nick] of [
      ["owner", "olga"],
      ["user", "uma"],
      ["stranger", "stan"],
    ] as const) {
      await bench.enter(person, nick);
    }
    await until("all is well", () => bot.error === null);
    await answersInTheRoom("made anew");
  });

  it("and says then in the room what it could not say while it was out", async () => {
    let answer = (_: { sessionId: string; text: string }) => {};
    const room = `held-${server}@conference.localhost`;
    await bench.enter("owner", "olga", room);
    const prompt = () =>
      new Promise<{ sessionId: string; text: string }>((resolve) => {
        answer = resolve;
      });
    const bot = await bench.bot({ rooms: [room] }, { prompt });
    const { owner } = bench.platform.people;
    await until("it is there", () => owner.stanzas.some((stanza) => stanza.includes(`${room}/ada`)));
    await owner.say(room, "groupchat", "ada: think");
    await until("asked", () => bot.asked.length === 1);
    await bench.admin({ jid: BOT, affiliation: "outcast" }, room);
    await bot.told("it is banned there");
    answer({ sessionId: "s", text: "thought" });
    await until("it waits", () => JSON.stringify(bot.state.queue) === '{"in":0,"out":1}');
    await bench.admin({ jid: BOT, affiliation: "none" }, room);
    await until("sent", () => JSON.stringify(bot.state.queue) === '{"in":0,"out":0}');
    const said = () => owner.heard.filter(({ where, nick }) => where === room && nick === "ada");
    await until("heard", () => said().length > 0);
    expect(said().map(({ text }) => text)).toEqual(["thought"]);
  });

  it("when another program that took over its name is gone, and does not fight with it", async () => {
    const bot = await bench.bot();
    await bot.connected();
    const other = new XmppPerson(
      "ada",
      () => bench.platform.server.port,
      [],
      () => {},
    );
    await other.connect(String(await bot.test.ctx.storage.get("resource")));
    await until("it says what it waits for", () =>
      /another program has signed in with the same account/.test(String(bot.state.reason)),
    );
    await until("it looked again", () => bot.words.split("another program has signed in").length > 3);
    expect([bot.state.status, other.isOnline]).toEqual(["degraded", true]);
    await other.disconnect();
    await bot.connected();
    await bench.platform.say("owner", "right after that");
    await until("answered", bench.heard("re: right after that"));
  });

  if (server === "ejabberd") {
    it("after its administrator has thrown it out", async () => {
      const bot = await bench.bot();
      await bot.connected();
      const { server: ejabberd } = bench.platform;
      if (!(ejabberd instanceof Ejabberd)) throw new Error("Another server.");
      for (const command of ["kick_user", "kick_user"]) {
        const before = bot.timesIn("degraded");
        await ejabberd.command(command, { user: "ada", host: "localhost" });
        await until("gone", () => bot.timesIn("degraded") > before);
        await bot.connected();
      }
      await bench.platform.say("owner", "still there");
      await until("answered", bench.heard("re: still there"));
    });
  }
});
