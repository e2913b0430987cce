import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { until } from "./in-process.ts";
import { BotOn, told } from "./irc/bot-on.ts";
import { Inspircd } from "./irc/inspircd.ts";
import type { IrcServer } from "./irc/irc-server.ts";
import { Ngircd } from "./irc/ngircd.ts";
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
  afterEach(() => on.close());
  const start = async (...parameters: Parameters<BotOn["bot"]>) => {
    on = new BotOn(server);
    const bot = await on.bot(...parameters);
    await bot.connected();
    return bot;
  };

  it("is the account: another nick goes on with the same conversation, the same nick without it does not", async () => {
    const bot = await start();
    const olga = await on.person("olga");
    olga.send("PRIVMSG ada :one");
    await until("answered", () => told(olga).length === 1);
    olga.send("NICK olga_away");
    const thief = await on.person("thief", false);
    thief.send("NICK olga");
    await thief.line(/ NICK /);
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
    thief.send("NICK thief");
    await thief.line(/ NICK :?thief/);
  });

  it("of an answer that is late: it goes to the account under its new nick, never to who took the old one", async () => {
    const answer = Promise.withResolvers<{ sessionId: string; text: string }>();
    const bot = await start({}, { prompt: () => answer.promise });
    const olga = await on.person("olga");
    olga.send("PRIVMSG ada :what is the password");
    await until("asked", () => bot.asked.length === 1);
    olga.send("NICK olga2");
    await olga.line(/ NICK /);
    const thief = await on.person("olga", false);
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
    const bot = await start({ port: proxy.port }, { prompt: () => answer.promise });
    try {
      const olga = await on.person("olga");
      olga.send("PRIVMSG ada :what is the password");
      await until("asked", () => bot.asked.length === 1);
      proxy.refusing = true;
      proxy.cut();
      await until("cut off", () => bot.state.status === "degraded");
      olga.send("QUIT");
      await olga.line(/ERROR/);
      const thief = await on.person("olga", false);
      proxy.refusing = false;
      await bot.connected();
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
    const bot = await start({ burst: 1, linesPerMinute: 30, timeScale: 4 });
    const [uma, olga] = await Promise.all([on.person("uma"), on.person("olga")]);
    for (const count of [1, 2, 3]) uma.send(`PRIVMSG ada :${count}`);
    await until("answered", () => told(uma).length === 1);
    olga.send("PRIVMSG ada :my secret");
    await until("asked", () => bot.asked.some(({ text }) => text === "my secret"));
    await until("it waits", () => JSON.stringify(bot.state.queue).startsWith('{"in":0'));
    await olga.synced();
    olga.send("QUIT");
    await olga.line(/^ERROR/);
    const thief = await on.person("olga", false);
    await until("the others are answered", () => told(uma).length === 3);
    uma.send("PRIVMSG ada :4");
    await until("answered", () => told(uma).length === 4);
    expect(told(thief)).toEqual([]);
  });

  it("of somebody without an account is a stay: it ends with a new nick, with leaving, and is nobody else's", async () => {
    const bot = await start({ everyone: true });
    const stan = await on.person("stan", false);
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
    const bot = await start(
      { everyone: true },
      {
        prompt: ({ text }) =>
          text === "secret" ? answer.promise : Promise.resolve({ sessionId: "s", text: `re: ${text}` }),
      },
    );
    const stan = await on.person("stan", false);
    stan.send("PRIVMSG ada :secret");
    await until("asked", () => bot.asked.length === 1);
    stan.send("QUIT");
    await stan.line(/ERROR/);
    // Same nick, user and host; the server counts the time of signing on in seconds.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const other = await on.person("stan", false);
    answer.resolve({ sessionId: "s", text: "the launch code is 7" });
    other.send("PRIVMSG ada :hello");
    await until("answered", () => told(other).length === 1);
    await other.synced();
    expect(told(other)).toEqual(["re: hello"]);
  });

  it("in a room counts, too: only listed accounts are answered, whatever nick they have", async () => {
    const bot = await start({ channels: ["#team"] });
    const uma = await on.person("uma", true, ["#team"]);
    const stan = await on.person("stan", false, ["#team"]);
    await until("the bot is there", () => uma.lineCount > 0 && bot.error === null);
    uma.send("NAMES #team");
    await uma.line(/ 353 .*ada/);
    stan.send("PRIVMSG #team :ada: let me in");
    uma.send("NICK umbra");
    await uma.line(/ NICK /);
    uma.send("PRIVMSG #team :ada: it is me");
    stan.send("NICK uma");
    await stan.line(/ NICK :?uma/);
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
    const bot = await start();
    const thief = await on.person("olga", false);
    thief.send("PRIVMSG ada :hello, it is olga");
    bot.ask();
    await thief.synced();
    thief.send("PRIVMSG ada :yes 7");
    thief.send("PRIVMSG ada :approve 7");
    await thief.synced();
    thief.send("NICK thief");
    await thief.line(/ NICK /);
    const olga = await on.person("olga");
    await until("asked", () => told(olga).some((text) => text.includes("request 7")));
    olga.send("PRIVMSG ada :yes 7");
    await until("decided", () => bot.decided.length === 1);
    expect(bot.decided).toEqual(["7 allow olga"]);
    expect(told(thief)).toEqual([]);
  });

  it(`marks itself as a bot, and knows other bots on ${name}`, async () => {
    const bot = await start({ users: ["uma", "robo"] });
    const uma = await on.person("uma");
    uma.send("WHOIS ada");
    expect(await uma.line(/ 335 /)).toMatch(/ ada :is an? (?:IRC )?bot/i);
    const robo = await on.person("robo");
    robo.send("MODE robo +B");
    robo.send("PRIVMSG ada :beep");
    await robo.synced();
    uma.send("PRIVMSG ada :I am a person");
    await until("answered", () => told(uma).length === 1);
    expect(bot.asked.map(({ text }) => text)).toEqual(["I am a person"]);
  });
});
