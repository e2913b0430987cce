import type { ChannelSetup, ChannelSetupContext, CredentialStore, SetupState } from "@patchbay/plugin-sdk";
import { systemClock } from "@patchbay/plugin-sdk/channel";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isTencent, qrSetup } from "../../plugins/wechat/src/setup.ts";
import { WeChatServer } from "../support/platforms/wechat/server.ts";
import { fastClock, memoryCredentials } from "./transport-desk.ts";

let server: WeChatServer;
let setup: ChannelSetup;
let credentials: CredentialStore;
let over: AbortController;
let ctx: ChannelSetupContext;
let id: string;

beforeEach(async () => {
  server = await WeChatServer.open();
  setup = qrSetup({
    loginUrl: server.origin,
    isTrusted: ({ hostname }) => hostname === "127.0.0.1" || hostname === "localhost",
    clock: systemClock(50),
  });
  credentials = memoryCredentials();
  over = new AbortController();
  ctx = { agentId: "ada", logger: () => {}, credentialStore: credentials, signal: over.signal };
});
afterEach(async () => {
  over.abort();
  await server[Symbol.asyncDispose]();
});

/** To the first code, or to what the form says instead. */
async function begin(service = ""): Promise<SetupState> {
  const begun = await setup.begin({}, ctx);
  id = begun.sessionId;
  expect(begun.state).toMatchObject({ kind: "awaiting_user_input", fields: [{ key: "service" }] });
  return submit({ service });
}

function submit(input: Record<string, unknown>): Promise<SetupState> {
  if (!setup.submit) throw new Error("The wizard takes no answers.");
  return setup.submit(id, input, ctx);
}

