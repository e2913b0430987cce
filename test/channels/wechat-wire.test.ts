import { createHash } from "node:crypto";
import type { PluginStorage } from "@patchbay/plugin-sdk";
import { type ChannelClock, systemClock } from "@patchbay/plugin-sdk/channel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Said } from "../../plugins/wechat/src/quotes.ts";
import { channelSchema } from "../../plugins/wechat/src/settings.ts";
import { WeChatTransport } from "../../plugins/wechat/src/transport.ts";
import { type BotAccount, textItem } from "../support/platforms/wechat/accounts.ts";
import { WeChatServer } from "../support/platforms/wechat/server.ts";
import { Desk, fastClock, memoryStorage } from "./transport-desk.ts";

const olga = "olga@im.wechat";
const noStop = new AbortController().signal;
const piece = (text: string, id = "id-1") => ({ text, id, again: false, draft: false });

let server: WeChatServer;
let bot: BotAccount;
let open: WeChatTransport[] = [];
let warnings: string[] = [];

beforeEach(async () => {
  server = await WeChatServer.open();
  bot = server.addBot();
  warnings = [];
});
afterEach(async () => {
  await Promise.all(open.map((transport) => transport.close()));
  open = [];
  await server[Symbol.asyncDispose]();
});

function transportOn(storage: PluginStorage = memoryStorage(), clock = systemClock(100)): WeChatTransport {
  const settings = channelSchema.parse({
    botToken: bot.token,
    baseUrl: server.origin,
    cdnUrl: `${server.origin}/c2c`,
    botId: bot.botId,
  });
  const transport = new WeChatTransport(settings, clock, storage, {
    warn: (text) => void warnings.push(text),
  });
  open.push(transport);
  return transport;
}

async function connected(
  storage?: PluginStorage,
  clock?: ChannelClock,
): Promise<{ transport: WeChatTransport; desk: Desk }> {
  const transport = transportOn(storage, clock);
  const desk = new Desk();
  await transport.connect(desk, noStop);
  return { transport, desk };
}

/** Connected, and Olga has written, so that she can be answered. */
async function acquainted(storage?: PluginStorage, clock?: ChannelClock) {
  const both = await connected(storage, clock);
  server.say(bot, olga, "hello");
  await both.desk.got(1);
  return both;
}

