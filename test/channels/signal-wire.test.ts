import { createServer, type Socket } from "node:net";
import type { PluginLogger, PluginStorage } from "@patchbay/plugin-sdk";
import { type ChannelClock, systemClock } from "@patchbay/plugin-sdk/channel";
import { createTestContext } from "@patchbay/plugin-sdk/test";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serverProblem } from "../../plugins/signal/src/server-address.ts";
import { channelSchema } from "../../plugins/signal/src/settings.ts";
import { SignalTransport } from "../../plugins/signal/src/transport.ts";
import { groupRecipient, normalId } from "../../plugins/signal/src/wire.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { group, person, timestamp } from "../support/platforms/signal/accounts.ts";
import { SignalServer } from "../support/platforms/signal/server.ts";
import { Desk, fastClock, onlyWhenTold } from "./transport-desk.ts";

const ada = person("Ada", "+491000000");
const olga = person("Olga", "+491000001");
const uma = person("Uma", null);
const team = group("team");
/** So long a server may say nothing at all; milliseconds. */
const silenceMs = 120_000;
/** People of the settings, and what an earlier process has stored. */
interface Named {
  owners?: string[];
  marks?: boolean;
  storage?: PluginStorage;
}
const noStop = new AbortController().signal;
const piece = (text: string) => ({ text, id: "id-1", again: false, draft: false });

let server: SignalServer;
let open: SignalTransport[] = [];
let warnings: string[] = [];

beforeEach(async () => {
  server = await SignalServer.open();
  server.addAccount(ada);
  warnings = [];
});
afterEach(async () => {
  await Promise.all(open.map((transport) => transport.close()));
  open = [];
  await server[Symbol.asyncDispose]();
});

function transportOn(
  address = server.origin,
  clock: ChannelClock = systemClock(),
  { storage = createTestContext().ctx.storage, ...named }: Named = {},
): SignalTransport {
  const say = (message: string) => void warnings.push(message);
  const logger: PluginLogger = Object.assign(say, { debug: say, info: say, warn: say, error: say });
  const settings = channelSchema.parse({ server: address, number: ada.number, ...named });
  const transport = new SignalTransport(settings, clock, storage, logger);
  open.push(transport);
  return transport;
}

async function connected(
  clock?: ChannelClock,
  named?: Named,
): Promise<{ transport: SignalTransport; desk: Desk }> {
  const transport = transportOn(server.origin, clock, named);
  const desk = new Desk();
  expect(await transport.connect(desk, noStop)).toEqual({ account: ada.number });
  return { transport, desk };
}

const say = (from: typeof olga, said: Parameters<SignalServer["say"]>[2]) =>
  server.say(ada.number ?? "", from, said);
const frame = (from: typeof olga, content: object) =>
  server.frame(ada.number ?? "", from, timestamp(), content);

