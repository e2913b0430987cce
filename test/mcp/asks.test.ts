import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Dialog, DialogAnswer } from "../../src/contract/index.ts";
import { McpApp } from "./mcp-app.ts";
import { addressFolder, serverFolder } from "./server-folder.ts";
import { legacyAsker } from "./servers/asking/legacy.ts";
import { modernAsker } from "./servers/asking/modern.ts";
import { HttpServer, legacySessions, modernServing } from "./servers/over-http.ts";

let app: McpApp;
const servers: HttpServer[] = [];

beforeAll(async () => {
  app = await McpApp.open();
  for (const [key, name] of [
    ["older", "asks-legacy"],
    ["newer", "asks-modern"],
    ["rude", "asks-raw"],
  ] as const) {
    expect(await app.install(await serverFolder(join(app.root, key), name, { key }))).toMatchObject({
      status: "done",
    });
    expect((await app.switchOn(key)).instance).toMatchObject({ state: "running" });
  }
  for (const [key, handler] of [
    ["older-far", legacySessions(legacyAsker)],
    ["newer-far", modernServing(modernAsker)],
  ] as const) {
    const server = await HttpServer.open(handler);
    servers.push(server);
    const dir = await addressFolder(join(app.root, key), key, server.url);
    expect(await app.install(dir)).toMatchObject({ status: "done" });
    expect((await app.switchOn(key)).instance).toMatchObject({ state: "running" });
  }
}, 60_000);
afterAll(async () => {
  await app?.close();
  await Promise.all(servers.map((server) => server.close()));
});

/** The question that waits, once there is one. */
async function asked(): Promise<Dialog> {
  let found: Dialog | undefined;
  await expect
    .poll(
      async () => {
        found = (await app.client.dialogs.list())[0];
        return found !== undefined;
      },
      { timeout: 10_000 },
    )
    .toBe(true);
  return found as Dialog;
}

/** Calls a tool and gives its question this answer. */
async function answering(tool: string, answer: DialogAnswer, input: Record<string, unknown> = {}) {
  const call = app.call(tool, input);
  const dialog = await asked();
  await app.client.dialogs.answer({ id: dialog.id, answer });
  return { dialog, ...(await call) };
}

const everywhere = ["older", "newer", "older-far", "newer-far"];

describe.each(everywhere)("%s", (key) => {
  test("a form has its fields, and its values reach the server", async () => {
    const values = {
      name: "Ada",
      mail: "ada@example.com",
      seats: 3,
      window: false,
      class: "1",
      extras: ["rug"],
    };
    const { dialog, text } = await answering(`${key}__book`, { action: "accept", values });
    expect(dialog).toMatchObject({
      pluginKey: key,
      context: `tool ${key}.book`,
      question: { kind: "form", message: "Which trip?" },
    });
    expect(dialog.question.kind === "form" && dialog.question.fields).toMatchObject([
      { type: "text", name: "name", title: "Your name", required: true, minLength: 2, maxLength: 40 },
      { type: "text", name: "mail", format: "email", required: true },
      { type: "text", name: "day", format: "date", required: false },
      { type: "number", name: "seats", whole: true, min: 1, max: 4, default: 2 },
      { type: "boolean", name: "window", default: true },
      {
        type: "choice",
        name: "class",
        options: [
          { value: "1", label: "First" },
          { value: "2", label: "Second" },
        ],
        default: "2",
      },
      { type: "choices", name: "extras", minItems: 1, required: true },
    ]);
    expect(JSON.parse(text ?? "")).toMatchObject({ action: "accept", content: values });
  });

  test("no is said as no, and a question that is closed as called off", async () => {
    expect(JSON.parse((await answering(`${key}__sure`, { action: "decline" })).text ?? "")).toMatchObject({
      action: "decline",
    });
    expect(JSON.parse((await answering(`${key}__sure`, null)).text ?? "")).toMatchObject({
      action: "cancel",
    });
    const agreed = await answering(`${key}__sure`, { action: "accept", values: {} });
    expect(JSON.parse(agreed.text ?? "")).toMatchObject({ action: "accept" });
  });

  test("a page is put before the person with its whole address", async () => {
    const url = "https://xn--e1awd7f.example/sign?for=ada";
    const { dialog, text } = await answering(`${key}__page`, { action: "accept", values: {} }, { url });
    expect(dialog.question).toEqual({ kind: "link", message: "Sign the form.", url });
    expect(JSON.parse(text ?? "")).toMatchObject({ action: "accept" });
  });
});

