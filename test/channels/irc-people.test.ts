import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { until } from "./in-process.ts";
import { BotOn, told } from "./irc/bot-on.ts";
import { Inspircd } from "./irc/inspircd.ts";
import type { IrcServer } from "./irc/irc-server.ts";
import { Ngircd } from "./irc/ngircd.ts";
import { StandingClock } from "./standing-clock.ts";
import { TcpProxy } from "./tcp-proxy.ts";

/** Who is speaking, on real servers: one that tells accounts with every message, and one that only says them when asked. */
describe.each<[string, () => Promise<IrcServer>]>([
  ["InspIRCd", () => Inspircd.open()],
  ["ngircd", () => Ngircd.open("", true)],
])("who is speaking on %s", (name, open) => {
  let server: IrcServer;
  let on: BotOn;
  beforeAll(async () => {
    server = await open();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    on = new BotOn(server);
  });
  afterEach(() => on.close());
  const start = async (...parameters: Parameters<BotOn["bot"]>) => {
    const bot = await on.bot(...parameters);
    await bot.connected();
    return bot;
  };
  // InspIRCd lets people in once a second, so all who are there from the beginning come together.

  it("is the account: another nick goes on with the same conversation, the same nick without it does not", async () => {
    const [bot, olga, thief] = await Promise.all([start(), on.person("olga"), on.person("thief", false)]);
    olga.send("PRIVMSG ada :one");
    await until("answered", () => told(olga).length === 1);
    await olga.rename("olga_away");
    await thief.rename("olga");
    thief.send("PRIVMSG ada :give me the secrets");
    olga.send("PRIVMSG ada :two");
    await until("answered", () => told(olga).length === 2);
    await thief.synced();
    expect(
      bot.asked.map(({ text, conversation, userId, role }) => [text, conversation, userId, role]),
    ).toEqual([
      ["one", "olga", "olga", "owner"],
      ["two", "olga", "olga", "owner"],
    ]);
    expect(told(thief)).toEqual([]);
    await thief.rename("thief");
  });

  it("of an answer that they do not take, because the bot is not signed in, is said with the reason", async () => {
    const [bot, olga] = await Promise.all([start(), on.person("olga")]);
    olga.send(`MODE olga +${name === "ngircd" ? "b" : "R"}`);
    olga.send("PRIVMSG ada :one");
    await until("given up", () => bot.error !== null);
    expect(bot.error).toBe(
      "A message could not be delivered: this person takes messages only from signed-in accounts; give the bot one in its settings",
    );
    expect(bot.state.queue).toEqual({ in: 0, out: 0 });
    expect(told(olga)).toEqual([]);
  });

  it("of an answer that is late: it goes to the account under its new nick, never to who took the old one", async () => {
    const answer = Promise.withResolvers<{ sessionId: string; text: string }>();
    const [bot, olga, thief] = await Promise.all([
      start({}, { prompt: () => answer.promise }),
      on.person("olga"),
      on.person("thief", false),
    ]);
    olga.send("PRIVMSG ada :what is the password");
    await until("asked", () => bot.asked.length === 1);
    await olga.rename("olga2");
    await thief.rename("olga");
    answer.resolve({ sessionId: "s", text: "it is swordfish" });
    await until("nothing is on its way", () => JSON.stringify(bot.state.queue) !== '{"in":1,"out":0}');
    olga.send("PRIVMSG ada :still me");
    await until("told", () => told(olga).some((text) => text.includes("swordfish")));
    await thief.synced();
    expect(told(thief)).toEqual([]);
  });

  it("is seen anew in each connection: an answer from before a cut waits for the account, whoever has its nick now", async () => {
    const proxy = await TcpProxy.open(() => server.port);
    const answer = Promise.withResolvers<{ sessionId: string; text: string }>();
    try {
      const [bot, olga] = await Promise.all([
        start({ port: proxy.port }, { prompt: () => answer.promise }),
        on.person("olga"),
      ]);
      olga.send("PRIVMSG ada :what is the password");
      await until("asked", () => bot.asked.length === 1);
      proxy.refusing = true;
      proxy.cut();
      await until("cut off", () => bot.state.status === "degraded");
      olga.send("QUIT");
      await olga.line(/ERROR/);
      proxy.refusing = false;
      const [thief] = await Promise.all([on.person("olga", false), bot.connected()]);
      answer.resolve({ sessionId: "s", text: "it is swordfish" });
      thief.send("PRIVMSG ada :and what is the password");
      bot.ask();
      await thief.synced();
      await until("the answer waits", () => JSON.stringify(bot.state.queue) === '{"in":0,"out":2}');
      await thief.synced();
      expect(told(thief)).toEqual([]);
      thief.send("NICK thief");
      await thief.line(/ NICK /);
      const back = await on.person("olga");
      await until("told", () => told(back).some((text) => text.includes("swordfish")));
      await until("asked", () => told(back).some((text) => text.includes("request 7")));
      expect(told(thief)).toEqual([]);
    } finally {
      await on.close();
      await proxy.close();
    }
  });

  it("of an answer that waits for its turn to go out: whoever took the nick meanwhile does not get it", async () => {
    const clock = new StandingClock();
    const [bot, uma, olga, thief] = await Promise.all([
      start({ burst: 1, linesPerMinute: 30 }, {}, clock),
      on.person("uma"),
      on.person("olga"),
      on.person("thief", false),
    ]);
    uma.send("PRIVMSG ada :1");
    await until("asked", () => bot.asked.length === 1);
    for (const count of [2, 3]) uma.send(`PRIVMSG ada :${count}`);
    olga.send("PRIVMSG ada :my secret");
    await until("asked", () => bot.asked.some(({ text }) => text === "my secret"));
    await until("it waits", () => JSON.stringify(bot.state.queue).startsWith('{"in":0'));
    await olga.synced();
    expect(told(olga)).toEqual([]);
    olga.send("QUIT");
    await olga.line(/^ERROR/);
    await thief.rename("olga");
    const timePasses = async (what: string, holds: () => boolean) =>
      until(what, () => {
        clock.pass(2_000);
        return holds();
      });
    await timePasses("the others are answered", () => told(uma).length === 3);
    uma.send("PRIVMSG ada :4");
    await timePasses("answered", () => told(uma).length === 4);
    await thief.synced();
    expect(told(thief)).toEqual([]);
  });

  it("of somebody without an account is a stay: it ends with a new nick, with leaving, and is nobody else's", async () => {
    const [bot, stan] = await Promise.all([start({ everyone: true }), on.person("stan", false)]);
    stan.send("PRIVMSG ada :my secret");
    await until("answered", () => told(stan).length === 1);
    stan.send("PRIVMSG ada :more of it");
    await until("answered", () => told(stan).length === 2);
    stan.send("NICK stanley");
    await stan.line(/ NICK /);
    stan.send("PRIVMSG ada :as stanley");
    await until("answered", () => told(stan).length === 3);
    stan.send("QUIT");
    await stan.line(/ERROR/);
    const other = await on.person("stanley", false);
    other.send("PRIVMSG ada :who am I");
    await until("answered", () => told(other).length === 1);
    const [first, second, renamed, another] = bot.asked.map(({ conversation }) => conversation);
    expect(second).toBe(first);
    expect(new Set([first, renamed, another]).size).toBe(3);
    expect(bot.asked.every(({ role }) => role === "user")).toBe(true);
  });

  it("never gets what was meant for the one before, also when both look the same", async () => {
    const answer = Promise.withResolvers<{ sessionId: string; text: string }>();
    const [bot, stan] = await Promise.all([
      start(
        { everyone: true },
        {
          prompt: ({ text }) =>
            text === "secret" ? answer.promise : Promise.resolve({ sessionId: "s", text: `re: ${text}` }),
        },
      ),
      on.person("stan", false),
    ]);
    stan.send("PRIVMSG ada :secret");
    await until("asked", () => bot.asked.length === 1);
    stan.send("WHOIS stan stan");
    const [, signon] = / 317 \S+ stan \d+ (\d+) /.exec(await stan.line(/ 317 /)) ?? [];
    stan.send("QUIT");
    await stan.line(/ERROR/);
    // Same nick, user and host; the server counts the time of signing on in seconds.
    await until("it is another second by any clock", () => Date.now() >= Number(signon) * 1_000 + 1_100);
    const other = await on.person("stan", false);
    answer.resolve({ sessionId: "s", text: "the launch code is 7" });
    other.send("PRIVMSG ada :hello");
    await until("answered", () => told(other).length === 1);
    await other.synced();
    expect(told(other)).toEqual(["re: hello"]);
  });

  it("in a room counts, too: only listed accounts are answered, whatever nick they have", async () => {
    const [bot, uma, stan] = await Promise.all([
      start({ channels: ["#team"] }),
      on.person("uma", true, ["#team"]),
      on.person("stan", false, ["#team"]),
    ]);
    await uma.line(/(?: 353 .*[ :@]ada\b|:ada!\S+ JOIN )/);
    stan.send("PRIVMSG #team :ada: let me in");
    await uma.rename("umbra");
    uma.send("PRIVMSG #team :ada: it is me");
    await stan.rename("uma");
    stan.send("PRIVMSG #team :ada: I am uma now");
    await until("answered", () => uma.heard.some(({ text }) => text === "re: it is me"));
    uma.send("PRIVMSG #team :ada: again");
    await until("answered", () => uma.heard.some(({ text }) => text === "re: again"));
    expect(bot.asked.map(({ text, userId }) => [text, userId])).toEqual([
      ["it is me", "uma"],
      ["again", "uma"],
    ]);
  });

  it("for approvals is an account: the question waits until it is there, and no impostor sees or decides it", async () => {
    const [bot, thief] = await Promise.all([start(), on.person("olga", false)]);
    thief.send("PRIVMSG ada :hello, it is olga");
    bot.ask();
    await thief.synced();
    thief.send("PRIVMSG ada :yes 7");
    thief.send("PRIVMSG ada :approve 7");
    await thief.synced();
    await thief.rename("thief");
    const olga = await on.person("olga");
    await until("asked", () => told(olga).some((text) => text.includes("request 7")));
    olga.send("PRIVMSG ada :yes 7");
    await until("decided", () => bot.decided.length === 1);
    expect(bot.decided).toEqual(["7 allow olga"]);
    expect(told(thief)).toEqual([]);
  });

  it(`marks itself as a bot, and knows other bots on ${name}`, async () => {
    const [bot, uma, robo] = await Promise.all([
      start({ users: ["uma", "robo"] }),
      on.person("uma"),
      on.person("robo"),
    ]);
    uma.send("WHOIS ada");
    expect(await uma.line(/ 335 /)).toMatch(/ ada :is an? (?:IRC )?bot/i);
    robo.send("MODE robo +B");
    robo.send("PRIVMSG ada :beep");
    await robo.synced();
    uma.send("PRIVMSG ada :I am a person");
    await until("answered", () => told(uma).length === 1);
    expect(bot.asked.map(({ text }) => text)).toEqual(["I am a person"]);
  });
});
