import { runSetup } from "@patchbay/plugin-sdk/test";
import { describe, expect, it, onTestFinished } from "vitest";
import irc from "../../plugins/irc/src/index.ts";
import { until } from "./in-process.ts";
import { botOnScript } from "./irc/bot-on-script.ts";
import { Ngircd } from "./irc/ngircd.ts";
import type { IrcScript } from "./irc/scripted-irc.ts";

const caps = "sasl=PLAIN message-tags account-tag server-time echo-message";
const account = { account: "ada", password: "s3cret-word" };

describe("signing in", () => {
  it("proves the account with SASL before anything else", async () => {
    const { server, bot } = await botOnScript({ caps }, { ...account, channels: ["#team key"] });
    await bot.connected();
    expect(server.lines).toContain(`AUTHENTICATE ${Buffer.from("ada\0ada\0s3cret-word").toString("base64")}`);
    await until("joined", () => server.lines.includes("JOIN #team key"));
    expect(server.lines.indexOf("CAP END")).toBeLessThan(server.lines.indexOf("JOIN #team key"));
    expect(bot.state.account).toBe("ada on Script");
    expect(bot.words).not.toContain("s3cret");
  });

  it.each([
    ["the wrong password (904)", { caps, sasl: "904" }, /account was not accepted/],
    ["a locked nick (902)", { caps, sasl: "902" }, /account was not accepted/],
    ["no mechanism in common", { caps: "sasl=EXTERNAL" }, /account was not accepted: unsupported mechanism/],
    [
      "a wrong server password (464)",
      { refuse: ":irc.test 464 <nick> :Password incorrect" },
      /server password/,
    ],
  ])("ends with %s, and is not tried again", async (_what, script, sentence) => {
    const { server, bot } = await botOnScript(script, account);
    await until("given up", () => bot.state.status === "needs-login");
    expect(bot.error).toMatch(sentence);
    expect(bot.words).not.toContain("s3cret");
    expect(server.connections).toBe(1);
  });

  it("takes a refusal for a passing one where the account was accepted before, and comes back by itself", async () => {
    const { server, bot } = await botOnScript({ caps }, account);
    await bot.connected();
    // Services that are only coming back refuse everybody.
    server.script.sasl = "904";
    server.hangUp();
    await until("refused several times", () => server.connections >= 4);
    const passing = /account was not accepted: .* only coming back, so it is tried again/;
    await until("told", () => bot.state.status === "degraded" && passing.test(bot.error ?? ""));
    server.script.sasl = undefined;
    await bot.connected();
    expect(bot.error).toBeNull();
  });

  it("does so where the services were away since its start, and believes it after a quarter of an hour", async () => {
    const { server, bot } = await botOnScript({}, account);
    await until("tried several times", () => server.connections >= 3);
    Object.assign(server.script, { caps, sasl: "904" });
    const before = server.connections;
    await until("given up", () => bot.state.status === "needs-login");
    expect(server.connections).toBeGreaterThan(before + 1);
    expect(bot.error).toMatch(/account was not accepted/);
    expect(bot.error).not.toContain("tried again");
    expect(bot.words).not.toContain("s3cret");
  });

  it.each([
    ["a ban (465)", { refuse: ":irc.test 465 <nick> :You are banned" }, /has banned this connection/],
    ["a K-line", { refuse: "ERROR :Closing Link: K-lined" }, /has banned this connection/],
    ["a nick that is no nick (432)", { nicks: { ada: "432" } }, /does not allow the nick ada/],
  ] as [string, IrcScript, RegExp][])(
    "is kept out by %s, and comes back when that is lifted",
    async (_what, script, sentence) => {
      const { server, bot } = await botOnScript(script);
      await until("told", () => bot.state.status === "degraded");
      expect(bot.error).toMatch(sentence);
      await until("tried again", () => server.connections >= 3);
      expect(bot.error).toMatch(sentence);
      Object.assign(server.script, { refuse: undefined, nicks: undefined });
      await bot.connected();
      expect(bot.error).toBeNull();
    },
  );

  it.each([
    ["refuses it (NAK)", { caps, nak: true }],
    ["does not offer it", {}],
  ])("with SASL waits while the server %s, and never goes on unrecognised", async (_what, script) => {
    const { server, bot } = await botOnScript(script, { ...account, channels: ["#team"] });
    await until("tried several times", () => server.connections >= 4);
    expect(bot.error).toMatch(
      /offers no sign-in with SASL now; perhaps its services are away. It is tried again/,
    );
    expect(server.lines.some((line) => line.startsWith("JOIN"))).toBe(false);
    Object.assign(server.script, { caps, nak: false });
    await bot.connected();
    await until("entered", () => server.lines.includes("JOIN #team"));
    expect(bot.error).toBeNull();
  });

  it("asks for new credentials when they were the reason, and not for a ban", async () => {
    const wrong = await botOnScript({ caps, sasl: "904" }, account);
    await until("needs login", () => wrong.bot.state.status === "needs-login");
    expect(wrong.bot.credentialsRefused.at(-1)).toBe(true);
    const banned = await botOnScript({ refuse: ":irc.test 465 <nick> :Banned" });
    await until("told", () => banned.bot.state.status === "degraded");
    expect(banned.bot.credentialsRefused.at(-1)).toBe(false);
  });

  it("tells NickServ the password before it enters channels, where the settings say so", async () => {
    const { server, bot } = await botOnScript({}, { ...account, signIn: "nickserv", channels: ["#team"] });
    await bot.connected();
    await until("joined", () => server.lines.includes("JOIN #team"));
    const told = server.lines.indexOf("PRIVMSG NickServ :IDENTIFY ada s3cret-word");
    expect(told).toBeGreaterThan(-1);
    expect(told).toBeLessThan(server.lines.indexOf("JOIN #team"));
  });

  it("takes another nick when its own is in use, and its own when that is free", async () => {
    const { server, bot } = await botOnScript({ nicks: { ada: "433" } });
    await bot.connected();
    expect(bot.state.account).toBe("ada_ on Script");
    server.script.nicks = {};
    await until("the nick is back", () => server.nick === "ada");
  });
});