test("values that do not fit are refused by the core, each with its sentence, and the question stays", async () => {
  const call = app.call("older__book");
  const { id } = await asked();
  const values = { name: "A", mail: "nobody", seats: 2.5, class: "3", extras: [], more: "?" };
  await expect(app.client.dialogs.answer({ id, answer: { action: "accept", values } })).rejects.toMatchObject(
    {
      code: "BAD_INPUT",
      message: [
        "“Your name” must have at least 2 characters.",
        "“E-mail” must be an e-mail address.",
        "“Seats” must be a whole number.",
        "“Class” must be one of the offered values.",
        "“Extras” needs at least 1 of the values.",
        "The form has no field “more”.",
      ].join(" "),
    },
  );
  await expect(app.client.dialogs.answer({ id, answer: "Ada" })).rejects.toMatchObject({ code: "BAD_INPUT" });
  await app.client.dialogs.answer({ id, answer: null });
  expect((await call).text).toContain("cancel");
});

test("a server that says that it is done with its page takes the question away", async () => {
  expect(await app.call("older__page_done", { url: "https://example.com/" })).toMatchObject({
    text: JSON.stringify({ action: "accept" }),
  });
  expect(await app.client.dialogs.list()).toEqual([]);
});

test("a page that has to be opened first is asked for, and the call is made once more", async () => {
  const { dialog, text } = await answering("older__page_first", { action: "accept", values: {} });
  expect(dialog.question).toMatchObject({ kind: "link", url: "https://example.com/sign" });
  expect(text).toBe("signed");
});

test("several questions of one round come one after the other, and the workspace is all that it is told", async () => {
  const call = app.call("newer__two");
  const first = await asked();
  expect(await app.client.dialogs.list()).toHaveLength(1);
  await app.client.dialogs.answer({ id: first.id, answer: { action: "accept", values: {} } });
  await expect.poll(async () => (await app.client.dialogs.list())[0]?.question.message).toBe("Really sure?");
  await app.client.dialogs.answer({ id: (await asked()).id, answer: { action: "decline" } });
  const { workspace } = await app.client.agents.get({ agentId: app.agentId });
  const roots = { roots: [{ uri: pathToFileURL(workspace).href, name: "newer" }] };
  expect(JSON.parse((await call).text ?? "")).toMatchObject([
    { action: "accept" },
    { action: "decline" },
    roots,
  ]);
  expect(JSON.parse((await app.call("older__roots")).text ?? "")).toMatchObject([
    { uri: roots.roots[0]?.uri },
  ]);
});

test("what it may ask is declared: forms, pages and the workspace, and no models", async () => {
  const knows = JSON.parse((await app.call("older__knows")).text ?? "");
  expect(knows).toEqual({ roots: {}, elicitation: { form: {}, url: {} } });
  expect((await app.call("newer__samples")).error).toMatchObject({ code: "TOOL_FAILED" });
});

test("a server that asks on and on in one call is stopped after ten rounds", async () => {
  const call = app.call("newer__endless");
  for (let round = 0; round < 10; round += 1)
    await app.client.dialogs.answer({ id: (await asked()).id, answer: { action: "accept", values: {} } });
  expect((await call).error).toMatchObject({
    code: "TOOL_FAILED",
    message: "newer asked again and again; the call was stopped.",
  });
  const many = app.call("older__many");
  for (let round = 0; round < 10; round += 1)
    await app.client.dialogs.answer({ id: (await asked()).id, answer: { action: "accept", values: {} } });
  const actions = (await many).text?.split(" ") ?? [];
  expect(actions.filter((action) => action === "accept")).toHaveLength(10);
  expect(actions.filter((action) => action === "cancel")).toHaveLength(90);
});

