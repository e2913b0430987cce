import { expect, test } from "vitest";
import type { Approval, ChannelPerson } from "../../src/contract/index.ts";
import { message, next, Workbench } from "./workbench.ts";

const HOUR = 60 * 60_000;

/** A channel `irc` on which strangers are told a code, with an owner `olga` who may decide from there. */
async function pairing(): Promise<Workbench> {
  const bench = await Workbench.open();
  bench.rules.set("irc", { strangers: "pair", groupsOnlyListed: true });
  bench.roles.set("olga", "owner");
  bench.deciding.add("irc");
  return bench;
}

const channelOf = (bench: Workbench) => bench.agents.channels.of("a", "irc");
const peopleOf = (bench: Workbench): ChannelPerson[] => bench.people.get("a/irc") ?? [];
const codeOf = (bench: Workbench, userId = "sam") =>
  peopleOf(bench).find((person) => person.userId === userId)?.code ?? "";
const meet = (bench: Workbench, userId = "sam") =>
  channelOf(bench).introduce({ userId, userName: "Sam", conversation: userId });

test("a stranger is told a code once; it is the core's, and bound to the agent, the plugin and the person", async () => {
  await using bench = await pairing();
  const first = await meet(bench);
  expect(first).toEqual({
    say: `I do not know you yet. Give this code to my owner: ${codeOf(bench)}. It holds for an hour.`,
    waits: true,
  });
  expect(codeOf(bench)).toMatch(/^[2-9A-HJ-NP-TV-Z]{3}-[2-9A-HJ-NP-TV-Z]{3}$/);
  expect(await meet(bench)).toEqual({ say: null, waits: true });
  bench.rules.set("xmpp", { strangers: "pair", groupsOnlyListed: true });
  bench.deciding.add("xmpp");
  const elsewhere = bench.agents.channels.of("a", "xmpp").pair({ code: codeOf(bench), userId: "olga" });
  await expect(elsewhere).rejects.toMatchObject({ code: "PERSON_NOT_FOUND" });
});

test("a stranger is not answered, whatever the channel says of them, and is once an owner has written the code", async () => {
  await using bench = await pairing();
  await bench.script([{ say: "welcome" }]);
  const channel = channelOf(bench);
  const ask = (more: object = {}) => channel.prompt({ ...message("hi"), userId: "sam", ...more });
  await meet(bench);
  for (const role of [undefined, "user", "owner"])
    await expect(ask({ role })).rejects.toMatchObject({ code: "NOT_LET_IN" });
  await expect(ask({ group: true })).rejects.toMatchObject({ code: "NOT_LET_IN" });
  await expect(channel.append({ ...message("hi"), userId: "sam" })).rejects.toMatchObject({
    code: "NOT_LET_IN",
  });
  expect(bench.audit.filter(({ kind }) => kind === "wall.refused")).toMatchObject([
    { detail: { userId: "sam", claimed: "let in" } },
    { detail: { userId: "sam", claimed: "owner" } },
  ]);
  const code = codeOf(bench).toLowerCase().replace("-", " ");
  expect(await channel.pair({ code, userId: "olga" })).toEqual({ say: "Sam (sam) may write now." });
  expect(await ask({ role: "owner" })).toMatchObject({ text: "welcome" });
  expect(peopleOf(bench)).toMatchObject([{ userId: "sam", status: "user", decidedBy: "olga" }]);
});

test("only an owner lets people in, only where deciding is granted, and never as owners", async () => {
  await using bench = await pairing();
  await meet(bench);
  const pair = (userId: string) => channelOf(bench).pair({ code: codeOf(bench), userId });
  await expect(pair("sam")).rejects.toMatchObject({ code: "NOT_THE_OWNER" });
  bench.roles.set("uma", "user");
  await expect(pair("uma")).rejects.toMatchObject({ code: "NOT_THE_OWNER" });
  bench.deciding.delete("irc");
  await expect(pair("olga")).rejects.toMatchObject({ code: "DECIDING_NOT_GRANTED" });
  expect(peopleOf(bench)).toMatchObject([{ status: "waiting" }]);
  expect(bench.audit.filter(({ target }) => target === "people")).toHaveLength(3);
});