describe("what comes in from WeChat", () => {
  it("has ids above what a number holds, to the digit, and its text, quote and spoken words", async () => {
    const { desk } = await connected();
    server.say(bot, olga, 'a "message_id":1 in the text');
    server.deliver(bot, olga, [{ ...textItem("yes"), ref_msg: { title: "the plan\nof today" } }]);
    server.deliver(bot, olga, [{ type: 3, voice_item: { media: { aes_key: "" }, text: "spoken words" } }]);
    await desk.got(3);
    expect(desk.messages.map(({ text }) => text)).toEqual([
      'a "message_id":1 in the text',
      "> the plan\n> of today\nyes",
      "[Voice note, as WeChat understood it] spoken words",
    ]);
    const ids = desk.messages.map(({ id }) => BigInt(id ?? 0));
    expect(ids.every((id) => id > 2n ** 53n)).toBe(true);
    expect(new Set(ids).size).toBe(3);
    expect((ids[1] ?? 0n) - (ids[0] ?? 0n)).toBe(1n);
  });

  it("repeats what is quoted: sent along, remembered by its id, of earlier processes too, and its marked part", async () => {
    const storage = memoryStorage();
    const { transport, desk } = await acquainted(storage);
    await transport.send(olga, piece("Eggs, milk, eggs and bread."));
    const asked = desk.messages[0]?.id ?? "";
    const answered = bot.shown.at(-1)?.id ?? "";
    const part = (start: string, end: string, more: object) => ({
      partial_text: { start, end, startindex: 0, endindex: 0, quotemd5: "", ...more },
    });
    const md5 = (text: string) => createHash("md5").update(text).digest("hex");
    const quotes = [
      { message_item: textItem("sent along") },
      { svr_id: asked },
      { svr_id: answered },
      { svr_id: answered, ...part("milk", "bread", {}) },
      { svr_id: answered, ...part("eggs", "bread", { startindex: 0, quotemd5: md5("eggs and bread") }) },
      { svr_id: answered, ...part("Eggs", "eggs", { endindex: 1, quotemd5: md5("no such part") }) },
      { svr_id: answered, partial_text: 5 },
      { svr_id: "1" },
    ];
    for (const ref_msg of quotes) server.deliver(bot, olga, [{ ...textItem("this?"), ref_msg }]);
    await desk.got(1 + quotes.length);
    expect(desk.messages.slice(1).map(({ text }) => text.replace(/\nthis\?$/, ""))).toEqual([
      "> sent along",
      "> hello",
      "> Eggs, milk, eggs and bread.",
      "> milk, eggs and bread",
      "> eggs and bread",
      "> Eggs, milk, eggs and bread.",
      "> Eggs, milk, eggs and bread.",
      "> [An earlier message]",
    ]);
    await transport.close();
    const { desk: later } = await connected(storage);
    server.deliver(bot, olga, [{ ...textItem("and?"), ref_msg: { svr_id: answered } }]);
    // Nobody reads what was said to another.
    server.deliver(bot, "uma@im.wechat", [{ ...textItem("and?"), ref_msg: { svr_id: answered } }]);
    await later.got(2);
    expect(later.messages.map(({ text }) => text)).toEqual([
      "> Eggs, milk, eggs and bread.\nand?",
      "> [An earlier message]\nand?",
    ]);
  });

  it("remembers a bounded number of messages, and no conversation at the cost of the others", async () => {
    const storage = memoryStorage();
    const said = new Said(storage, "said");
    await said.load();
    await said.remember("quiet", "first", "kept");
    for (let n = 0; n < 300; n += 1) await said.remember("loud", `loud-${n}`, "x".repeat(5_000));
    await said.store();
    expect(said.find("quiet", "first")).toBe("kept");
    expect(said.find("loud", "loud-0")).toBeNull();
    for (let n = 0; n < 300; n += 1) await said.remember(`other-${n}`, `other-${n}`, "y".repeat(5_000));
    await said.store();
    expect(JSON.stringify(storage.values.get("said")).length).toBeLessThan(200 * 700);
  });

  it("is answered with its words where its form is not known, which is told once and without them", async () => {
    const { desk } = await connected();
    const odd = { from_user_id: olga, message_type: 1, create_time_ms: "soon", message_id: 9 };
    for (const text of ["first", "second"])
      bot.inbox.push(JSON.stringify({ ...odd, item_list: [textItem(text)] }));
    server.deliver(bot, olga, [{ ...textItem("third"), ref_msg: { title: { of: "the quote" } } }]);
    server.deliver(bot, olga, [{ type: 3, voice_item: { text: "spoken", media: 7 } }]);
    await desk.got(4);
    expect(desk.messages.map(({ text }) => text)).toEqual(["first", "second", "third", "spoken"]);
    expect(warnings).toHaveLength(3);
    expect(warnings[0]).toContain("create_time_ms");
    expect(warnings.join()).not.toMatch(/first|second|third|spoken|the quote/);
  });

  it("is marked as its own when the bot wrote it; groups, half-written and misshapen ones are left out", async () => {
    const { desk } = await connected();
    server.deliver(bot, bot.botId, [textItem("echo")], { type: 2 });
    server.deliver(bot, olga, [textItem("in a group")], { group: "g@chatroom" });
    server.deliver(bot, olga, [textItem("half wr")], { state: 1 });
    bot.inbox.push('{"message_type":"what"}');
    server.deliver(bot, olga, [{ type: 99, msg_id: {} }, textItem("last")]);
    await desk.got(2);
    expect(desk.messages.map(({ text, from }) => [text, from.self])).toEqual([
      ["echo", true],
      ["last", false],
    ]);
  });

  it("is acknowledged only when it is safe, and comes again to the next process when it was not", async () => {
    const storage = memoryStorage();
    const { transport, desk } = await connected(storage);
    const safe = Promise.withResolvers<void>();
    desk.safe = safe.promise;
    server.say(bot, olga, "keep me");
    await desk.got(1);
    expect(storage.values.has(`cursor.${bot.botId}`)).toBe(false);
    const again = new Desk();
    const second = transportOn(storage);
    await second.connect(again, noStop);
    await again.got(1);
    expect(again.messages[0]?.id).toBe(desk.messages[0]?.id);
    safe.resolve();
    await transport.close();
    await second.close();
    const { desk: third } = await connected(storage);
    server.say(bot, olga, "after it");
    await third.got(1);
    expect(third.messages.map(({ text }) => text)).toEqual(["after it"]);
  });

  it("goes on after a failure or two, and loses nothing", async () => {
    const { desk } = await connected();
    await server.polled();
    server.fail("getupdates", { status: 500 });
    server.fail("getupdates", "cut");
    server.say(bot, olga, "first");
    server.say(bot, olga, "second");
    await desk.got(2);
    expect(desk.losses).toEqual([]);
  });

  it("counts as lost after three failures in a row", async () => {
    server.fail("getupdates", { status: 502, body: "<html>" }, 3);
    const { desk } = await connected();
    expect(await desk.lostFor()).toMatchObject({ kind: "offline", message: expect.stringContaining("502") });
  });

  it.each([{ ret: -14 }, { errcode: -14, errmsg: "session timeout" }])(
    "ends for good when the token is stale: %j",
    async (body) => {
      server.refuse("getupdates", body);
      const { desk } = await connected();
      expect(await desk.lostFor()).toMatchObject({ kind: "credentials" });
    },
  );

  it("does not begin where nobody answers, or the token is stale already", async () => {
    server.fail("notifystart", "hang");
    await expect(connected(undefined, fastClock(20))).rejects.toMatchObject({
      kind: "offline",
      message: "WeChat does not answer.",
    });
    bot.stale = true;
    await expect(connected()).rejects.toMatchObject({ kind: "credentials" });
    bot.stale = false;
    server.refuse("notifystart", { ret: 9, errmsg: "not today" });
    await connected();
  });
});

