import type { PluginStorage } from "@patchbay/plugin-sdk";
import { type ChannelClock, ChannelFailure } from "@patchbay/plugin-sdk/channel";
import { type Element, xml } from "@xmpp/client";
import { expect, test } from "vitest";
import { NS } from "../namespaces.ts";
import { Archive } from "./archive.ts";
import { CatchUp } from "./catch-up.ts";
import { Incoming } from "./incoming.ts";
import { Looks } from "./looks.ts";

const SELF = "ada@example.org";
const NOW = Date.parse("2026-11-23T12:00:00Z");

/** A server with an archive of the account: it answers each question after what it found, as servers do. */
class ArchiveServer {
  readonly archive: Archive;
  readonly looks: Looks;
  readonly messages: { id: string; with: string; at: number; theirs?: boolean }[] = [];
  /** What waits on the channel's clock. */
  readonly later: { ms: number; act(): void }[] = [];
  /** How often it does not say what it keeps. */
  silentOnPrefs = 0;
  /** Milliseconds by which its clock is ahead; null: it does not tell the time. */
  ahead: number | null = 0;
  /** Called for each question, before it is answered. */
  onQuestion: () => Promise<void> = async () => {};
  /** Questions that wait for their answer now, and messages that were given. */
  waiting = 0;
  mostWaiting = 0;
  questions = 0;
  given = 0;

  constructor() {
    const request = (stanza: Element) => this.#answer(stanza);
    this.archive = new Archive({ self: SELF, request });
    this.looks = new Looks({
      archive: this.archive,
      self: SELF,
      domain: "example.org",
      request,
      now: () => NOW,
      clock: {
        limit: (ms: number, act: () => void) => {
          this.later.push({ ms, act });
          return () => {};
        },
      } as unknown as ChannelClock,
      stopped: new AbortController().signal,
    });
  }

  /** @param at milliseconds since 1970, in our time */
  keep(id: string, person = "bob@example.org", at = NOW): void {
    this.messages.push({ id, with: person, at: at + (this.ahead ?? 0) });
  }

  /** A message to the bot. */
  keepTheirs(id: string, person = "bob@example.org"): void {
    this.messages.push({ id, with: person, at: NOW, theirs: true });
  }

  async #answer(stanza: Element): Promise<Element> {
    if (stanza.getChild("prefs", NS.mam) && this.silentOnPrefs > 0) {
      this.silentOnPrefs -= 1;
      throw tooLate();
    }
    if (stanza.getChild("prefs", NS.mam))
      return xml("iq", {}, xml("prefs", { xmlns: NS.mam, default: "always" }));
    if (stanza.getChild("time", NS.time)) {
      if (this.ahead === null) throw new Error("service-unavailable");
      const utc = new Date(NOW + this.ahead).toISOString();
      return xml("iq", {}, xml("time", { xmlns: NS.time }, xml("utc", {}, utc)));
    }
    this.questions += 1;
    this.waiting += 1;
    this.mostWaiting = Math.max(this.mostWaiting, this.waiting);
    try {
      await new Promise((resolve) => setImmediate(resolve));
      await this.onQuestion();
    } finally {
      this.waiting -= 1;
    }
    const query = stanza.getChild("query", NS.mam) as Element;
    const set = query.getChild("set", NS.pages) as Element;
    const fields = query.getChild("x", NS.forms)?.getChildren("field") ?? [];
    const person = fields.find(({ attrs }) => attrs.var === "with")?.getChildText("value");
    const start = fields.find(({ attrs }) => attrs.var === "start")?.getChildText("value");
    const all = this.messages.filter(
      (message) => (!person || message.with === person) && (!start || message.at >= Date.parse(start)),
    );
    const most = Number(set.getChildText("max"));
    const before = set.getChildText("before");
    const after = set.getChildText("after");
    const place = (id: string, none: number) => (id ? all.findIndex((message) => message.id === id) : none);
    const rest =
      before === null ? all.slice(place(after ?? "", -1) + 1) : all.slice(0, place(before, all.length));
    const page = before === null ? rest.slice(0, most) : rest.slice(-most);
    for (const message of page) this.#give(message, query.attrs.queryid ?? "");
    const ends = xml(
      "set",
      { xmlns: NS.pages },
      xml("first", {}, page[0]?.id ?? ""),
      xml("last", {}, page.at(-1)?.id ?? ""),
    );
    return xml("iq", {}, xml("fin", { xmlns: NS.mam, complete: String(page.length === rest.length) }, ends));
  }

  #give(message: { id: string; with: string; theirs?: boolean }, queryid: string): void {
    this.given += 1;
    const [from, to] = message.theirs ? [message.with, SELF] : [SELF, message.with];
    const sent = xml("message", { id: message.id, from, to });
    const forwarded = xml("forwarded", { xmlns: NS.forward }, sent);
    const result = xml("result", { xmlns: NS.mam, queryid, id: message.id }, forwarded);
    this.archive.take(xml("message", {}, result));
  }
}