test("a code works once, not after its hour, and not by guessing", async () => {
  await using bench = await pairing();
  await meet(bench);
  const pair = (code: string) => channelOf(bench).pair({ code, userId: "olga" });
  const old = codeOf(bench);
  bench.clock.pass(HOUR);
  await expect(pair(old)).rejects.toMatchObject({ code: "PERSON_NOT_FOUND" });
  expect((await meet(bench)).say).toContain(codeOf(bench));
  expect(codeOf(bench)).not.toBe(old);
  const code = codeOf(bench);
  await pair(code);
  await expect(pair(code)).rejects.toMatchObject({ code: "PERSON_NOT_FOUND" });
  for (const guess of ["222-222", "333-333", "444-444"])
    await expect(pair(guess)).rejects.toMatchObject({ code: "PERSON_NOT_FOUND" });
  await meet(bench, "tom");
  await expect(pair(codeOf(bench, "tom"))).rejects.toMatchObject({ code: "RATE_LIMITED" });
  bench.clock.pass(10 * 60_000);
  await pair(codeOf(bench, "tom"));
});

test("a stranger gets two codes in a day, and none when blocked or just turned away", async () => {
  await using bench = await pairing();
  const { people } = bench.agents.channels;
  const said: (string | null)[] = [];
  for (let hour = 0; hour < 23; hour += 1) {
    said.push((await meet(bench)).say);
    bench.clock.pass(HOUR);
  }
  expect(said.map((say) => say !== null).lastIndexOf(true)).toBe(1);
  bench.clock.pass(2 * HOUR);
  expect((await meet(bench)).say).not.toBeNull();
  await people.decide("a", "irc", { userId: "sam" }, "refuse");
  expect(await meet(bench)).toEqual({ say: null, waits: false });
  bench.clock.pass(25 * HOUR);
  expect((await meet(bench)).say).not.toBeNull();
  await people.decide("a", "irc", { userId: "sam" }, "block");
  bench.clock.pass(90 * 24 * HOUR);
  expect(await meet(bench)).toEqual({ say: null, waits: false });
  await people.decide("a", "irc", { userId: "sam" }, "remove");
  expect((await meet(bench)).say).not.toBeNull();
});

test("of a thousand strangers a few wait, and ten codes are told in ten minutes", async () => {
  await using bench = await pairing();
  const meetAll = async (name: string) => {
    let told = 0;
    for (let index = 0; index < 1_000; index += 1)
      told += (await meet(bench, `${name}${index}`)).say === null ? 0 : 1;
    return told;
  };
  expect(await meetAll("a")).toBe(10);
  bench.clock.pass(11 * 60_000);
  expect(await meetAll("b")).toBe(10);
  bench.clock.pass(11 * 60_000);
  expect(await meetAll("c")).toBe(0);
  expect(peopleOf(bench)).toHaveLength(20);
  bench.clock.pass(HOUR);
  expect(await meetAll("d")).toBe(10);
  expect(peopleOf(bench)).toHaveLength(20);
});

test("a name that was let in is nobody's right: the id counts", async () => {
  await using bench = await pairing();
  await meet(bench);
  await bench.agents.channels.people.decide("a", "irc", { userId: "sam" }, "owner");
  const impostor = { ...message("hi"), userId: "sam2", userName: "Sam", role: "owner" };
  await expect(channelOf(bench).prompt(impostor)).rejects.toMatchObject({ code: "NOT_LET_IN" });
  await expect(
    channelOf(bench).review({ request: "1", decision: "allow", userId: "sam2" }),
  ).rejects.toMatchObject({ code: "NOT_THE_OWNER" });
});

test("the channel is told who was let in and who waits, at each change", async () => {
  await using bench = await pairing();
  const told: string[] = [];
  const end = channelOf(bench).followPeople(({ listed, waiting }) => {
    told.push(`${listed.map(({ userId, role }) => `${userId} ${role}`)}|${waiting}`);
  });
  await meet(bench);
  await bench.agents.channels.people.decide("a", "irc", { code: codeOf(bench) }, "owner");
  await bench.agents.channels.people.decide("a", "irc", { userId: "sam" }, "remove");
  end();
  await meet(bench, "tom");
  expect(told).toEqual(["|", "|sam", "sam owner|", "|"]);
});

test("where strangers are ignored or answered there are no codes, and a room can be open to all", async () => {
  await using bench = await pairing();
  await bench.script([{ say: "1" }, { say: "2" }, { say: "3" }]);
  const stranger = { ...message("hi"), userId: "sam" };
  bench.rules.set("irc", { strangers: "ignore", groupsOnlyListed: false });
  expect(await meet(bench)).toEqual({ say: null, waits: false });
  await expect(channelOf(bench).prompt(stranger)).rejects.toMatchObject({ code: "NOT_LET_IN" });
  expect(await channelOf(bench).prompt({ ...stranger, group: true })).toMatchObject({ text: "1" });
  bench.rules.set("irc", { strangers: "answer", groupsOnlyListed: true });
  expect(await meet(bench)).toEqual({ say: null, waits: false });
  expect(await channelOf(bench).prompt(stranger)).toMatchObject({ text: "2" });
  await expect(channelOf(bench).prompt({ ...stranger, group: true })).rejects.toMatchObject({
    code: "NOT_LET_IN",
  });
});