describe("what comes in from Signal", () => {
  it("is told apart by who wrote it, also when the number is hidden, and by person, device and time", async () => {
    const { desk } = await connected();
    const first = say(olga, { text: "with a number" });
    say(uma, { text: "without" });
    await desk.got(2);
    expect(desk.messages[0]).toMatchObject({
      conversation: olga.uuid,
      id: String(first),
      dedupeKey: `${olga.uuid}/1/${first}`,
      from: { id: olga.uuid, name: "Olga", aliases: [olga.number], self: false },
    });
    expect(desk.messages[1]).toMatchObject({ from: { id: uma.uuid } });
    expect(desk.messages[1]?.from.aliases).toBeUndefined();
  });

  it("has the rights of a number only from the account that wrote with it first, also after a restart", async () => {
    const { storage } = createTestContext().ctx;
    const named = { owners: ["+49 1000001"], storage };
    const { desk, transport } = await connected(undefined, named);
    say(olga, { text: "it is me" });
    // Somebody who was given the number of hers.
    const other = person("Olga", olga.number);
    say(other, { text: "it is me, too" });
    await desk.got(2);
    await transport.close();
    const next = await connected(undefined, named);
    say(other, { text: "and now?" });
    say(olga, { text: "still me" });
    await next.desk.got(2);
    const ids = [...desk.messages, ...next.desk.messages].map(({ from }) => [from.id, from.aliases]);
    expect(ids).toEqual([
      [olga.uuid, [olga.number]],
      [other.uuid, undefined],
      [other.uuid, undefined],
      [olga.uuid, [olga.number]],
    ]);
    expect(warnings.join("\n")).toContain("Another Signal account than before has the number +491000001");
  });

  it("in a group is for the agent when it is mentioned or replied to, and the mention is taken out", async () => {
    const { transport, desk } = await connected();
    const { messageId } = await transport.send(groupRecipient(team.internalId), piece("an answer"));
    const mine = { number: ada.number, uuid: ada.uuid, start: 0, length: 1 };
    const other = { number: null, uuid: uma.uuid, start: 8, length: 1 };
    say(olga, { group: team, text: "\uFFFC, show \uFFFC the plan", mentions: [mine, other] });
    say(olga, { group: team, text: "not for you" });
    say(olga, { group: team, text: "more of it", quote: { id: Number(messageId), authorUuid: "unknown" } });
    await desk.got(3);
    expect(desk.messages.map(({ text, group }) => [text, group?.addressed])).toEqual([
      ["show @someone the plan", true],
      ["not for you", false],
      ["more of it", true],
    ]);
    expect(desk.messages[0]?.conversation).toBe(groupRecipient(team.internalId));
  });

  it("is no message when it is an edit, a reaction, a deletion, a change of the group or the account's own", async () => {
    const { desk } = await connected();
    frame(olga, {
      editMessage: { targetSentTimestamp: 1, dataMessage: { timestamp: 2, message: "edited" } },
    });
    say(olga, { more: { reaction: { emoji: "👍", targetSentTimestamp: 1, isRemove: false } } });
    say(olga, { more: { remoteDelete: { timestamp: 1 } } });
    say(olga, { more: { groupInfo: { groupId: team.internalId, type: "UPDATE" } } });
    frame(ada, { syncMessage: { sentMessage: { destinationUuid: olga.uuid, message: "from my phone" } } });
    for (const content of [
      { receiptMessage: {} },
      { typingMessage: {} },
      { callMessage: {} },
      { storyMessage: {} },
    ])
      frame(olga, content);
    say(olga, { text: "a real one" });
    await desk.got(6);
    expect(desk.messages.map(({ kind, from }) => [kind, from.self])).toEqual([
      ["edit", false],
      ["reaction", false],
      ["notice", false],
      ["notice", false],
      ["notice", true],
      ["message", false],
    ]);
  });

  it("that was edited names the message that it was, with the new text", async () => {
    const { desk } = await connected();
    const first = say(olga, { text: "at five" });
    frame(olga, {
      editMessage: { targetSentTimestamp: first, dataMessage: { timestamp: first + 9, message: "at six" } },
    });
    await desk.got(2);
    const [said, edited] = desk.messages;
    expect(edited).toMatchObject({ kind: "edit", id: said?.id, dedupeKey: said?.dedupeKey, text: "at six" });
    expect(edited?.conversation).toBe(olga.uuid);
  });

  it("repeats what it answers, where that was said by another person", async () => {
    const { transport, desk } = await connected();
    const { messageId } = await transport.send(olga.uuid, piece("an answer"));
    say(olga, { text: "What of this?", quote: { id: 5, authorUuid: uma.uuid, text: "first line\nsecond" } });
    say(olga, {
      text: "And this?",
      quote: { id: Number(messageId), authorUuid: ada.uuid, text: "an answer" },
    });
    say(olga, { text: "And that?", quote: { id: 6, authorUuid: uma.uuid } });
    await desk.got(3);
    expect(desk.messages.map(({ text }) => text)).toEqual([
      "> first line\n> second\n\nWhat of this?",
      "And this?",
      "And that?",
    ]);
  });

  it("is shown as read to its author, in a group too, hidden number or not", async () => {
    const { transport, desk } = await connected();
    const direct = say(uma, { text: "psst" });
    const inGroup = say(olga, { group: team, text: "hello" });
    await desk.got(2);
    await transport.mark(uma.uuid, String(direct), "seen", null);
    await transport.mark(groupRecipient(team.internalId), String(inGroup), "seen", null);
    await transport.mark(uma.uuid, String(direct), "working", "seen");
    await transport.mark(uma.uuid, String(direct), null, "working");
    await transport.mark(groupRecipient(team.internalId), "1", "seen", null);
    expect(server.receipts).toEqual([
      { recipient: uma.uuid, timestamp: direct },
      { recipient: olga.uuid, timestamp: inGroup },
    ]);
    expect(server.reactions.size).toBe(0);
  });

  it("shows what waits and what is worked on as reactions, where the settings say so", async () => {
    const { transport, desk } = await connected(undefined, { marks: true });
    const place = groupRecipient(team.internalId);
    const direct = say(uma, { text: "psst" });
    const inGroup = say(olga, { group: team, text: "hello" });
    await desk.got(2);
    await transport.mark(uma.uuid, String(direct), "working", null);
    await transport.mark(place, String(inGroup), "seen", null);
    expect([...server.reactions]).toEqual([
      [direct, { recipient: uma.uuid, emoji: "⏳", author: uma.uuid }],
      [inGroup, { recipient: place, emoji: "👀", author: olga.uuid }],
    ]);
    await transport.mark(place, String(inGroup), "working", "seen");
    expect(server.reactions.get(inGroup)?.emoji).toBe("⏳");
    await transport.mark(place, String(inGroup), null, "working");
    await transport.mark(uma.uuid, String(direct), null, "working");
    await transport.mark(place, "1", "seen", null);
    expect([server.reactions.size, server.receipts.length]).toEqual([0, 1]);
  });

  it("in a group stands above the answer to it", async () => {
    const { transport, desk } = await connected();
    const time = say(uma, { group: team, text: "When do we meet?" });
    await desk.got(1);
    const { conversation, replyTo } = desk.messages[0] ?? { conversation: "" };
    await transport.send(conversation, { ...piece("At six."), ...(replyTo && { replyTo }) });
    await transport.send(conversation, { ...piece("Or seven."), replyTo: "of an earlier version" });
    const bodies = server.calls.filter(({ name }) => name === "POST /v2/send").map(({ body }) => body);
    expect(bodies[0]).toMatchObject({
      quote_timestamp: time,
      quote_author: uma.uuid,
      quote_message: "When do we meet?",
    });
    expect(bodies[1]).not.toHaveProperty("quote_timestamp");
  });

  it("goes on after frames that make no sense", async () => {
    const { desk } = await connected();
    for (const text of [
      "not json",
      "[]",
      '{"envelope":5}',
      '{"error":"signal-cli died"}',
      '{"exception":{"message":"x"}}',
    ])
      server.raw(ada.number ?? "", text);
    say(olga, { text: "still there?" });
    await desk.got(1);
    expect(desk.losses).toEqual([]);
    expect(warnings).toEqual([
      "The Signal server sent something that is not JSON.",
      "The Signal server sent a message that makes no sense.",
      "The Signal server sent a message that makes no sense.",
      "The Signal server reports: signal-cli died",
      'A message could not be read: {"message":"x"}',
    ]);
  });

  it("is read on while earlier messages are not yet safe, because nobody keeps it, and nothing is written back", async () => {
    const { desk } = await connected();
    desk.safe = new Promise(() => {});
    for (let count = 0; count < 200; count += 1) say(olga, { text: `flood ${count}` });
    await desk.got(200);
    expect(server.receiving.lost).toBe(0);
    expect(desk.losses).toEqual([]);
  });
});

