import { runChannel } from "@patchbay/plugin-sdk/channel";
import { xml } from "@xmpp/client";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { XmppTransport } from "../../plugins/xmpp/src/transport.ts";
import { InProcess, type InProcessOptions, until } from "./in-process.ts";
import { sideBySide } from "./side-by-side.ts";
import { StandingClock } from "./standing-clock.ts";
import { BOT, XmppBench } from "./xmpp/bench.ts";
import { XmppPerson } from "./xmpp/xmpp-person.ts";

const BEA = { jid: "bea@localhost", password: "secret-of-bea", nick: "bea" };
const MUC_USER = "http://jabber.org/protocol/muc#user";

/** Who is in a room with the agent, and what each of them sees: on two servers, one of which marks who wrote what. */
sideBySide("in a room", ["prosody", "ejabberd"], (server) => {
  let bench: XmppBench;
  let rooms = 0;
  beforeAll(async () => {
    bench = await XmppBench.open(server);
  });
  afterEach(() => bench.reset());
  afterAll(() => bench.platform.close());

  /** A new room of the owner, who is olga there. */
  async function newRoom(fields: Record<string, string> = {}): Promise<string> {
    rooms += 1;
    const room = `room-${rooms}@conference.localhost`;
    await bench.enter("owner", "olga", room);
    await bench.configure(fields, room);
    return room;
  }

  const shown = { "muc#roomconfig_whois": "anyone" };

  async function agentIn(room: string, settings = {}, more: InProcessOptions = {}): Promise<InProcess> {
    const bot = await bench.bot({ rooms: [room], ...settings }, more);
    const { nick = "ada" } = settings as { nick?: string };
    const { owner } = bench.platform.people;
    await until("it is there", () =>
      owner.stanzas.some((stanza) => stanza.includes(`from="${room}/${nick}"`)),
    );
    // It answers through the room when it has read that it is in.
    const ping = xml("iq", { type: "get", to: `${room}/${nick}` }, xml("ping", { xmlns: "urn:xmpp:ping" }));
    await until("it is in", () => bot.state.status === "connected");
    await owner.request(ping);
    return bot;
  }

  const said = (room: string, nick: string) =>
    bench.platform.people.owner.heard.filter((one) => one.where === room && one.nick === nick);
  const hears = (room: string, text: string) =>
    until(`the room hears "${text}"`, () =>
      bench.platform.people.owner.heard.some((one) => one.where === room && one.text.includes(text)),
    );

  it("two agents answer each other twice, say once that it is enough, and go on when a person writes", async () => {
    const room = await newRoom();
    let round = 0;
    const to = (name: string) => async () => {
      round += 1;
      return { sessionId: "s", text: `${name}: and what do you say, for the time ${round}?` };
    };
    const ada = await agentIn(room, { botExchanges: 2 }, { prompt: to("bea") });
    const bea = await agentIn(room, { ...BEA, botExchanges: 2 }, { prompt: to("ada") });
    const { owner } = bench.platform.people;
    const enough = (name: string) => `I have answered ${name} 2 times without a person between.`;
    for (const time of [1, 2]) {
      await owner.say(room, "groupchat", "ada: begin");
      const told = (nick: string, name: string) =>
        said(room, nick).filter(({ text }) => text.startsWith(enough(name))).length;
      await until("both had enough", () => told("ada", "bea") === time && told("bea", "ada") === time);
      // Each was asked twice by the other, and ada by the owner.
      expect([ada.asked.length, bea.asked.length]).toEqual([3 * time, 2 * time]);
      expect([said(room, "ada").length, said(room, "bea").length]).toEqual([4 * time, 3 * time]);
    }
  });

  it("another bot is not answered unless that was chosen, and each says what it is when it is asked", async () => {
    const room = await newRoom();
    const ada = await agentIn(room);
    const bea = await agentIn(room, BEA);
    await bea.handle.outbound?.send({ sessionId: "s", to: room, text: "ada: hello" });
    await bench.platform.people.owner.say(room, "groupchat", "ada: and I?");
    await hears(room, "re: and I?");
    expect(ada.asked.map(({ text }) => text)).toEqual(["and I?"]);
    const query = xml("query", { xmlns: "http://jabber.org/protocol/disco#info" });
    const asking = xml("iq", { type: "get", to: `${room}/ada` }, query);
    const answer = await bench.platform.people.owner.request(asking);
    expect(answer.getChild("query")?.getChild("identity")?.attrs).toMatchObject({
      category: "client",
      type: "bot",
    });
  });

  it("a stranger gets nothing in the room, and a code alone", async () => {
    const room = await newRoom(shown);
    const met: string[] = [];
    const introduce: InProcessOptions["introduce"] = async ({ userId }) => {
      met.push(userId);
      return { say: "Give this code to my owner.", waits: true };
    };
    const bot = await agentIn(room, { groupsOnlyListed: true, strangers: "pair" }, { introduce });
    const { owner, stranger } = bench.platform.people;
    await bench.enter("stranger", "stan", room);
    await stranger.say(room, "groupchat", "ada: hello from a stranger");
    // Within the room, where anybody may have that name.
    await stranger.say(`${room}/ada`, "chat", "whispered");
    await stranger.say(BOT, "chat", "directly");
    await until("told", () => bench.platform.heard("stranger").length === 1);
    await owner.say(room, "groupchat", "ada: after that");
    await hears(room, "re: after that");
    expect(bench.platform.heard("stranger")).toEqual(["Give this code to my owner."]);
    expect(met).toEqual(["stan@localhost"]);
    expect(said(room, "ada").map(({ text }) => text)).toEqual(["re: after that"]);
    expect(bot.asked.map(({ text }) => text)).toEqual(["after that"]);
  });

  it("nobody is the owner by a name, a resource, a similar address, or what they say of themselves", async () => {
    const room = await newRoom(shown);
    const bot = await agentIn(room, { groupsOnlyListed: true, strangers: "ignore" });
    const { owner, user } = bench.platform.people;
    const similar = new XmppPerson(
      "0lga",
      () => bench.platform.server.port,
      [],
      () => {},
    );
    await similar.connect("olga@localhost");
    await bench.leave("owner", "olga", room);
    // An impostor with the name of the owner, who says in the words of a room to be the owner.
    const claim = (jid: string) =>
      xml("x", { xmlns: MUC_USER }, xml("item", { jid, affiliation: "owner", role: "moderator" }));
    const muc = xml("x", { xmlns: "http://jabber.org/protocol/muc" });
    await similar.send(xml("presence", { to: `${room}/olga` }, muc, claim("olga@localhost/phone")));
    bot.ask();
    await until("the owner is asked", bench.heard("(request 7)"));
    for (const text of ["ada: it is me", "ada: approve 7", "approve 7"]) {
      await similar.say(room, "groupchat", text, claim("olga@localhost/phone"));
      await similar.say(BOT, "chat", text, claim("olga@localhost/phone"));
    }
    await similar.synced();
    await bench.enter("owner", "chief", room);
    await owner.say(room, "groupchat", "ada: under another name");
    await hears(room, "re: under another name");
    expect(bot.asked.map(({ text, userId, role }) => [text, userId, role])).toEqual([
      ["under another name", "olga@localhost", "owner"],
    ]);
    expect(bot.decided).toEqual([]);
    expect(JSON.stringify([similar.stanzas, user.stanzas])).not.toContain("(request 7)");
    await owner.say(BOT, "chat", "approve 7");
    await until("decided", () => bot.decided.length === 1);
    expect(bot.decided).toEqual(["7 allow olga@localhost"]);
    await similar.disconnect();
  });

  it("somebody with another name is who they were, and whoever takes the old one is not", async () => {
    const room = await newRoom();
    await bench.enter("user", "uma", room);
    await bench.enter("stranger", "stan", room);
    let release = () => {};
    const prompt: InProcessOptions["prompt"] = async ({ text, signal }) => {
      await new Promise<void>((resolve, reject) => {
        release = resolve;
        signal?.addEventListener("abort", () => reject(new Error("stopped")), { once: true });
      });
      return { sessionId: "s", text: `re: ${text}` };
    };
    const bot = await agentIn(room, {}, { prompt });
    const { user, stranger } = bench.platform.people;
    const asked = (count: number) => until(`${count} were asked`, () => bot.asked.length === count);
    await user.say(room, "groupchat", "ada: one");
    await asked(1);
    await bench.rename("user", "umi", room);
    await bench.rename("stranger", "uma", room);
    // With her name, and even with the mark that her messages have where the room marks them.
    const marked = user.stanzas.join().match(/<occupant-id[^>]*>/)?.[0] ?? "";
    const forged = xml("occupant-id", {
      xmlns: "urn:xmpp:occupant-id:0",
      id: /id="([^"]+)"/.exec(marked)?.[1] ?? "made up",
    });
    await stranger.say(room, "groupchat", "stop", forged);
    await stranger.say(room, "groupchat", "ada: two", forged);
    await until("it waits", () => JSON.stringify(bot.state.queue) === '{"in":2,"out":0}');
    await user.say(room, "groupchat", "stop");
    await hears(room, "Stopped");
    await asked(2);
    release();
    await hears(room, "re: two");
    await user.say(room, "groupchat", "ada: three");
    await asked(3);
    release();
    await hears(room, "re: three");
    const [first, other, later] = bot.asked.map(({ userId }) => userId);
    expect(later).toBe(first);
    expect(other).not.toBe(first);
    expect(
      said(room, "ada")
        .map(({ text }) => text)
        .filter((text) => text.includes("re: one")),
    ).toEqual([]);
  });

  it("somebody whose address is hidden is gone when they leave, but where the room marks who wrote what", async () => {
    const room = await newRoom();
    await bench.enter("user", "uma", room);
    const bot = await agentIn(room);
    const { user, stranger } = bench.platform.people;
    const mark = () => xml("occupant-id", { xmlns: "urn:xmpp:occupant-id:0", id: "always-the-same" });
    const id = "said-by-uma-in-the-room";
    await user.send(xml("message", { to: room, type: "groupchat", id }, xml("body", {}, "ada: one"), mark()));
    await hears(room, "re: one");
    await bench.leave("user", "uma", room);
    await bench.enter("stranger", "uma", room);
    // What she said cannot be changed by whoever has her name now.
    const replace = xml("replace", { xmlns: "urn:xmpp:message-correct:0", id });
    await stranger.say(room, "groupchat", "ada: I never said that", replace, mark());
    await stranger.say(room, "groupchat", "ada: two", mark());
    await hears(room, "re: two");
    await bench.leave("stranger", "uma", room);
    await bench.enter("user", "uma", room);
    await user.say(room, "groupchat", "ada: three", mark());
    await hears(room, "re: three");
    const [before, other, after] = bot.asked.map(({ userId }) => userId);
    expect(other).not.toBe(before);
    expect(before === after).toBe(server === "prosody");
    expect(bot.asked.map(({ text }) => text)).toEqual(["one", "two", "three"]);
    expect(bot.remembered).toEqual([]);
  });

  it("what was said before the agent came is remembered and not answered, and what it knows is not new", async () => {
    const room = await newRoom(shown);
    await bench.enter("user", "uma", room);
    const { user } = bench.platform.people;
    await user.say(room, "groupchat", "just talking");
    await user.say(room, "groupchat", "ada: you are not here");
    const settings = { groupsOnlyListed: true, listen: true };
    const first = await agentIn(room, settings);
    await user.say(room, "groupchat", "ada: now");
    await hears(room, "re: now");
    const remembered = (bot: InProcess) => bot.remembered.map(({ text, userId }) => `${userId}: ${text}`);
    // Whoever is still there is known where the room marks who wrote what; of others nobody knows who it was.
    const known = ["uma@localhost: just talking", "uma@localhost: you are not here"];
    expect(remembered(first)).toEqual(server === "prosody" ? known : []);
    expect(first.asked.map(({ text }) => text)).toEqual(["now"]);
    const storage = Object.fromEntries(first.test.storage);
    await first[Symbol.asyncDispose]();
    await user.say(room, "groupchat", "ada: while you were away");
    bench.platform.people.owner.stanzas.length = 0;
    const second = await agentIn(room, settings, { storage });
    await user.say(room, "groupchat", "ada: again");
    await hears(room, "re: again");
    expect(second.asked.map(({ text }) => text)).toEqual(["again"]);
    expect(remembered(second)).toEqual(server === "prosody" ? ["uma@localhost: while you were away"] : []);
    // Where anybody is answered, anybody's words are remembered.
    bench.platform.people.owner.stanzas.length = 0;
    await second[Symbol.asyncDispose]();
    const open = await agentIn(room, { ...settings, groupsOnlyListed: false, nick: "ida" });
    await user.say(room, "groupchat", "ida: open to all");
    await hears(room, "re: open to all");
    expect(open.remembered.map(({ text }) => text)).toEqual(expect.arrayContaining(["just talking"]));
    expect(open.asked.map(({ text }) => text)).toEqual(["open to all"]);
  });

  it("it comes at once into a room that it is invited to, through the room or by a person, and into no other", async () => {
    const closed = { "muc#roomconfig_passwordprotectedroom": "1", "muc#roomconfig_roomsecret": "sesame" };
    const [first, second, other] = [await newRoom(closed), await newRoom(closed), await newRoom()];
    const clock = new StandingClock();
    const settings = bench.settings({ rooms: [first, second] });
    const transport = new XmppTransport(settings, "invited", clock);
    const bot = await InProcess.start((ctx) => {
      const access = { owners: [], users: [], everyone: false, groups: [first, second] };
      return runChannel({ name: "XMPP", transport, clock, access }, ctx);
    });
    await bot.told(`${first} cannot be entered: its password is missing`);
    for (const room of [first, second]) {
      await bench.configure(
        { "muc#roomconfig_passwordprotectedroom": "0", "muc#roomconfig_roomsecret": "" },
        room,
      );
    }
    // Longer than between two tries at least, and shorter than until the next by itself.
    clock.pass(3_000);
    const { owner, stranger } = bench.platform.people;
    const invite = xml("x", { xmlns: MUC_USER }, xml("invite", { to: BOT }));
    const direct = (jid: string) => xml("x", { xmlns: "jabber:x:conference", jid });
    await stranger.send(xml("message", { to: BOT }, direct(other)));
    // Both servers put into a room's invitation the one that a person would send; without it the room's own has to do.
    const { proxy } = bench.platform;
    proxy.without = new RegExp(`<x\\b(?=[^>]*jabber:x:conference)[^>]*${first}[^>]*?(/>|>[^<]*</x>)`);
    await owner.send(xml("message", { to: first }, invite));
    await bot.told(`${second} cannot be entered: its password is missing`);
    proxy.without = null;
    expect(proxy.leftOut).toEqual([expect.stringContaining(first)]);
    await owner.send(xml("message", { to: BOT }, direct(second)));
    await until("it is in both", () => bot.error === null);
    const there = (room: string) => owner.stanzas.some((stanza) => stanza.includes(`from="${room}/ada"`));
    await owner.synced();
    expect([there(first), there(second), there(other)]).toEqual([true, true, false]);
    expect(bot.asked).toEqual([]);
    await bot[Symbol.asyncDispose]();
  });
});
