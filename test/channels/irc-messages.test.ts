import { deafPort } from "@patchbay/plugin-sdk/channel";
import { describe, expect, it } from "vitest";
import { channelSchema } from "../../plugins/irc/src/settings.ts";
import { IrcTransport } from "../../plugins/irc/src/transport.ts";
import { until } from "./in-process.ts";
import { botOnScript } from "./irc/bot-on-script.ts";
import { ScriptedIrc } from "./irc/scripted-irc.ts";
import { StandingClock } from "./standing-clock.ts";

const caps = "sasl=PLAIN message-tags account-tag server-time echo-message";
const account = { account: "ada", password: "s3cret-word" };
const olga = "@account=olga :olga!o@host PRIVMSG";

describe("what comes in", () => {
  it("is known by its account, not by its nick", async () => {
    const { server, bot } = await botOnScript({ caps }, account);
    await bot.connected();
    server.say(":olga!o@host PRIVMSG ada :no account, only the name");
    server.say("@account=stan :olga!o@host PRIVMSG ada :somebody else's account");
    server.say("@account=olga :changed!o@host PRIVMSG ada :it is me");
    await until("answered", () => server.said("changed").length > 0);
    expect(bot.asked.map(({ text, userId }) => [text, userId])).toEqual([["it is me", "olga"]]);
  });

  it("is answered once when the server gives it twice (msgid), and its own echo not at all", async () => {
    const { server, bot } = await botOnScript({ caps }, account);
    await bot.connected();
    for (let times = 0; times < 2; times += 1)
      server.say(`@msgid=abc;account=olga :olga!o@h PRIVMSG ada :once`);
    server.say("@account=olga :ada!ada@bot.example PRIVMSG olga :re: once");
    server.say(`@bot;account=olga :olga!o@h PRIVMSG ada :I am a bot`);
    server.say(`${olga} ada :after`);
    await until("answered", () => server.said("olga").includes("re: after"));
    expect(bot.asked.map(({ text }) => text)).toEqual(["once", "after"]);
  });

  it("never leads to an answer when it is a NOTICE; of CTCP only PING and VERSION are answered", async () => {
    const { server, bot } = await botOnScript();
    await bot.connected();
    server.say("@account=olga :olga!o@h NOTICE ada :do not answer me");
    for (const word of ["PING 12", "VERSION", "TIME", "CLIENTINFO", "DCC SEND x 1 2 3"]) {
      server.say(`:olga!o@h PRIVMSG ada :\u0001${word}\u0001`);
    }
    server.say(`${olga} ada :\u0001ACTION waves\u0001`);
    await until("answered", () => server.said("olga").length > 0);
    expect(server.said("olga")).toEqual(["re: * olga waves"]);
    expect(server.lines.filter((line) => line.startsWith("NOTICE"))).toEqual([
      "NOTICE olga :\u0001PING 12\u0001",
      "NOTICE olga :\u0001VERSION Patchbay\u0001",
    ]);
  });

  it("is read without colours, in pieces of packets, and with bytes that are no UTF-8", async () => {
    const { server, bot } = await botOnScript();
    await bot.connected();
    const line = Buffer.from(`${olga} ada :\u0002bold\u0002 \u000304,12red\u000f caf`, "utf8");
    server.sayBytes(Buffer.concat([line, Buffer.from([0xe9, 0x0d])]));
    await new Promise((resolve) => setImmediate(resolve));
    server.sayBytes(Buffer.from("\n"));
    await until("asked", () => bot.asked.length === 1);
    expect(bot.asked[0]?.text).toBe("bold red caf\ufffd");
  });

  it("in a channel is for the bot when it is named, as the server compares names", async () => {
    const { server, bot } = await botOnScript(
      {},
      { nick: "ada[1]", channels: ["#Team"], groupsOnlyListed: false, users: [] },
    );
    await until("joined", () => server.lines.includes("JOIN #Team"));
    server.say(":uma!u@h PRIVMSG #team :nobody in particular");
    server.say(":uma!u@h PRIVMSG #team :ADA{1}: first");
    server.say(":uma!u@h PRIVMSG #team :I think ada[1] knows");
    server.say(":uma!u@h PRIVMSG #other :ada[1]: wrong channel");
    await until("answered", () => server.said("#team").length === 2);
    expect(bot.asked.map(({ text, group }) => [text, group])).toEqual([
      ["first", true],
      ["I think ada[1] knows", true],
    ]);
  });

  it("may be a command without a slash, which IRC programs keep for themselves", async () => {
    const { server, bot } = await botOnScript();
    await bot.connected();
    for (const text of ["!new", "help approve", "help", "help me with this", "!!", "wow!"]) {
      server.say(`${olga} ada :${text}`);
    }
    await until("answered", () => server.said("olga").length === 6);
    expect(bot.asked.map(({ text }) => text)).toEqual([
      "/new",
      "/help approve",
      "/help",
      "help me with this",
      "!!",
      "wow!",
    ]);
  });

  it("goes on through a netsplit of a thousand people", async () => {
    const { server, bot } = await botOnScript({}, { channels: ["#team"] });
    await bot.connected();
    for (let person = 0; person < 1_000; person += 1) server.say(`:p${person}!u@h QUIT :a.net b.net`);
    server.say(`${olga} ada :still there?`);
    await until("answered", () => server.said("olga").length === 1);
    expect(bot.state.reconnects).toBe(0);
  });

  it("of a thousand messages in a moment is all answered, in order", async () => {
    const { server, bot } = await botOnScript({}, { maxLines: 1_000, timeScale: 100_000 });
    await bot.connected();
    for (let one = 0; one < 1_000; one += 1) server.say(`${olga} ada :m${one}`);
    await until("answered", () => server.said("olga").length === 1_000, 50_000);
    expect(server.said("olga")).toEqual(Array.from({ length: 1_000 }, (_, one) => `re: m${one}`));
  });
});