describe("what goes out to WeChat", () => {
  it("is plain text with the newest context of the person, also after a restart", async () => {
    const storage = memoryStorage();
    const { transport } = await acquainted(storage);
    await transport.send(olga, piece("# Plan\n\n- **bold** and `code`\n- [a page](https://x.test/)"));
    await transport.close();
    const { transport: next } = await connected(storage);
    await next.send(olga, piece("by itself", "id-2"));
    expect(bot.shown.map(({ text }) => text)).toEqual([
      "Plan\n\n• bold and code\n• a page (https://x.test/)",
      "by itself",
    ]);
    const uins = server.callsOf("sendmessage").map(({ headers }) => headers["x-wechat-uin"]);
    expect(new Set(uins).size).toBe(2);
  });

  it("is tried again with growing pauses when it is refused with status 200, and given up after six times", async () => {
    const { transport } = await acquainted();
    server.refuse("sendmessage", { ret: -2, errmsg: "too frequent" }, 6);
    const waits: (number | undefined)[] = [];
    for (let tries = 1; tries <= 5; tries += 1) {
      const failure = await transport.send(olga, piece("x")).catch((error: unknown) => error);
      expect(failure).toMatchObject({
        kind: "rate-limited",
        message: expect.stringContaining("too frequent"),
      });
      waits.push((failure as { retryAfterMs?: number }).retryAfterMs);
    }
    expect(waits).toEqual([5_000, 10_000, 15_000, 20_000, 25_000]);
    await expect(transport.send(olga, piece("x"))).rejects.toMatchObject({ kind: "refused" });
    await transport.send(olga, piece("another", "id-2"));
    expect(bot.shown.map(({ text }) => text)).toEqual(["another"]);
  });

  it("keeps its own id when the answer to it was lost", async () => {
    const { transport } = await acquainted();
    server.fail("sendmessage", "cut-after");
    await expect(transport.send(olga, piece("twice?"))).rejects.toMatchObject({ kind: "offline" });
    await transport.send(olga, piece("twice?"));
    const ids = server
      .callsOf("sendmessage")
      .map(({ body }) => (body.msg as { client_id: string }).client_id);
    expect(ids).toEqual(["patchbay-id-1", "patchbay-id-1"]);
  });

  it("ends in time where nobody answers, and asks to sign in where the token is stale", async () => {
    const { transport } = await acquainted(undefined, fastClock(20));
    server.fail("sendmessage", "hang");
    await expect(transport.send(olga, piece("x"))).rejects.toMatchObject({ kind: "offline" });
    bot.stale = true;
    await expect(transport.send(olga, piece("x"))).rejects.toMatchObject({ kind: "credentials" });
  });

  it("shows typing with a ticket that is asked for once", async () => {
    const { transport } = await acquainted();
    await transport.typing(olga, true);
    await transport.typing(olga, false);
    expect(bot.typing).toEqual([
      { to: olga, on: true },
      { to: olga, on: false },
    ]);
    expect(server.callsOf("getconfig")).toHaveLength(1);
    server.refuse("getconfig", { ret: 4, errmsg: "no" });
    await expect(transport.typing("paul@im.wechat", true)).rejects.toThrow("no (4)");
  });
});