/** As the library says it when there is no answer. */
const tooLate = () => Object.assign(new Error("too late"), { name: "TimeoutError" });

function storageOf(stored: Map<string, unknown>): PluginStorage {
  return {
    get: async (key: string) => stored.get(key),
    set: async (key: string, value: unknown) => void stored.set(key, value),
  } as unknown as PluginStorage;
}

const people = Array.from({ length: 200 }, (_, number) => `p${number}@example.org`);

test("looks of many conversations at once are one question for a few pages", async () => {
  const server = new ArchiveServer();
  for (let round = 0; round < 50; round += 1)
    for (const person of people) server.keep(`${person}#${round}`, person, NOW - (50 - round) * 60_000);

  const look = (number: number) =>
    Promise.all(
      people.map((conversation) =>
        server.looks.has({ conversation, id: `${conversation}#${number}`, since: NOW - 60_000 }),
      ),
    );

  expect(await look(49)).toEqual(people.map(() => true));
  expect(server.mostWaiting).toBe(1);
  expect(server.questions).toBeLessThanOrEqual(3);
  expect(await look(50)).toEqual(people.map(() => false));
  // Those of the last two minutes and no more, both times.
  expect(server.given).toBeLessThanOrEqual(2 * 2 * people.length);
});

for (const ahead of [-45 * 60_000, 45 * 60_000, null]) {
  test(`a message is found whatever the server's clock says (${ahead})`, async () => {
    const server = new ArchiveServer();
    server.ahead = ahead;
    server.keep("mine");
    const look = (id: string) =>
      server.looks.has({ conversation: "bob@example.org", id, since: NOW - 1_000 });

    expect(await look("mine")).toBe(true);
    expect(await look("other")).toBe(false);
  });
}

test("what stands further back is found, too, alone and with others", async () => {
  const server = new ArchiveServer();
  for (let number = 0; number < 300; number += 1) server.keep(`m${number}`);
  for (let number = 0; number < 2_000; number += 1) server.keep(`n${number}`, "carl@example.org");
  const conversation = "bob@example.org";

  for (const since of [undefined, NOW]) {
    const look = (id: string) => server.looks.has({ conversation, id, since });
    expect(await Promise.all([look("m0"), look("none"), look("m299")])).toEqual([true, false, true]);
  }
});

test("a look goes back no further than to what was answered", async () => {
  const server = new ArchiveServer();
  for (let number = 0; number < 2_000; number += 1) server.keep(`before${number}`);
  for (const person of people.slice(0, 30)) {
    server.keepTheirs(`of ${person}`, person);
    if (person !== people[7]) server.keep(`re ${person}`, person);
  }
  const look = (conversation: string, answers: string) =>
    server.looks.has({ conversation, answers, id: `re ${conversation}`, since: NOW });
  const all = people.slice(0, 30).map((person) => look(person, `of ${person}`));

  expect(await Promise.all(all)).toEqual(all.map((_, number) => number !== 7));
  expect(server.given).toBeLessThanOrEqual(200);
  // Also where it is not known when the answer was written.
  server.given = 0;
  const whenever = people.slice(0, 30).map((conversation) => {
    const sought = {
      conversation,
      answers: `of ${conversation}`,
      id: `re ${conversation}`,
      since: undefined,
    };
    return server.looks.has(sought);
  });
  expect(await Promise.all(whenever)).toEqual(all.map((_, number) => number !== 7));
  expect(server.given).toBeLessThanOrEqual(200);
  // What somebody else wrote under that id is not what was answered.
  expect(await look(people[3] as string, `of ${people[29]}`)).toBe(true);
});