test("in German a stranger, the owner who lets them in, and the help are told in German", async () => {
  await using bench = await pairing();
  bench.language = "de";
  const { say } = await meet(bench);
  expect(say).toBe(
    `Ich kenne dich noch nicht. Gib meinem Besitzer diesen Code: ${codeOf(bench)}. Er gilt eine Stunde.`,
  );
  const channel = channelOf(bench);
  expect(await channel.pair({ code: codeOf(bench), userId: "olga" })).toEqual({
    say: "Sam (sam) darf jetzt schreiben.",
  });
  const ask = async (text: string) => (await channel.prompt({ ...message(text), userId: "sam" })).text;
  const help = await ask("/hilfe");
  expect(help).toContain("/stop: Hält an, was der Agent hier gerade für dich tut.");
  expect(help).toContain("/approve <Nummer>: Erlaubt den Aufruf");
  expect(await ask("/help")).toBe(help);
  expect(await ask("/hilfe stop")).toMatch(/^\/stop: Hält an[^\n]*$/);
  expect(await ask("/gibtsnicht")).toBe(
    "Einen Befehl /gibtsnicht gibt es nicht. Mit /hilfe kommt die Liste.",
  );
  expect(await ask("/clear")).toBe("Der Kontext ist geleert.");
});

test("whoever is removed is not answered any more: their turn is stopped, what it asked is withdrawn, their talk is over", async () => {
  await using bench = await pairing();
  await meet(bench);
  const { people } = bench.agents.channels;
  await people.decide("a", "irc", { userId: "sam" }, "user");
  bench.agent = { ...bench.agent, policy: [{ tool: "shell", effect: "ask", callers: ["anyone"] }] };
  await bench.script([
    { call: { tool: "shell", input: { command: "echo secret" } } },
    { say: "the answer to Sam" },
  ]);
  const channel = channelOf(bench);
  const own = { conversation: "sam", userId: "sam" };
  const asked = next<Approval>(bench.agents.approvals.changes, "approval");
  const answers = [
    channel.prompt({ ...message("use it"), ...own, messageId: "1" }),
    channel.prompt({ ...message("and then"), ...own, messageId: "2" }),
  ].map((answer) =>
    answer.then(
      ({ text }) => text,
      ({ code }: { code: string }) => code,
    ),
  );
  const { id, sessionId } = await asked;
  await people.decide("a", "irc", { userId: "sam" }, "remove");
  expect(await Promise.all(answers)).toEqual(["NOT_LET_IN", "NOT_LET_IN"]);
  expect(bench.agents.approvals.list().find((one) => one.id === id)?.status ?? "cancelled").toBe("cancelled");
  expect((await bench.agents.sessions.open("a", sessionId)).view.status).toBe("closed");
  // Nobody else is touched, and somebody who is let in again begins anew.
  const olga = { conversation: "olga", userId: "olga" };
  const others = await channel.append({ ...message("hi"), ...olga, messageId: "3" });
  expect((await bench.agents.sessions.open("a", others.sessionId)).view.status).not.toBe("closed");
  await meet(bench);
  await people.decide("a", "irc", { userId: "sam" }, "user");
  const again = await channel.append({ ...message("me again"), ...own, messageId: "4" });
  expect(again.sessionId).not.toBe(sessionId);
});

test("a room goes on when one of its people is removed in the middle of their turn", async () => {
  await using bench = await pairing();
  await meet(bench);
  const { people } = bench.agents.channels;
  await people.decide("a", "irc", { userId: "sam" }, "user");
  await bench.script([{ say: "one" }, { say: "slowly ".repeat(1_600), delayMs: 60_000 }]);
  const channel = channelOf(bench);
  const room = { conversation: "#room", group: true };
  const first = await channel.prompt({ ...message("hi"), ...room, userId: "olga", messageId: "1" });
  const begun = Promise.withResolvers<string>();
  const slow = channel.prompt({
    ...message("slowly"),
    ...room,
    userId: "sam",
    messageId: "2",
    onDelta: begun.resolve,
  });
  await begun.promise;
  await people.decide("a", "irc", { userId: "sam" }, "block");
  await expect(slow).rejects.toMatchObject({ code: "NOT_LET_IN" });
  const third = await channel.append({ ...message("still there?"), ...room, userId: "olga", messageId: "3" });
  expect(third.sessionId).toBe(first.sessionId);
});