describe("the connection", () => {
  it.each(["before", "after"] as const)(
    "is tried again when the server hangs up %s its welcome",
    async (when) => {
      const { server, bot } = await botOnScript({ hangUp: { when, times: 3 } });
      await until("connected for good", () => server.connections >= 4 && bot.state.status === "connected");
      expect(bot.state.queue).toEqual({ in: 0, out: 0 });
    },
  );

  it("waits a minute when the server wants fewer", async () => {
    const { server, bot } = await botOnScript(
      { refuse: "ERROR :Trying to reconnect too fast, throttled" },
      { timeScale: 1 },
    );
    await until("degraded", () => bot.state.status === "degraded");
    expect(bot.error).toContain("wants fewer connections");
    expect(server.connections).toBe(1);
  });

  it("says why a channel does not let it in, and that it is over when it does", async () => {
    const { server, bot } = await botOnScript({ joins: { "#team": "475" } }, { channels: ["#team"] });
    await until("refused", () => bot.error !== null);
    expect(bot.error).toBe(
      "#team cannot be entered: its key is missing or wrong (Cannot join channel). It waits for the key to be the one of the settings and tries again by itself.",
    );
    server.say(":ada!ada@bot.example JOIN #team");
    await until("entered", () => bot.error === null);
  });

  it("comes back each time it was thrown out of a channel, or let in no more", async () => {
    const { server, bot } = await botOnScript({}, { channels: ["#team"] });
    const joins = () => server.lines.filter((line) => line === "JOIN #team").length;
    await until("joined", () => joins() === 1);
    for (const times of [1, 2, 3]) {
      server.say(":op!o@h KICK #team ada :out");
      await until("told", () => bot.error?.startsWith("op threw the bot out of #team: out.") === true);
      await until("back", () => joins() === times + 1 && bot.error === null);
    }
    server.script.joins = { "#team": "474" };
    server.say(":op!o@h KICK #team ada :and banned");
    await until("tried several times", () => joins() >= 7);
    expect(bot.error).toContain("#team cannot be entered: the bot is banned there");
    server.script.joins = {};
    await until("back", () => bot.error === null);
  });
});

describe("the setup", () => {
  it("ends connected to a real server, with the settings to store", async () => {
    const server = await Ngircd.open();
    onTestFinished(() => server.close());
    const ports = ["1", String(server.port)];
    const { states, config } = await runSetup(irc, {
      answer: (state) =>
        state.kind === "awaiting_user_input" && state.fields[0]?.key === "server"
          ? { server: "127.0.0.1", port: ports.shift(), nick: "ada", encryption: "no" }
          : { owners: "olga, max", channels: "#team, #secret key" },
    });
    expect(JSON.stringify(states[2])).toContain("ECONNREFUSED");
    expect(states.at(-1)).toMatchObject({ kind: "done", account: "ada on TestNet" });
    expect(config).toMatchObject({
      server: "127.0.0.1",
      port: server.port,
      encrypted: false,
      nick: "ada",
      owners: ["olga", "max"],
      channels: ["#team", "#secret key"],
    });
    expect(() => irc.parseConfig({ channel: config ?? {} })).not.toThrow();
  });
});
