import { ChannelFailure } from "@patchbay/plugin-sdk/channel";
import { type Element, xml } from "@xmpp/client";
import { expect, test } from "vitest";
import { Archive } from "./archive.ts";
import { CatchUp } from "./catch-up.ts";
import { NS } from "./namespaces.ts";

const SELF = "ada@example.org";

/** A server with an archive of the account: it answers each question after what it found, as servers do. */
class ArchiveServer {
  readonly archive: Archive;
  readonly messages: { id: string; with: string }[] = [];
  /** Called for each question, before it is answered. */
  onQuestion: () => Promise<void> = async () => {};
  /** Questions that wait for their answer now, and messages that were given. */
  waiting = 0;
  mostWaiting = 0;
  given = 0;

  constructor() {
    this.archive = new Archive({ self: SELF, request: (stanza) => this.#answer(stanza) });
  }

  keep(id: string, person = "bob@example.org"): void {
    this.messages.push({ id, with: person });
  }

  async #answer(stanza: Element): Promise<Element> {
    if (stanza.getChild("prefs", NS.mam))
      return xml("iq", {}, xml("prefs", { xmlns: NS.mam, default: "always" }));
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
    const all = this.messages.filter((message) => !person || message.with === person);
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

  #give(message: { id: string; with: string }, queryid: string): void {
    this.given += 1;
    const sent = xml("message", { id: message.id, from: SELF, to: message.with });
    const forwarded = xml("forwarded", { xmlns: NS.forward }, sent);
    const result = xml("result", { xmlns: NS.mam, queryid, id: message.id }, forwarded);
    this.archive.take(xml("message", {}, result));
  }
}

const people = Array.from({ length: 200 }, (_, number) => `p${number}@example.org`);

test("looks of many conversations at once do not flood the connection", async () => {
  const server = new ArchiveServer();
  for (let round = 0; round < 50; round += 1)
    for (const person of people) server.keep(`${person}#${round}`, person);

  const found = await Promise.all(
    people.map((conversation) =>
      server.archive.has({ conversation, id: `${conversation}#49`, since: undefined }),
    ),
  );

  expect(found).toEqual(people.map(() => true));
  expect(server.mostWaiting).toBe(1);
  expect(server.given).toBeLessThanOrEqual(people.length * 10);
});

test("what stands further back is found, too", async () => {
  const server = new ArchiveServer();
  for (let number = 0; number < 300; number += 1) server.keep(`m${number}`);

  const look = (id: string) => server.archive.has({ conversation: "bob@example.org", id, since: undefined });

  expect(await look("m0")).toBe(true);
  expect(await look("none")).toBe(false);
});

test("a server that does not answer in time leaves a look open, a connection that is gone ends it", async () => {
  const server = new ArchiveServer();
  const sought = { conversation: "bob@example.org", id: "m1", since: undefined };
  server.onQuestion = async () => {
    throw Object.assign(new Error("too late"), { name: "TimeoutError" });
  };
  expect(await server.archive.has(sought)).toBe("unknown");

  const asked = Promise.withResolvers<void>();
  server.onQuestion = () => {
    asked.resolve();
    return new Promise(() => {});
  };
  const look = server.archive.has(sought);
  await asked.promise;
  server.archive.cut(new ChannelFailure("offline", "The connection was cut."));
  await expect(look).rejects.toThrow("The connection was cut.");

  server.keep("m1");
  server.onQuestion = async () => {};
  expect(await server.archive.has(sought)).toBe(true);
});

for (const condition of [undefined, "resource-constraint"]) {
  test(`what could not be read is read later (${condition ?? "no answer"})`, async () => {
    const server = new ArchiveServer();
    server.keep("before");
    const stored = new Map<string, unknown>();
    const storage = {
      get: async (key: string) => stored.get(key),
      set: async (key: string, value: unknown) => void stored.set(key, value),
    };
    const later: (() => void)[] = [];
    const clock = {
      after: (_: number, act: () => void) => {
        later.push(act);
        return () => {};
      },
    };
    const catchUp = new CatchUp(storage as never, clock as never);
    await catchUp.read(server.archive, async () => {});
    expect(stored.get("archive")).toBe("before");

    server.keep("missed");
    server.onQuestion = async () => {
      throw Object.assign(new Error("not now"), { condition });
    };
    await expect(catchUp.read(server.archive, async () => {})).rejects.toThrow("not now");
    // A message that comes in by itself meanwhile is newer than the missed one.
    server.keep("newer");
    catchUp.reached("newer");
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