describe("a Signal server", () => {
  it("is lost when it cuts the connection, and when it goes silent without a ping", async () => {
    const { desk } = await connected();
    server.receiving.cut();
    expect(await desk.lostFor()).toMatchObject({ kind: "offline" });
    server.receiving.silent = true;
    const time = new FakeClock();
    const { desk: second } = await connected(onlyWhenTold(time));
    time.advance(silenceMs - 1);
    expect(second.losses).toEqual([]);
    time.advance(1);
    expect(await second.lostFor()).toMatchObject({
      kind: "offline",
      message: "The Signal server has gone silent.",
    });
  });

  it("is alive as long as it pings", async () => {
    const time = new FakeClock();
    const { desk } = await connected(onlyWhenTold(time));
    for (let count = 0; count < 10; count += 1) {
      time.advance(silenceMs - 1);
      await server.receiving.ping();
    }
    expect(desk.losses).toEqual([]);
  });

  it.each([
    ["its mode hands nothing over", () => (server.mode = "normal"), "fatal", "MODE=json-rpc"],
    [
      "it is linked with another account",
      () => (server.accounts = ["+4930"]),
      "credentials",
      "no longer linked",
    ],
    ["it fails", () => server.fail("GET /v1/accounts", { status: 500 }), "offline", "status 500"],
    [
      "it refuses",
      () => server.fail("GET /v1/about", { status: 403, body: { error: "no" } }),
      "offline",
      "403: no",
    ],
    [
      "it is something else",
      () => server.fail("GET /v1/about", { status: 200, body: "<html>" }),
      "offline",
      "is no signal",
    ],
  ])("is not connected to when %s", async (_what, spoil, kind, words) => {
    spoil();
    await expect(connected()).rejects.toMatchObject({ kind, message: expect.stringContaining(words) });
  });

  it("is not connected to when nobody is there, or nobody answers", async () => {
    const held: Socket[] = [];
    const deaf = createServer((socket) => void held.push(socket));
    deaf.listen(0, "127.0.0.1");
    await new Promise((resolve) => deaf.once("listening", resolve));
    const { port } = deaf.address() as { port: number };
    const clock = fastClock(100);
    await expect(
      transportOn(`http://127.0.0.1:${port}`, clock).connect(new Desk(), noStop),
    ).rejects.toMatchObject({ kind: "offline", message: "The Signal server does not answer." });
    const closed = new Promise((resolve) => deaf.close(resolve));
    for (const socket of held) socket.destroy();
    await closed;
    await expect(transportOn(`http://127.0.0.1:${port}`).connect(new Desk(), noStop)).rejects.toMatchObject({
      kind: "offline",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });

  it("from which the phone has unlinked is noticed, though its socket stays open", async () => {
    const { transport } = await connected();
    await transport.ping();
    server.unlink(ada.number ?? "");
    await expect(transport.ping()).rejects.toMatchObject({ kind: "credentials" });
    await expect(transport.send(olga.uuid, piece("x"))).rejects.toMatchObject({ kind: "credentials" });
  });
});

describe("what goes out to Signal", () => {
  it("goes to people and to groups in the form that the server takes, styled", async () => {
    const { transport } = await connected();
    await transport.send(
      olga.uuid,
      piece("# Plan\n\n**bold**, *leaning*, `a*b`, 2 * 3 ~ 6\n```js\nlet a;\n\nlet b;\n```"),
    );
    await transport.send(groupRecipient(team.internalId), piece("to all"));
    expect(server.delivered.map(({ to, message }) => [to, message])).toEqual([
      [olga.uuid, "Plan\n\nbold, leaning, a*b, 2 * 3 ~ 6\nlet a;\n\nlet b;"],
      [team.internalId, "to all"],
    ]);
    const [{ message, styles } = { message: "", styles: [] }] = server.delivered;
    expect(styles.map(({ style, start, length }) => [style, message.slice(start, start + length)])).toEqual([
      ["BOLD", "Plan"],
      ["BOLD", "bold"],
      ["ITALIC", "leaning"],
      ["MONOSPACE", "a*b"],
      ["MONOSPACE", "let a;\n\nlet b;"],
    ]);
  });

  it("waits when Signal wants a captcha, and is given up where a key has changed or the answer is no", async () => {
    const { transport } = await connected();
    server.limit(1);
    await expect(transport.send(olga.uuid, piece("x"))).rejects.toMatchObject({
      kind: "rate-limited",
      retryAfterMs: 60_000,
      message: expect.stringContaining("captcha"),
    });
    server.untrusted.add(olga.uuid);
    await expect(transport.send(olga.uuid, piece("x"))).rejects.toMatchObject({
      kind: "refused",
      message: expect.stringContaining("key has changed"),
    });
    await expect(transport.send("nobody", piece("x"))).rejects.toMatchObject({ kind: "refused" });
    server.fail("POST /v2/send", "cut");
    await expect(transport.send(uma.uuid, piece("x"))).rejects.toMatchObject({ kind: "offline" });
    server.fail("POST /v2/send", { status: 400, body: { error: "User +49 is not registered." } });
    await expect(transport.send(uma.uuid, piece("x"))).rejects.toMatchObject({ kind: "refused" });
  });

  it("shows typing, and takes it back", async () => {
    const { transport } = await connected();
    await transport.typing(olga.uuid, true);
    await transport.typing(olga.uuid, false);
    expect(server.typing).toEqual([
      { recipient: olga.uuid, on: true },
      { recipient: olga.uuid, on: false },
    ]);
  });

  it("carries files, in both directions", async () => {
    const { transport, desk } = await connected();
    const bytes = Buffer.from("the bytes");
    await transport.sendFile(olga.uuid, {
      name: "a;b,c.txt",
      mimeType: "text/plain",
      data: bytes.toString("base64"),
    });
    expect(server.delivered[0]?.attachments).toEqual([{ name: "a_b_c.txt", type: "text/plain", bytes }]);
    const attachment = (id: string) => ({ id, contentType: "image/png", filename: "x.png", size: 9 });
    say(olga, { attachments: [attachment(server.addFile(bytes)), attachment("gone")] });
    await desk.got(1);
    const [there, gone] = desk.messages[0]?.files ?? [];
    if (!there || !gone) throw new Error("The files are missing.");
    expect(Buffer.from(await transport.download(there, noStop))).toEqual(bytes);
    await expect(transport.download(gone, noStop)).rejects.toMatchObject({
      kind: "refused",
      message: expect.stringContaining("404"),
    });
    server.fail("GET /v1/attachments", { status: 200, body: Buffer.alloc(26 * 1024 * 1024) });
    await expect(transport.download(there, noStop)).rejects.toThrow("larger than 25 MiB");
  });
});

it.each([
  ["http://127.0.0.1:8080", true],
  ["http://localhost:8080/", true],
  ["http://192.168.1.5:8080", true],
  ["http://signal:8080", true],
  ["https://signal.example.org/api", true],
  ["http://signal.example.org", false],
  ["http://8.8.8.8", false],
  ["https://me:secret@signal.example.org", false],
  ["ftp://127.0.0.1", false],
  ["8080", false],
])("the address %s being taken is %s", (address, taken) => {
  expect(serverProblem(address) === null).toBe(taken);
});

it("ids are compared whatever their form", () => {
  expect(normalId(team.internalId)).toBe(groupRecipient(team.internalId));
  expect(normalId("+49 170 1234-567")).toBe("+491701234567");
  expect(normalId(olga.uuid.toUpperCase())).toBe(olga.uuid);
});