test("a message that its program sent once more after the answer does not hide the answer", async () => {
  const server = new ArchiveServer();
  for (let number = 0; number < 2_000; number += 1) server.keep(`before${number}`, "carl@example.org");
  const conversation = "bob@example.org";
  server.keepTheirs("question");
  server.keep("answer");
  server.keepTheirs("question");
  for (const since of [undefined, NOW]) {
    expect(await server.looks.has({ conversation, answers: "question", id: "answer", since })).toBe(true);
  }
});

test("looks that begin while others are under way are answered, too", async () => {
  const server = new ArchiveServer();
  server.keep("m1");
  server.keep("m2");
  const look = (id: string) => server.looks.has({ conversation: "bob@example.org", id, since: NOW });
  const asked = Promise.withResolvers<void>();
  server.onQuestion = async () => asked.resolve();
  const first = look("m1");
  await asked.promise;

  expect(await Promise.all([first, look("m2"), look("m3")])).toEqual([true, true, false]);
});

test("a server that does not answer in time leaves a look open, a connection that is gone ends it", async () => {
  const server = new ArchiveServer();
  const sought = { conversation: "bob@example.org", id: "m1", since: undefined };
  server.onQuestion = async () => {
    throw tooLate();
  };
  expect(await server.looks.has(sought)).toBe("unknown");
  expect(server.questions).toBe(3);

  const asked = Promise.withResolvers<void>();
  server.onQuestion = () => {
    asked.resolve();
    return new Promise(() => {});
  };
  const look = server.looks.has(sought);
  await asked.promise;
  server.archive.cut(new ChannelFailure("offline", "The connection was cut."));
  await expect(look).rejects.toThrow("The connection was cut.");

  server.keep("m1");
  server.onQuestion = async () => {};
  expect(await server.looks.has(sought)).toBe(true);
});

for (const since of [undefined, NOW]) {
  test(`a server that does not answer in time is asked again (${since ? "many" : "one"})`, async () => {
    const server = new ArchiveServer();
    const sought = { conversation: "bob@example.org", id: "m1", since };
    server.keep("m1");
    server.onQuestion = async () => {
      if (server.questions < 3) throw tooLate();
    };
    expect(await server.looks.has(sought)).toBe(true);

    server.silentOnPrefs = 2;
    expect(await server.looks.has({ ...sought, id: "m2" })).toBe(false);
  });

  test(`what a server puts into its archive after the bot came in is found (${since ? "many" : "one"})`, async () => {
    const server = new ArchiveServer();
    const look = (id: string) => server.looks.has({ conversation: "bob@example.org", id, since });
    server.keep("at once");
    server.looks.cameIn();
    // What is there is not waited for.
    expect(await look("at once")).toBe(true);
    const looks = Promise.all([look("late"), look("never")]);
    await expect.poll(() => server.questions).toBeGreaterThan(since ? 1 : 2);
    server.keep("late");
    expect(server.later.map(({ ms }) => ms)).toEqual([4_000]);
    server.later[0]?.act();
    expect(await looks).toEqual([true, false]);

    // From then on a look is not made twice.
    server.questions = 0;
    expect(await look("never")).toBe(false);
    expect(server.questions).toBe(1);
  });
}

for (const condition of [undefined, "resource-constraint"]) {
  test(`what could not be read is read later (${condition ?? "no answer"})`, async () => {
    const server = new ArchiveServer();
    server.keep("before");
    const stored = new Map<string, unknown>();
    const storage = storageOf(stored);
    const later: (() => void)[] = [];
    const clock = {
      limit: (_: number, act: () => void) => {
        later.push(act);
        return () => {};
      },
    };
    const catchUp = new CatchUp(storage, clock as never);
    await catchUp.read(server.archive, async () => {});
    expect(stored.get("archive")).toBe("before");

    server.keep("missed");
    server.onQuestion = async () => {
      throw Object.assign(new Error("not now"), { condition });
    };
    await expect(catchUp.read(server.archive, async () => {})).rejects.toThrow("not now");
    // A message that comes in by itself meanwhile is newer than the missed one.
    server.keep("newer");
    catchUp.reached("newer", false);
    for (const act of later.splice(0)) act();
    expect(stored.get("archive")).toBe("before");

    server.onQuestion = async () => {};
    const taken: (string | undefined)[] = [];
    await catchUp.read(server.archive, async (message) => void taken.push(message.attrs.id));
    expect(taken).toEqual(["missed", "newer"]);
    await expect.poll(() => later.length).toBe(1);
    for (const act of later.splice(0)) act();
    await expect.poll(() => stored.get("archive")).toBe("newer");
  });
}