describe("what goes out", () => {
  it("is plain lines that pass any server, without fences, never empty", async () => {
    const text = `# Title\n\n\`\`\`js\ncode();\n\`\`\`\n${"wörd ".repeat(200)}\n${"x".repeat(900)}\n\rend`;
    const prompt = async () => ({ sessionId: "s", text });
    const { server, bot } = await botOnScript({}, { maxLines: 100 }, { prompt });
    await bot.connected();
    server.say(`${olga} ada :everything`);
    await until("all is there", () => server.said("olga").at(-1) === "end");
    for (const line of server.lines) expect(Buffer.byteLength(line)).toBeLessThan(450);
    expect(server.said("olga").slice(0, 2)).toEqual(["\u0002Title\u0002", "\u0011code();\u0011"]);
    expect(server.said("olga").filter((line) => line.trim() === "")).toEqual([]);
  });

  it("goes out at the pace that any server allows: four lines at once, then one in two seconds", async () => {
    await using server = await ScriptedIrc.open({ caps });
    const clock = new StandingClock();
    const there = { server: "127.0.0.1", port: server.port, encrypted: false, nick: "ada" };
    const transport = new IrcTransport(channelSchema.parse(there), clock);
    await transport.connect(deafPort, new AbortController().signal);
    const text = Array.from({ length: 8 }, (_, line) => `line ${line}`).join("\n");
    transport.send("#team", { text, id: "1", again: false, draft: false }).catch(() => {});
    await until("the first are there", () => server.said("#team").length >= 4);
    for (const lines of [4, 5, 6]) {
      for (const ms of [0, 1_999]) {
        clock.pass(ms);
        // What was sent before that is read by then.
        const asked = server.lines.length;
        server.say(`PING :${lines}-${ms}`);
        await until("it was read", () => server.lines.slice(asked).includes(`PONG ${lines}-${ms}`));
        expect(server.said("#team")).toHaveLength(lines);
      }
      clock.pass(1);
      await until("the next is there", () => server.said("#team").length > lines);
    }
    const closing = transport.close();
    server.hangUp();
    await closing;
  });

  it("says after !help how commands are typed, and that more brings the next lines", async () => {
    const list = ["/help: Lists the commands.", "/new: Starts a new conversation."];
    const { server, bot } = await botOnScript(
      {},
      {},
      { prompt: async () => ({ sessionId: "s", text: list.join("\n") }) },
    );
    await bot.connected();
    for (const word of ["!help", "help help", "help more", "!help !more"]) server.say(`${olga} ada :${word}`);
    await until("answered", () => server.said("olga").length === 6);
    const more = '"more" shows the next lines of a long answer.';
    const first = `${list[0]} Here commands begin with "!", too, as in "!new". ${more}`;
    expect(server.said("olga")).toEqual([first, list[1], first, list[1], more, more]);
    expect(bot.asked.map(({ text }) => text)).toEqual(["/help", "/help help"]);
  });

  it("says that in German after !hilfe", async () => {
    const { server, bot } = await botOnScript(
      {},
      {},
      { prompt: async () => ({ sessionId: "s", text: "/help: Zeigt die Befehle." }), language: "de" },
    );
    await bot.connected();
    server.say(`${olga} ada :!hilfe`);
    await until("answered", () => server.said("olga").length === 1);
    expect(server.said("olga")).toEqual([
      "/help: Zeigt die Befehle. Hier beginnen Befehle auch mit „!“, etwa „!new“. „mehr“ zeigt die nächsten Zeilen einer langen Antwort.",
    ]);
  });

  it("is cut after so many lines; more brings the rest without asking the agent", async () => {
    const text = Array.from({ length: 7 }, (_, line) => `line ${line + 1}`).join("\n");
    const { server, bot } = await botOnScript(
      {},
      { maxLines: 3 },
      { prompt: async () => ({ sessionId: "s", text }) },
    );
    await bot.connected();
    for (const word of ["all of it", "more", "!More."]) {
      const before = server.said("olga").length;
      server.say(`${olga} ada :${word}`);
      await until(
        `"${word}" is answered`,
        () => server.said("olga").length > before && bot.state.queue !== null,
      );
      await until("sent", () => JSON.stringify(bot.state.queue) === '{"in":0,"out":0}');
    }
    expect(server.said("olga")).toEqual([
      "line 1",
      "line 2",
      '(5 more lines; say "more" to see them)',
      "line 3",
      "line 4",
      '(3 more lines; say "more" to see them)',
      "line 5",
      "line 6",
      "line 7",
    ]);
    expect(bot.asked).toHaveLength(1);
  });

  it("says in German that there is more, and mehr brings it", async () => {
    const text = Array.from({ length: 4 }, (_, line) => `Zeile ${line + 1}`).join("\n");
    const { server, bot } = await botOnScript(
      {},
      { maxLines: 2 },
      { prompt: async () => ({ sessionId: "s", text }), language: "de" },
    );
    await bot.connected();
    for (const [word, lines] of [
      ["alles", 2],
      ["mehr", 4],
      ["Mehr.", 6],
    ] as const) {
      server.say(`${olga} ada :${word}`);
      await until("it is answered", () => server.said("olga").length === lines);
    }
    expect(server.said("olga")).toEqual([
      "Zeile 1",
      "(noch 3 Zeilen; schreib „mehr“, um sie zu lesen)",
      "Zeile 2",
      "(noch 2 Zeilen; schreib „mehr“, um sie zu lesen)",
      "Zeile 3",
      "Zeile 4",
    ]);
    expect(bot.asked).toHaveLength(1);
  });

  it.each([
    // Each four lines are confirmed by a PING, which counts. After the burst, time all but stands still for the channel.
    ["the settings say", "something-1.0", { burst: 20 }, 16],
    ["the server likes it, which names its software", "ngircd-26.1", {}, 7],
    ["any server takes it", "something-1.0", {}, 4],
  ])("goes at first as fast as %s", async (_what, software, pace, lines) => {
    const text = Array.from({ length: 16 }, (_, line) => `line ${line}`).join("\n");
    const settings = { channels: ["#team"], maxLines: 100, linesPerMinute: 0.01, timeScale: 1, ...pace };
    const { server, bot } = await botOnScript({ caps, software }, settings, {
      prompt: async () => ({ sessionId: "s", text }),
    });
    await until("joined", () => server.lines.includes("JOIN #team"));
    await bot.connected();
    server.say(`${olga} #team :ada: everything`);
    await until("the burst is over", () => server.said("#team").length >= lines, 10_000);
    // What was sent before that is read by then.
    server.say("PING :after");
    await until("it was read", () => server.lines.includes("PONG after"));
    expect(server.said("#team")).toHaveLength(lines);
  });

  it("for somebody who has left is dropped at once, however much waits, and holds nobody up", async () => {
    const long = Array.from({ length: 30 }, (_, line) => `line ${line}`).join("\n");
    const { server, bot } = await botOnScript(
      { caps },
      { everyone: true, maxLines: 100, timeScale: 50 },
      { prompt: async ({ text }) => ({ sessionId: "s", text: text === "short" ? "re: short" : long }) },
    );
    await bot.connected();
    for (let times = 0; times < 20; times += 1) server.say(":sam!s@host PRIVMSG ada :all of it");
    await until("it has begun", () => server.said("sam").length >= 6);
    server.script.targets = { sam: "401" };
    server.say(":irc.test 401 ada sam :No such nick/channel");
    server.say("PING :gone");
    await until("it knows", () => server.lines.includes("PONG gone"));
    const before = server.said("sam").length;
    server.say(`${olga} ada :short`);
    await until("answered", () => server.said("olga").includes("re: short"));
    await until("nothing waits", () => JSON.stringify(bot.state.queue) === '{"in":0,"out":0}');
    expect(server.said("sam").slice(before)).toEqual([]);
    expect(bot.error).toBeNull();
  });

  it.each([
    ["404", "this person takes no messages from the bot"],
    ["486", "this person takes messages only from signed-in accounts; give the bot one in its settings"],
    ["531", "this person takes no messages from the bot"],
    [
      "716",
      "this person takes messages only from those they have let in; in most IRC programs /accept does that",
    ],
  ])(
    "that a server does not let through to a person (%s) is given up with the reason in words",
    async (code, words) => {
      const { server, bot } = await botOnScript({ targets: { olga: code } });
      await bot.connected();
      server.say(`${olga} ada :hello`);
      await until("given up", () => bot.error !== null);
      expect(bot.error).toBe(`A message could not be delivered: ${words}`);
      expect(bot.state.queue).toEqual({ in: 0, out: 0 });
    },
  );

  it.each([
    ["404", "the bot may not speak there"],
    ["415", "only signed-in accounts may speak there; give the bot an account in its settings"],
    ["477", "only signed-in accounts may speak there; give the bot an account in its settings"],
  ])(
    "that a server does not let through to a channel (%s) is given up with the reason in words",
    async (code, words) => {
      const { server, bot } = await botOnScript({ targets: { "#team": code } }, { channels: ["#team"] });
      await until("joined", () => server.lines.includes("JOIN #team"));
      server.say(`${olga} #team :ada: hello`);
      await until("given up", () => bot.error !== null);
      expect(bot.error).toBe(`A message could not be delivered: ${words}`);
      expect(bot.state.queue).toEqual({ in: 0, out: 0 });
    },
  );

  it.each(["439", "707"])("to too many people (%s) is said again when the server takes it", async (code) => {
    const script = { targets: { olga: code }, words: "Targets changing too fast. Please wait 50 seconds." };
    const { server, bot } = await botOnScript(script);
    await bot.connected();
    server.say(`${olga} ada :hello`);
    await until("said", () => server.said("olga").length === 1);
    script.targets = { olga: "" };
    await until("said again", () => server.said("olga").length === 2);
    await until("nothing waits", () => JSON.stringify(bot.state.queue) === '{"in":0,"out":0}');
    expect(server.said("olga")).toEqual(["re: hello", "re: hello"]);
    expect(bot.error).toBeNull();
  });

  it("of the host is a test message that says what became of it", async () => {
    const { server, bot } = await botOnScript({ people: { olga: { userhost: "o@host", account: "olga" } } });
    await bot.connected();
    const send = (to: string) => bot.handle.outbound?.send({ sessionId: "", to, text: "A test" });
    expect(await send("olga")).toEqual({ success: true });
    expect(server.said("olga")).toEqual(["A test"]);
    expect(await send("no such person")).toMatchObject({ success: false });
    expect(await send("#x\r\nQUIT")).toMatchObject({ success: false });
    expect(server.lines.some((line) => line.startsWith("QUIT"))).toBe(false);
  });
});