/** Asks as the wizard does, until the state is one of this kind that fits. */
async function until<K extends SetupState["kind"]>(
  kind: K,
  fits: (state: Extract<SetupState, { kind: K }>) => boolean = () => true,
): Promise<Extract<SetupState, { kind: K }>> {
  for (;;) {
    const state = await setup.poll(id, ctx);
    if (state.kind === kind && fits(state as Extract<SetupState, { kind: K }>)) {
      return state as Extract<SetupState, { kind: K }>;
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

const type = (digits: string) => submit({ digits });

it("shows a code, asks to confirm on the phone, and is connected as the bot, with who scanned it as owner", async () => {
  const first = await begin();
  expect(first).toMatchObject({
    kind: "awaiting_external",
    qrText: expect.stringMatching(/^https:\/\/liteapp\.weixin\.qq\.com\/q\//),
    attempt: { number: 1, of: 3 },
  });
  expect(first.kind === "awaiting_external" && first.expiresInMs).toBeGreaterThan(250_000);
  server.desk.scan();
  await until("awaiting_external", ({ instructions }) => instructions.includes("Confirm it"));
  server.desk.confirm();
  const done = await until("done");
  expect(done).toMatchObject({
    account: "helper@im.bot",
    config: { baseUrl: server.origin, botId: "helper@im.bot", owners: ["scanner@im.wechat"] },
  });
  expect(done.config.botToken).toBe(server.accounts[0]?.token);
});

it("asks for the digits of the phone, and again when they were wrong", async () => {
  await begin();
  server.desk.scan("42");
  await until(
    "awaiting_user_input",
    ({ instructions }) => instructions?.includes("shows some digits") === true,
  );
  expect(await type("4 1")).toMatchObject({ problem: expect.stringContaining("not the digits") });
  expect(server.desk.newest.wrongTries).toBe(1);
  expect(await type("4-2")).toMatchObject({ instructions: expect.stringContaining("Confirm it") });
  server.desk.confirm();
  expect(await until("done")).toMatchObject({ account: "helper@im.bot" });
});

it("shows another code when the phone has blocked this one", async () => {
  const first = await begin();
  server.desk.scan("42");
  await until("awaiting_user_input");
  server.desk.block();
  await type("13");
  const second = await until("awaiting_external", ({ attempt }) => attempt?.number === 2);
  expect(second.qrText).not.toBe(first.kind === "awaiting_external" && first.qrText);
});

it("renews an expired code twice, then gives up", async () => {
  await begin();
  server.desk.expire();
  await until("awaiting_external", ({ attempt }) => attempt?.number === 2);
  server.desk.expire();
  await until("awaiting_external", ({ attempt }) => attempt?.number === 3);
  server.desk.expire();
  expect(await until("error")).toMatchObject({
    message: expect.stringContaining("Three codes have expired"),
  });
});

it("goes on where a question about the code fails, hangs or is given up on the way", async () => {
  setup = qrSetup({ loginUrl: server.origin, isTrusted: () => true, clock: fastClock(20) });
  server.fail("get_qrcode_status", { status: 524 });
  server.fail("get_qrcode_status", "cut");
  server.fail("get_qrcode_status", "hang");
  await begin();
  server.desk.scan();
  server.desk.confirm();
  expect(await until("done")).toMatchObject({ account: "helper@im.bot" });
});

it("follows to another host of Tencent's, and to no other", async () => {
  server.desk.redirectHost = `localhost:${server.port}`;
  await begin();
  server.desk.scan();
  await until("awaiting_external", ({ instructions }) => instructions.includes("Confirm it"));
  server.desk.redirectHost = null;
  server.desk.confirm();
  await until("done");
  expect(server.calls.at(-1)?.headers.host).toBe(`localhost:${server.port}`);

  server.desk.redirectHost = "evil.example";
  await begin();
  server.desk.scan();
  expect(await until("error")).toMatchObject({ message: expect.stringContaining("not Tencent's") });
});

it.each([
  ["https://ilinkai.weixin.qq.com", true],
  ["https://sh.ilinkai.weixin.qq.com", true],
  ["http://ilinkai.weixin.qq.com", false],
  ["https://ilinkai.weixin.qq.com:8443", false],
  ["https://weixin.qq.com.evil.example", false],
  ["https://evilweixin.qq.com", false],
])("of %s, being Tencent's is %s", (address, trusted) => {
  expect(isTencent(new URL(address))).toBe(trusted);
});

it("keeps the credentials of a bot that is signed in here already", async () => {
  await begin();
  server.desk.scan();
  server.desk.confirm();
  const first = await until("done");
  await begin();
  expect(server.desk.newest.known).toEqual([first.config.botToken]);
  server.desk.scan();
  server.desk.confirm();
  const second = await until("done");
  expect(second.config).toMatchObject({ botToken: first.config.botToken, botId: "helper@im.bot" });
  expect(server.accounts).toHaveLength(1);
});

it("says so when the service confirms and gives no token, or is not there", async () => {
  server.desk.givesNoToken = true;
  await begin();
  server.desk.scan();
  server.desk.confirm();
  expect(await until("error")).toMatchObject({ message: expect.stringContaining("gave no token") });
  await server.goAway();
  expect(await begin()).toMatchObject({
    kind: "awaiting_user_input",
    problem: expect.stringMatching(/cannot be reached: nothing answers there.*is online/),
  });
  await server.comeBack();
  expect(await submit({})).toMatchObject({ kind: "awaiting_external" });
});

it.each(["ilinkai.weixin.qq.com", "http://wechat.example.org", "ftp://127.0.0.1"])(
  "takes no address such as %s",
  async (service) => {
    expect(await begin(service)).toMatchObject({
      kind: "awaiting_user_input",
      problem: expect.stringContaining("https://"),
    });
  },
);

it("begins at the service that the person names, trusts that one, and goes there again to sign in again", async () => {
  setup = qrSetup({ loginUrl: "https://127.0.0.1:9", isTrusted: isTencent, clock: systemClock(50) });
  expect(await begin(server.origin)).toMatchObject({ kind: "awaiting_external" });
  server.desk.scan();
  server.desk.confirm();
  expect(await until("done")).toMatchObject({ config: { baseUrl: server.origin } });

  ctx = { ...ctx, reason: "sign_in_again" };
  const again = await setup.begin({}, ctx);
  expect(again.state).toMatchObject({ kind: "awaiting_external", attempt: { number: 1 } });
  await server.goAway();
  expect((await setup.begin({}, ctx)).state).toMatchObject({
    kind: "awaiting_user_input",
    problem: expect.stringContaining("See whether the address is right"),
  });
  await server.comeBack();
});

it("asks nothing more once the wizard is closed", async () => {
  await begin();
  await setup.cancel?.(id, ctx);
  await expect(setup.poll(id, ctx)).rejects.toThrow("expired");
  const asked = server.callsOf("get_qrcode_status").length;
  server.desk.scan();
  await begin();
  server.desk.scan();
  await until("awaiting_external", ({ instructions }) => instructions.includes("Confirm it"));
  expect(server.callsOf("get_qrcode_status").length).toBeLessThanOrEqual(asked + 3);
});
