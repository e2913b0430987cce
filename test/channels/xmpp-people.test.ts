import { xml } from "@xmpp/client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { until } from "./in-process.ts";
import { sideBySide } from "./side-by-side.ts";
import { BOT, ROOM, XmppBench } from "./xmpp/bench.ts";

/** Who is speaking, and what they mean: on two servers, since rooms tell it in different ways. */
sideBySide("people", ["prosody", "ejabberd"], (server) => {
  let bench: XmppBench;
  beforeAll(async () => {
    bench = await XmppBench.open(server);
  });
  afterEach(() => bench.reset());
  afterAll(() => bench.platform.close());

  const asked = (bot: { asked: readonly { text: string }[] }) => bot.asked.map(({ text }) => text);

  describe("who is in a room", () => {
    const room = `who-${server}@conference.localhost`;

    it("is the address that the room shows: somebody else with the name of an owner is nobody", async () => {
      const { owner, stranger } = bench.platform.people;
      await bench.enter("owner", "boss", room);
      await bench.configure({ "muc#roomconfig_whois": "anyone" }, room);
      await bench.enter("stranger", "guest", room);
      const bot = await bench.bot({ rooms: [room], groupsOnlyListed: true });
      await until("it is there", () => owner.stanzas.some((stanza) => stanza.includes(`${room}/ada`)));
      await owner.say(room, "groupchat", "ada: I am the owner");
      await until("answered", () => owner.heard.some(({ text }) => text === "re: I am the owner"));
      await bench.leave("owner", "boss", room);
      await bench.enter("stranger", "boss", room);
      await stranger.say(room, "groupchat", "ada: I am the owner, too");
      await bench.enter("owner", "chief", room);
      await owner.say(room, "groupchat", "ada: under another name");
      await until("answered", () => owner.heard.some(({ text }) => text === "re: under another name"));
      expect(asked(bot)).toEqual(["I am the owner", "under another name"]);
      expect(bot.asked.map(({ userId, role }) => [userId, role])).toEqual([
        ["olga@localhost", "owner"],
        ["olga@localhost", "owner"],
      ]);
    });

    it("is nobody on a list where the room shows no addresses, whatever their name is", async () => {
      // The bot is no moderator of this room, so that it is shown nobody's address.
      const bot = await bench.bot({ owners: ["olga@localhost", `${ROOM}/olga`], groupsOnlyListed: true });
      await bench.platform.connected();
      await bench.platform.people.owner.say(ROOM, "groupchat", "ada: it is me");
      await bench.platform.say("owner", "directly");
      await until("answered", bench.heard("re: directly"));
      expect(asked(bot)).toEqual(["directly"]);
    });

    it("is never asked for an approval: only addresses are, directly", async () => {
      const bot = await bench.bot({ owners: [`${ROOM}/olga`, ROOM, "olga@localhost"] });
      await bench.platform.connected();
      bot.ask();
      await until("asked", bench.heard("(request 7)"));
      await bench.platform.people.owner.synced();
      const asking = bench.platform.people.owner.heard.filter(({ text }) => text.includes("(request 7)"));
      expect(asking.map(({ where }) => where)).toEqual([BOT]);
      expect(JSON.stringify(bench.platform.people.user.stanzas)).not.toContain("(request 7)");
    });
  });

  it("is spoken to wherever its name stands, and by references, and not by words that contain it", async () => {
    const bot = await bench.bot();
    await bench.platform.connected();
    const { user } = bench.platform.people;
    const said = [
      "@ada one",
      "ADA, two",
      "what do you say, ada?",
      "and you @ada, four",
      "adaptive ada-like things by canada",
      "see https://example.org/ada and ada@localhost",
    ];
    for (const text of said) await user.say(ROOM, "groupchat", text);
    const uri = `xmpp:${ROOM}/ada`;
    const mention = (to: string) =>
      xml("reference", { xmlns: "urn:xmpp:reference:0", type: "mention", uri: to });
    await user.say(ROOM, "groupchat", "you there, five", mention(uri));
    await user.say(ROOM, "groupchat", "broken", mention("xmpp:%E0%A4%A"));
    await user.say(ROOM, "groupchat", "ada: last");
    await until("answered", bench.inRoom("re: last"));
    expect(asked(bot)).toEqual([
      "one",
      "two",
      "what do you say, ada?",
      "and you @ada, four",
      "you there, five",
      "last",
    ]);
  });

  it("answers a corrected message once, directly and in a room", async () => {
    const bot = await bench.bot();
    await bench.platform.connected();
    const { owner, user } = bench.platform.people;
    const replace = (id: string) => xml("replace", { xmlns: "urn:xmpp:message-correct:0", id });
    const message = (to: string, type: string, id: string, body: string, ...more: ReturnType<typeof xml>[]) =>
      xml("message", { to, type, id }, xml("body", {}, body), more);
    await owner.send(message(BOT, "chat", "first-of-olga-0001", "helo"));
    await owner.send(message(BOT, "chat", "second-of-olga-001", "hello", replace("first-of-olga-0001")));
    await user.send(message(ROOM, "groupchat", "first-of-uma-00001", "ada: helo"));
    await user.send(
      message(ROOM, "groupchat", "second-of-uma-0001", "ada: hello", replace("first-of-uma-00001")),
    );
    await bench.platform.say("owner", "done");
    await bench.platform.say("user", "done here", { place: "group" });
    await until("answered", () => bench.heard("re: done")() && bench.inRoom("re: done here")());
    expect(asked(bot).sort()).toEqual(["done", "done here", "helo", "helo"]);
  });

  it("follows a correction: it takes the place of what waits, and is read with the next message later", async () => {
    const release: (() => void)[] = [];
    const bot = await bench.bot(
      {},
      {
        prompt: async ({ text }) => {
          await new Promise<void>((resolve) => release.push(resolve));
          return { sessionId: "s", text: `re: ${text}` };
        },
      },
    );
    await bench.platform.connected();
    const { owner, user } = bench.platform.people;
    const replace = (id: string) => xml("replace", { xmlns: "urn:xmpp:message-correct:0", id });
    const message = (to: string, type: string, id: string, body: string, ...more: ReturnType<typeof xml>[]) =>
      xml("message", { to, type, id }, xml("body", {}, body), more);
    for (const [who, to, type, name] of [
      [owner, BOT, "chat", ""],
      [user, ROOM, "groupchat", "ada: "],
    ] as const) {
      const first = bot.asked.length;
      await who.send(message(to, type, `first-${type}-00000001`, `${name}begin`));
      await until("it is asked", () => bot.asked.length === first + 1);
      await who.send(message(to, type, `waits-${type}-00000001`, `${name}at fiev`));
      await who.send(
        message(to, type, `again-${type}-00000001`, `${name}at five`, replace(`waits-${type}-00000001`)),
      );
      await who.synced();
      await until("both wait", () => JSON.stringify(bot.state.queue) === '{"in":2,"out":0}');
      // What is handled in order is handled: the correction came before this.
      await who.send(message(to, type, `other-${type}-00000001`, `${name}last`));
      await until("all wait", () => JSON.stringify(bot.state.queue) === '{"in":3,"out":0}');
      release.shift()?.();
      await until("it is asked", () => bot.asked.length === first + 2);
      release.shift()?.();
      await until("it is asked", () => bot.asked.length === first + 3);
      release.shift()?.();
      await until("all is answered", () => JSON.stringify(bot.state.queue) === '{"in":0,"out":0}');
      expect(asked(bot).slice(first)).toEqual(["begin", "at five", "last"]);
      const before = bot.remembered.length;
      await who.send(
        message(to, type, `later-${type}-00000001`, `${name}at six`, replace(`waits-${type}-00000001`)),
      );
      await until("it is remembered", () => bot.remembered.length === before + 1);
      expect(bot.remembered.at(-1)?.text).toBe("[I changed an earlier message. It now says:]\nat six");
    }
  });

  it("says once in a conversation that encryption is not read, and takes no notice for a message", async () => {
    const bot = await bench.bot();
    await bench.platform.connected();
    const omemo = "eu.siacs.conversations.axolotl";
    const note = "I sent you an OMEMO encrypted message but your client doesn’t seem to support that.";
    const encrypted = () => [
      xml("encrypted", { xmlns: omemo }, xml("header", { sid: "1" }), xml("payload", {}, "QUJD")),
      xml("encryption", { xmlns: "urn:xmpp:eme:0", namespace: omemo, name: "OMEMO" }),
    ];
    const { owner, user, stranger } = bench.platform.people;
    for (const person of [owner, stranger]) {
      // The first carries keys alone.
      await person.send(
        xml(
          "message",
          { to: BOT, type: "chat", id: crypto.randomUUID() },
          xml("encrypted", { xmlns: omemo }, xml("header", { sid: "1" })),
        ),
      );
      await person.say(BOT, "chat", note, ...encrypted());
      await person.say(BOT, "chat", note, ...encrypted());
    }
    await user.say(ROOM, "groupchat", note, ...encrypted());
    await user.say(ROOM, "groupchat", note, ...encrypted());
    await bench.platform.say("owner", "in the clear");
    await bench.platform.say("user", "in the clear, too", { place: "group" });
    await until(
      "answered",
      () => bench.heard("re: in the clear")() && bench.inRoom("re: in the clear, too")(),
    );
    const told = (texts: readonly string[]) => texts.filter((text) => text.includes("cannot read encrypted"));
    expect(told(bench.platform.heard("owner"))).toHaveLength(1);
    expect(told(bench.platform.heard("user", "group"))).toHaveLength(1);
    expect(bench.platform.heard("stranger")).toEqual([]);
    expect(asked(bot).sort()).toEqual(["in the clear", "in the clear, too"]);
  });

  it("says in German that encryption is not read, where the chats are German", async () => {
    await bench.bot({}, { language: "de" });
    await bench.platform.connected();
    const { owner } = bench.platform.people;
    const payload = xml(
      "encrypted",
      { xmlns: "urn:xmpp:omemo:2" },
      xml("header", { sid: "1" }),
      xml("payload", {}, "QUJD"),
    );
    await owner.say(BOT, "chat", "I sent you an encrypted message.", payload);
    await until(
      "it is said",
      bench.heard("Verschlüsselte Nachrichten kann ich hier nicht lesen. Bitte schalte die Verschlüsselung"),
    );
  });

  it("shows by reactions what waits and what is worked on, directly and in a room", async () => {
    // In which order those of a chat and of a room are asked is open.
    const answers: { text: string; give(): void }[] = [];
    const prompt = ({ text }: { text: string }) =>
      new Promise<{ sessionId: string; text: string }>((resolve) => {
        answers.push({ text, give: () => resolve({ sessionId: "s", text: `re: ${text}` }) });
      });
    const bot = await bench.bot({}, { prompt });
    await bench.platform.connected();
    const { owner, user } = bench.platform.people;
    await owner.send(xml("message", { to: BOT, type: "chat", id: "one" }, xml("body", {}, "first")));
    await owner.send(xml("message", { to: BOT, type: "chat", id: "two" }, xml("body", {}, "second")));
    await user.say(ROOM, "groupchat", "ada: here");
    await until(
      "all are taken",
      () => bot.asked.length === 2 && JSON.stringify(bot.state.queue) === '{"in":3,"out":0}',
    );
    const marked = (person: typeof owner, id: string) =>
      person.reactions.filter((one) => one.id === id).map(({ emojis }) => emojis.join());
    await until("the room has shown it", () => user.givenIds.has("ada: here"));
    const inRoom = user.givenIds.get("ada: here") ?? "";
    await until("marked", () =>
      [marked(owner, "one"), marked(owner, "two"), marked(user, inRoom)].every((all) => all.length > 0),
    );
    expect([marked(owner, "one"), marked(owner, "two"), marked(user, inRoom)]).toEqual([
      ["⏳"],
      ["👀"],
      ["⏳"],
    ]);
    answers.find(({ text }) => text.includes("first"))?.give();
    await until("the second is worked on", () => bot.asked.length === 3 && marked(owner, "two").length === 2);
    for (const { give } of answers) give();
    await until("no mark is left", () =>
      [marked(owner, "one"), marked(owner, "two"), marked(user, inRoom)].every((all) => all.at(-1) === ""),
    );
    expect([marked(owner, "one"), marked(owner, "two"), marked(user, inRoom)]).toEqual([
      ["⏳", ""],
      ["👀", "⏳", ""],
      ["⏳", ""],
    ]);
    await until("both are answered", bench.heard("re: second"));
    expect(bench.platform.heard("owner")).toEqual(["re: first", "re: second"]);
  });

  it("lets people on the list see that it is there, and tells others nothing", async () => {
    // Olga is named in the settings, Uma was let in with a code.
    await bench.bot({ strangers: "ignore", users: [] }, { letIn: ["uma@localhost"] });
    await bench.platform.connected();
    const { owner, user, stranger } = bench.platform.people;
    const from = `from="${BOT}`;
    for (const person of [stranger, owner, user])
      await person.send(xml("presence", { to: BOT, type: "subscribe" }));
    for (const { stanzas } of [owner, user])
      await until("they may", () =>
        stanzas.some((stanza) => stanza.includes('type="subscribed"') && stanza.includes(from)),
      );
    await bench.platform.say("owner", "seen");
    await until("answered", bench.heard("re: seen"));
    await stranger.synced();
    // prosody itself says to whoever asks that nobody is there.
    const told = stranger.stanzas.filter(
      (stanza) => stanza.includes(from) && !/conference|type="unavailable"/.test(stanza),
    );
    expect(told).toEqual([]);
  });

  it("writes Markdown as XMPP programs show it", async () => {
    const text = [
      "# The **plan**",
      "A [page](https://example.org/a) is **bold**, *slanted* and ~~gone~~; `rm *`.",
      "- one",
      "",
      "| a | b |",
      "|---|---|",
      "| 1 | 2 |",
      "> said",
      "```sh",
      "ls # **",
      "```",
    ].join("\n");
    await bench.bot({}, { prompt: async () => ({ sessionId: "s", text }) });
    await bench.platform.connected();
    await bench.platform.say("owner", "write");
    await until("there", bench.heard("plan"));
    expect(bench.platform.heard("owner").at(-1)?.split("\n")).toEqual([
      "*The plan*",
      "A page (https://example.org/a) is *bold*, _slanted_ and ~gone~; `rm *`.",
      "• one",
      "",
      "```",
      "a  b",
      "1  2",
      "```",
      "> said",
      "```sh",
      "ls # **",
      "```",
    ]);
  });
});