test("a call that is stopped, and a server that ends, take their questions away", async () => {
  for (const key of everywhere) {
    const stop = new AbortController();
    const call = app.client.tools.call(
      { agentId: app.agentId, name: `${key}__sure`, input: {}, yes: true },
      { signal: stop.signal },
    );
    call.catch(() => {});
    await asked();
    stop.abort();
    await expect.poll(() => app.client.dialogs.list(), { timeout: 10_000 }).toEqual([]);
  }
  expect((await app.call("older__dies")).error).toMatchObject({ code: "HOST_CRASHED" });
  await expect.poll(() => app.client.dialogs.list(), { timeout: 10_000 }).toEqual([]);
  await expect
    .poll(() => app.call("older__roots"), { timeout: 15_000 })
    .toMatchObject({ outcome: "executed" });
});

test("what it writes as its log stands in the plugin's log with its level", async () => {
  await app.call("older__logs");
  const log = async () => await app.client.agentPlugins.logs({ agentId: app.agentId, key: "older" });
  await expect
    .poll(log)
    .toEqual(
      expect.arrayContaining([
        expect.objectContaining({ level: "warn", origin: "plugin", text: "trips: The train is late." }),
        expect.objectContaining({ level: "debug", origin: "plugin", text: '{"platform":9}' }),
      ]),
    );
});

test.each([
  ["crowd", { action: "decline" }],
  ["nested", { error: -32602 }],
  ["script", { action: "decline" }],
  ["file", { action: "decline" }],
  ["plain", { action: "decline" }],
  ["masked", { action: "decline" }],
])("a question that no person should see is not put to one: %s", async (name, answer) => {
  expect(JSON.parse((await app.call(`rude__${name}`)).text ?? "")).toEqual(answer);
  expect(await app.client.dialogs.list()).toEqual([]);
});

test("markup is text, and what turns its direction is taken out; names stay", async () => {
  const { dialog, text } = await answering("rude__markup", { action: "accept", values: { "<b>x</b>": "y" } });
  expect(dialog.question).toMatchObject({
    message: "Hello\uFFFD <script>alert(1)</script>",
    fields: [{ name: "<b>x</b>", title: "<img src=x onerror=alert(1)>\uFFFDgnp", default: "<i>" }],
  });
  expect(JSON.parse(text ?? "")).toEqual({ action: "accept", content: { "<b>x</b>": "y" } });
});

test("of a hundred questions at once one waits at a time, and most are called off", async () => {
  const call = app.call("rude__flood");
  for (let round = 0; round < 10; round += 1) {
    const { id, question } = await asked();
    expect(await app.client.dialogs.list()).toHaveLength(1);
    expect(question.message).toBe(`Question ${round}`);
    await app.client.dialogs.answer({ id, answer: { action: "decline" } });
  }
  expect(JSON.parse((await call).text ?? "")).toEqual({ decline: 10, cancel: 90 });
  expect(await app.client.dialogs.list()).toEqual([]);
});

test("progress begins the time of a call anew; a call without a sign of life is ended at its limit", async () => {
  const { limits } = await app.client.app.settings();
  await app.client.app.updateSettings({ limits: { toolMs: 3_000 } });
  try {
    const [told, silent] = await Promise.all([
      app.call("older__steps", { ms: 5_000, told: true }),
      app.call("older-far__steps", { ms: 5_000, told: false }),
    ]);
    expect(told).toMatchObject({ outcome: "executed", text: "there" });
    expect(silent.error).toMatchObject({ code: "TOOL_TIMEOUT" });
  } finally {
    await app.client.app.updateSettings({ limits: { toolMs: limits.toolMs } });
  }
}, 30_000);
