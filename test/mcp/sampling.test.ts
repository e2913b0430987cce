import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Dialog } from "../../src/contract/index.ts";
import { replayTurn } from "../../src/main/agents/replay/replay.ts";
import { blobsOf, filesOf } from "../support/record-blobs.ts";
import { readRecordLines } from "../support/record-lines.ts";
import { McpApp } from "./mcp-app.ts";
import { addressFolder, serverFolder } from "./server-folder.ts";
import { legacyAsker } from "./servers/asking/legacy.ts";
import { modernAsker } from "./servers/asking/modern.ts";
import { HttpServer, legacySessions, modernServing } from "./servers/over-http.ts";

let app: McpApp;
const remote: HttpServer[] = [];
/** Programs, and servers at an address, of both eras. */
const everywhere = ["older", "newer", "older-web", "newer-web"] as const;
const isOlder = (key: string) => key.startsWith("older");
const poem = { tool: "older__poem", input: {} };
const roses = "Roses are red.";

beforeAll(async () => {
  app = await McpApp.open();
  const file = join(app.root, "script.json");
  await writeFile(file, JSON.stringify([{ say: roses, call: [poem, poem] }, { say: "Done." }]));
  await app.client.agents.update({ agentId: app.agentId, model: { kind: "scripted", file } });
  for (const key of everywhere) {
    const name = isOlder(key) ? "asks-legacy" : "asks-modern";
    const folder = key.endsWith("-web") ? atAddress(key) : serverFolder(join(app.root, key), name, { key });
    await app.install(await folder);
    expect((await app.switchOn(key)).instance).toMatchObject({ state: "running" });
  }
}, 60_000);
afterAll(async () => {
  await app?.close();
  await Promise.all(remote.map((server) => server.close()));
});

/** A description of a server over Streamable HTTP. */
async function atAddress(key: string): Promise<string> {
  const serving = isOlder(key) ? legacySessions(legacyAsker) : modernServing(() => modernAsker());
  const server = await HttpServer.open(serving);
  remote.push(server);
  return addressFolder(join(app.root, key), key, server.url);
}

/** Lets a plugin ask the model, or not. */
async function lend(key: string, may: boolean): Promise<void> {
  const { agentId } = app;
  const { grants, revision } = await app.client.agentPlugins.permissions({ agentId, key });
  const { model: _before, ...others } = grants;
  await app.client.agentPlugins.grant({
    agentId,
    key,
    revision,
    grants: { ...others, ...(may && { model: true }) },
  });
}

async function asked(): Promise<Dialog> {
  let found: Dialog | undefined;
  await expect
    .poll(
      async () => {
        [found] = await app.client.dialogs.list();
        return found !== undefined;
      },
      { timeout: 10_000 },
    )
    .toBe(true);
  return found as Dialog;
}

async function answering(tool: string, answer: string | null, input: Record<string, unknown> = {}) {
  const call = app.call(tool, input);
  const dialog = await asked();
  await app.client.dialogs.answer({ id: dialog.id, answer });
  return { dialog, ...(await call) };
}

test.each(everywhere)("%s is not told of a model, and gets none, before the person lets it", async (key) => {
  expect((await app.call(`${key}__poem`)).error).toMatchObject({ code: "TOOL_FAILED" });
  expect(await app.client.dialogs.list()).toEqual([]);
  if (isOlder(key))
    expect(JSON.parse((await app.call(`${key}__knows`)).text ?? "")).not.toHaveProperty("sampling");
});

test("that it may ask is for the person to say: no narrowing brings it", async () => {
  const ref = { agentId: app.agentId, key: "older" };
  const { grants } = await app.client.agentPlugins.permissions(ref);
  await expect(
    app.client.agentPlugins.narrow({ ...ref, grants: { ...grants, model: true } }),
  ).rejects.toMatchObject({ code: "BAD_INPUT" });
});

