import type { ChannelSetup, ChannelSetupContext, SetupState } from "@patchbay/plugin-sdk";
import { systemClock } from "@patchbay/plugin-sdk/channel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { linkSetup } from "../../plugins/signal/src/setup.ts";
import { person } from "../support/platforms/signal/accounts.ts";
import { SignalServer } from "../support/platforms/signal/server.ts";

const ada = person("Ada", "+491000000");

let server: SignalServer;
let setup: ChannelSetup;
let over: AbortController;
let ctx: ChannelSetupContext;
let id: string;

beforeEach(async () => {
  server = await SignalServer.open();
  setup = linkSetup({ clock: systemClock(100), addresses: [] });
  over = new AbortController();
  ctx = { agentId: "ada", logger: () => {}, signal: over.signal };
  id = (await setup.begin({}, ctx)).sessionId;
});
afterEach(async () => {
  over.abort();
  await server[Symbol.asyncDispose]();
});

const submit = (input: Record<string, unknown>): Promise<SetupState> => {
  if (!setup.submit) throw new Error("The wizard takes no answers.");
  return setup.submit(id, input, ctx);
};

async function until(fits: (state: SetupState) => boolean): Promise<SetupState> {
  for (;;) {
    const state = await setup.poll(id, ctx);
    if (fits(state)) return state;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

it("asks for the server, shows a code, and is done when the phone's account appears", async () => {
  const code = await submit({ server: server.origin, owners: "+491000001, +491000002" });
  expect(code).toMatchObject({
    kind: "awaiting_external",
    qrText: server.links[0],
    attempt: { number: 1, of: 8 },
  });
  server.scan(ada);
  expect(await until(({ kind }) => kind === "done")).toEqual({
    kind: "done",
    config: { server: server.origin, number: ada.number, owners: ["+491000001", "+491000002"] },
    account: ada.number,
  });
});

it("says that the agent needs a number of its own, and gives a command that outlives a restart", async () => {
  const { state } = await setup.begin({}, ctx);
  if (state.kind !== "awaiting_user_input") throw new Error(`It begins with ${state.kind}.`);
  expect(state.instructions).toContain("a number of its own");
  expect(state.copy?.text).toContain("--restart unless-stopped");
  expect(state.copy?.text).toContain("-p 127.0.0.1:8080:8080");
  expect(state.copy?.text).toContain("MODE=json-rpc");
  expect(state.fields.map(({ key, advanced, required }) => ({ key, advanced, required }))).toEqual([
    { key: "owners", advanced: undefined, required: undefined },
    { key: "server", advanced: true, required: undefined },
  ]);
});

describe("a server on this computer", () => {
  const nothing = "http://127.0.0.1:9";
  let other: SignalServer;
  beforeEach(async () => {
    other = await SignalServer.open();
  });
  afterEach(() => other[Symbol.asyncDispose]());

  const beginAt = async (...addresses: string[]) => {
    setup = linkSetup({ clock: systemClock(), addresses });
    const begun = await setup.begin({}, ctx);
    id = begun.sessionId;
    return begun.state;
  };

  it("is found by what it says of itself, and the phone is linked through it", async () => {
    expect(await beginAt(nothing, server.origin)).toMatchObject({
      instructions: expect.stringContaining(`at ${server.origin}. Linked with no account yet.`),
    });
    expect(await submit({ owners: "+491000001" })).toMatchObject({ kind: "awaiting_external" });
    server.scan(ada);
    expect(await until(({ kind }) => kind === "done")).toMatchObject({
      config: { server: server.origin, number: ada.number, owners: ["+491000001"] },
    });
  });

  it("that was started after the wizard is found when the person goes on", async () => {
    await server.goAway();
    expect(await beginAt(server.origin)).toHaveProperty("copy");
    expect(await submit({})).toMatchObject({
      problem: expect.stringContaining("No Signal server was found"),
    });
    await server.comeBack();
    expect(await submit({})).toMatchObject({ kind: "awaiting_external" });
  });

  it("is not taken for one when something else answers at its port", async () => {
    server.fail("GET /v1/about", { status: 200, body: { mode: "json-rpc", version: "1" } });
    expect(await beginAt(server.origin)).toHaveProperty("copy");
  });

  it("is chosen by the person when there are several", async () => {
    other.addAccount(ada);
    expect(await beginAt(server.origin, other.origin)).toMatchObject({ kind: "awaiting_user_input" });
    expect(await submit({})).toMatchObject({
      kind: "awaiting_choice",
      options: [
        { value: server.origin, help: "Linked with no account yet." },
        { value: other.origin, help: `Linked with ${ada.number}.` },
      ],
    });
    expect(await submit({ choice: other.origin })).toMatchObject({ options: [{ value: ada.number }, {}] });
    expect(await submit({ choice: ada.number ?? "" })).toMatchObject({ config: { server: other.origin } });
  });

  it("in another mode is named with its cure", async () => {
    server.mode = "native";
    await beginAt(server.origin);
    expect(await submit({})).toMatchObject({ problem: expect.stringContaining("MODE=json-rpc") });
  });
});

it("renews the code each minute, and gives up when none was scanned", async () => {
  await submit({ server: server.origin });
  const second = await until((state) => state.kind === "awaiting_external" && state.attempt?.number === 2);
  expect(second).toMatchObject({ qrText: server.links[1] });
  expect(await until(({ kind }) => kind === "error")).toMatchObject({
    message: expect.stringContaining("No code was scanned"),
  });
  expect(server.links).toHaveLength(8);
});

it("offers the accounts that the server has, and a further one", async () => {
  server.addAccount(ada);
  expect(await submit({ server: server.origin })).toMatchObject({
    kind: "awaiting_choice",
    options: [{ value: ada.number }, { value: "link" }],
  });
  expect(await submit({ choice: ada.number })).toMatchObject({ kind: "done", account: ada.number });

  id = (await setup.begin({}, ctx)).sessionId;
  await submit({ server: server.origin });
  expect(await submit({ choice: "link" })).toMatchObject({ kind: "awaiting_external" });
  server.scan(person("Bob", "+492000000"));
  expect(await until(({ kind }) => kind === "done")).toMatchObject({ account: "+492000000" });
});

it.each<[string, () => unknown, string]>([
  ["in another mode", () => (server.mode = "native"), "MODE=json-rpc"],
  ["that fails", () => server.fail("GET /v1/about", { status: 500 }), "status 500"],
  ["that is not there", () => server.goAway(), "cannot be reached"],
  ["that is something else", () => server.fail("GET /v1/about", { status: 200, body: "hi" }), "is no signal"],
])("says what is wrong with a server %s, and asks again", async (_what, spoil, words) => {
  await spoil();
  const state = await submit({ server: server.origin });
  expect(state).toMatchObject({
    kind: "awaiting_user_input",
    problem: expect.stringContaining(words),
  });
});

it("refuses an address over which others could write", async () => {
  expect(await submit({ server: "http://signal.example.org" })).toMatchObject({
    kind: "awaiting_user_input",
    problem: expect.stringContaining("https://"),
  });
});

it("names a server that is too old to give the text of a code", async () => {
  server.fail("GET /v1/qrcodelink", { status: 404, body: "404 page not found" });
  expect(await submit({ server: server.origin })).toMatchObject({
    kind: "error",
    message: expect.stringContaining("too old"),
  });
});

it("goes on when asking for the accounts fails for a while", async () => {
  await submit({ server: server.origin });
  server.fail("GET /v1/accounts", { status: 502 });
  server.fail("GET /v1/accounts", "cut");
  server.scan(ada);
  expect(await until(({ kind }) => kind === "done")).toMatchObject({ account: ada.number });
});