test("processes that never live a minute do not read more and more of the archive again", async () => {
  const server = new ArchiveServer();
  server.keep("before");
  const stored = new Map<string, unknown>();
  const storage = storageOf(stored);
  const clock = { limit: () => () => {} };
  const taken = new Map<string, number>();
  let mostGiven = 0;
  for (let life = 0; life < 40; life += 1) {
    const catchUp = new CatchUp(storage, clock as never);
    server.given = 0;
    await catchUp.read(server.archive, async ({ attrs }) => {
      taken.set(attrs.id ?? "", life);
      catchUp.reached(attrs.id ?? "", true);
    });
    mostGiven = Math.max(mostGiven, server.given);
    // What comes in by itself before the kill.
    for (let number = 0; number < 60; number += 1) {
      const id = `${life}-${number}`;
      server.keep(id);
      if (number < 30) catchUp.reached(id, false);
    }
  }
  const all = server.messages.slice(1, -60).map(({ id }) => id);
  expect(all.filter((id) => !taken.has(id))).toEqual([]);
  // So much is read again at most: less than half of what a channel remembers.
  expect(mostGiven).toBeLessThan(525);
});

test("what a process has read of the archive it does not read again, but for a page", async () => {
  const server = new ArchiveServer();
  for (let number = 0; number < 1_000; number += 1) server.keepTheirs(`m${number}`);
  const storage = storageOf(new Map([["archive", "m0"]]));
  const catchUp = new CatchUp(storage, { limit: () => () => {} } as never);
  const taken: (string | undefined)[] = [];
  const read = () => catchUp.read(server.archive, async ({ attrs }) => void taken.push(attrs.id));
  await read();
  expect(taken).toHaveLength(999);

  server.keepTheirs("new");
  server.given = 0;
  await read();
  expect(taken.at(-1)).toBe("new");
  expect(server.given).toBeLessThanOrEqual(200);
});

test("what the server gives to a session of before is read a moment later, and a place that stands still moves on", async () => {
  const server = new ArchiveServer();
  server.keep("before");
  const stored = new Map<string, unknown>([["archive", "before"]]);
  const storage = storageOf(stored);
  const later: { ms: number; act(): void }[] = [];
  const after = (ms: number, act: () => void) => {
    later.push({ ms, act });
    return () => {};
  };
  const clock = { after, limit: after } as unknown as ChannelClock;
  const taken: (string | undefined)[] = [];
  const closed = new AbortController();
  const incoming = new Incoming({
    account: SELF,
    archive: server.archive,
    catchUp: new CatchUp(storage, clock),
    clock,
    stopped: closed.signal,
    take: async ({ attrs }) => void taken.push(attrs.id),
  });
  // A wait that is not the minute after which a place is believed.
  const waits = () => expect.poll(() => later.some(({ ms }) => ms !== 60_000)).toBe(true);
  const next = async () => {
    await waits();
    const at = later.findIndex(({ ms }) => ms !== 60_000);
    later.splice(at, 1)[0]?.act();
  };

  await incoming.begin(async () => {});
  await waits();
  // Said before what comes in by itself, and given to the session of before.
  server.keepTheirs("first");
  incoming.live(xml("message", { id: "second", from: "bob@example.org" }));
  await next();
  await expect.poll(() => taken).toEqual(["first", "second"]);
  for (const id of ["later", "last"]) {
    server.keepTheirs(id);
    await next();
    await expect.poll(() => taken).toContain(id);
  }
  // From here on the archive cannot be read for a long time.
  server.onQuestion = async () => {
    throw new Error("not now");
  };
  for (let wait = 0; wait < 20; wait += 1) await next();
  await waits();
  server.keepTheirs("much later");
  server.onQuestion = async () => {};
  await next();
  await expect.poll(() => taken).toContain("much later");
  closed.abort();
});