describe.each(everywhere)("%s, which may ask", (key) => {
  beforeAll(() => lend(key, true));

  test("is answered by the agent's model when the person has seen what is sent", async () => {
    const { dialog, text } = await answering(`${key}__poem`, "once");
    expect(dialog).toMatchObject({ pluginKey: key, context: `tool ${key}.poem` });
    // No more tokens than the most, and not the model that it named.
    expect(dialog.about).toEqual({
      kind: "model",
      model: "script.json",
      system: "You are a poet.",
      messages: [{ role: "user", text: "A poem, please.", pictures: 0 }],
      mostTokens: 4_096,
    });
    expect(JSON.parse(text ?? "")).toMatchObject({
      role: "assistant",
      content: { type: "text", text: roses },
      model: "scripted",
      stopReason: "endTurn",
    });
  });

  test.each(["no", null])("hears a no as one: %s", async (answer) => {
    const { error } = await answering(`${key}__poem`, answer);
    expect(error).toMatchObject({
      code: "TOOL_FAILED",
      message: expect.stringMatching(
        isOlder(key) ? /User rejected sampling request/ : /wanted to ask the model, and that was not allowed/,
      ),
    });
  });

  test.each([
    ["tools", { tools: [{ name: "x", inputSchema: { type: "object" } }] }],
    ["no number of tokens", { maxTokens: 0 }],
    ["too much text", { systemPrompt: "x".repeat(100_001) }],
    ["sound", { messages: [{ role: "user", content: { type: "audio", data: "", mimeType: "audio/wav" } }] }],
    ["nothing to answer", { messages: [] }],
  ])("is refused without a question: %s", async (_name, params) => {
    expect((await app.call(`${key}__poem`, { params })).error).toMatchObject({ code: "TOOL_FAILED" });
    expect(await app.client.dialogs.list()).toEqual([]);
  });

  test("has a picture told as one, and no secret in what is sent", async () => {
    await app.client.secrets.set({ name: "POEM_KEY", value: "sk-very-secret-value" });
    const picture = { type: "image", data: Buffer.from("png").toString("base64"), mimeType: "image/png" };
    const words = { type: "text", text: "With sk-very-secret-value \u202E here." };
    const messages = [{ role: "user", content: isOlder(key) ? [words, picture] : [picture, words] }];
    const { dialog } = await answering(`${key}__poem`, "no", { params: { messages } });
    expect(dialog.about).toMatchObject({ messages: [{ pictures: 1 }] });
    const shown = JSON.stringify(dialog.about);
    expect(shown).not.toContain("sk-very-secret-value");
    expect(shown).not.toContain("\u202E");
  });

  test("loses its question with its call", async () => {
    const stop = new AbortController();
    const call = app.client.tools.call(
      { agentId: app.agentId, name: `${key}__poem`, input: {}, yes: true },
      { signal: stop.signal },
    );
    call.catch(() => {});
    await asked();
    stop.abort();
    await expect.poll(() => app.client.dialogs.list(), { timeout: 10_000 }).toEqual([]);
  });
});

test("of a hundred requests at once one waits at a time, and ten are asked", async () => {
  const call = app.call("older__poems");
  for (let round = 0; round < 10; round += 1) {
    const { id } = await asked();
    expect(await app.client.dialogs.list()).toHaveLength(1);
    await app.client.dialogs.answer({ id, answer: "once" });
  }
  expect((await call).text).toBe("10");
  expect(await app.client.dialogs.list()).toEqual([]);
});

test("the time of the call stands still while the person looks", async () => {
  const { limits } = await app.client.app.settings();
  await app.client.app.updateSettings({ limits: { toolMs: 1_000 } });
  try {
    const call = app.call("older__poem");
    const { id, createdAt } = await asked();
    await expect.poll(() => Date.now() - Date.parse(createdAt), { timeout: 10_000 }).toBeGreaterThan(1_500);
    await app.client.dialogs.answer({ id, answer: "once" });
    expect((await call).text).toContain(roses);
  } finally {
    await app.client.app.updateSettings({ limits: { toolMs: limits.toolMs } });
  }
});

test("in a turn it is allowed for the conversation, recorded, and replayed to the byte", async () => {
  const { agentId } = app;
  const session = await app.client.sessions.create({ agentId });
  const ref = { agentId, sessionId: session.id };
  const turn = (async () => {
    let turnId = "";
    for await (const event of await app.client.sessions.prompt({ ...ref, text: "A poem" }))
      if (event.type === "turn_started") ({ turnId } = event);
    return turnId;
  })();
  const { id, sessionId } = await asked();
  expect(sessionId).toBe(session.id);
  await app.client.dialogs.answer({ id, answer: "session" });
  const turnId = await turn;
  const record = await app.client.traces.turn({ ...ref, turnId });
  const lent = expect.objectContaining({ owner: "older", model: "scripted", problem: null });
  expect(record.filter(({ type }) => type === "model_lent")).toEqual([lent, lent]);
  expect(record.filter(({ type }) => type === "dialog_asked")).toHaveLength(1);
  expect(record.find(({ type }) => type === "tool_ended")).toMatchObject({ outcome: "executed" });

  const home = join(app.root, "home");
  const lines = await readRecordLines(home, agentId, session.id);
  const blobs = blobsOf(home, agentId, session.id);
  const { difference } = await replayTurn({
    lines,
    entries: await app.client.sessions.entries(ref),
    files: filesOf(home, agentId, session.id),
    getBlob: (address) => blobs.get(address),
  });
  expect(difference).toBeNull();
});

test("a server that ends takes its question away, and one that may not ask any more is started again", async () => {
  expect((await app.call("older__poem_dies")).error).toMatchObject({ code: "HOST_CRASHED" });
  await expect.poll(() => app.client.dialogs.list(), { timeout: 10_000 }).toEqual([]);
  await lend("older", false);
  await expect
    .poll(async () => (await app.call("older__knows")).text ?? "", { timeout: 15_000 })
    .toMatch(/^(?!.*sampling).*roots/);
});