describe("files of WeChat", () => {
  const bytes = Buffer.from("the bytes of a file that is not a whole number of blocks");

  it.each(["param", "hex", "whole"] as const)("come in with their key, in the form %s", async (form) => {
    const { transport, desk } = await connected();
    server.deliver(bot, olga, [server.fileItem("plan.pdf", bytes, form)]);
    await desk.got(1);
    const [file] = desk.messages[0]?.files ?? [];
    if (!file) throw new Error("There is no file.");
    expect(Buffer.from(await transport.download(file, noStop))).toEqual(bytes);
  });

  it("are fetched from nowhere but the file server, and are named when they are gone or damaged", async () => {
    const { transport } = await connected();
    const file = (media: object, key = "") => ({
      name: "x",
      mimeType: "text/plain",
      ref: JSON.stringify({ media, key }),
    });
    const evil = file({ full_url: "https://evil.example/steal" });
    await expect(transport.download(evil, noStop)).rejects.toMatchObject({
      kind: "refused",
      message: "evil.example is not where files are expected",
    });
    await expect(transport.download(file({ encrypt_query_param: "gone" }), noStop)).rejects.toThrow("404");
    const damaged = server.cdn.put(Buffer.from("not ciphered"));
    const key = Buffer.alloc(16).toString("base64");
    await expect(transport.download(file({ encrypt_query_param: damaged }, key), noStop)).rejects.toThrow(
      "it cannot be deciphered",
    );
    await expect(transport.download(file({ encrypt_query_param: damaged }, "AAAA"), noStop)).rejects.toThrow(
      "its key is not one",
    );
  });

  it.each([
    ["image/png", "image", false],
    ["video/mp4", "video", true],
    ["application/pdf", "file", false],
  ] as const)("go out ciphered as %s", async (mimeType, kind, wholeAddresses) => {
    const { transport } = await acquainted();
    server.cdn.wholeAddresses = wholeAddresses;
    await transport.sendFile(olga, { name: "a file", mimeType, data: bytes.toString("base64") }, "f-1");
    expect(bot.shown.at(-1)?.file).toMatchObject({ kind, bytes });
  });

  it("are files also when they are a spoken answer, as WeChat shows no voice messages of bots", async () => {
    const { transport } = await acquainted();
    const sound = { name: "answer.ogg", mimeType: "audio/ogg", data: bytes.toString("base64") };
    await transport.sendFile(olga, { ...sound, voice: { seconds: 3 } }, "f-1");
    expect(bot.shown.at(-1)?.file).toMatchObject({ kind: "file", bytes });
  });

  it("are tried three times where the file server fails, and refused in its words", async () => {
    const { transport } = await acquainted();
    const send = () =>
      transport.sendFile(olga, { name: "x", mimeType: "text/plain", data: bytes.toString("base64") }, "f-1");
    server.fail("upload", { status: 500 }, 2);
    await send();
    server.fail("upload", { status: 500, headers: { "x-error-message": "disk" } }, 3);
    await expect(send()).rejects.toMatchObject({ kind: "offline", message: expect.stringContaining("disk") });
    server.fail("upload", { status: 403, headers: { "x-error-message": "too large for you" } });
    await expect(send()).rejects.toMatchObject({
      kind: "refused",
      message: expect.stringContaining("too large for you"),
    });
    server.cdn.forgetsReference = true;
    await expect(send()).rejects.toMatchObject({ kind: "refused" });
    server.refuse("getuploadurl", { ret: 12, errmsg: "no uploads" });
    await expect(send()).rejects.toMatchObject({
      kind: "refused",
      message: expect.stringContaining("no uploads"),
    });
    const data = Buffer.alloc(8 * 1024 * 1024 + 1).toString("base64");
    await expect(
      transport.sendFile(olga, { name: "big", mimeType: "text/plain", data }, "f-2"),
    ).rejects.toThrow("larger than 8 MiB");
    expect(bot.shown).toHaveLength(1);
  });
});
