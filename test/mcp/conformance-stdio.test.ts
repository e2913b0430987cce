import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { McpApp } from "./mcp-app.ts";
import { serverFolder } from "./server-folder.ts";

let app: McpApp;
beforeAll(async () => {
  app = await McpApp.open();
  await app.client.app.updateSettings({ limits: { startMs: 8_000, toolMs: 15_000 } });
});
afterAll(() => app?.close());

/** Installs a server that does one thing in its own way, and switches it on. */
async function run(key: string) {
  const spec = await serverFolder(join(app.root, key), "crooked", { key, args: [key] });
  expect(await app.install(spec)).toMatchObject({ status: "done", problem: null });
  return app.switchOn(key);
}

async function logOf(key: string): Promise<string[]> {
  const lines = await app.client.agentPlugins.logs({ agentId: app.agentId, key });
  return lines.map(({ text }) => text);
}

test.each([
  ["halves", "an answer that comes in pieces, cut within a letter", "héllo"],
  ["returns", "lines that end as on Windows", "ends"],
  ["mark", "a byte order mark", "marked"],
  ["bytes", "bytes that are no text", "a\uFFFD\uFFFDb"],
  ["twice", "a second answer", "first"],
  ["others", "answers to what nobody asked", "for you"],
  ["early", "answers before the first question", "good"],
  ["recursive", "a schema that refers to itself", "good"],
  ["silent", "a result without content", ""],
  [
    "strange",
    "content of a kind that nobody knows",
    "[content of the kind “hologram”, which Patchbay does not know]and text",
  ],
  ["numbers", "a result whose fields are of other kinds", ""],
  ["shaped", "a result that is not what its schema says", "n is many"],
  ["bare", "a result of data alone", '{\n  "a": 1\n}'],
  ["flood", "20,000 notices in one go", "through"],
  ["shouts", "100 MB of error output", "said"],
  ["promptless", "prompts that are announced and not listed", "good"],
])("works with a server that sends %s: %s", async (key, _what, text) => {
  expect((await run(key)).instance).toMatchObject({ state: "running" });
  expect(await app.call(`${key}__good`)).toMatchObject({ outcome: "executed", text });
  // And after it once more: nothing was left behind on the line.
  expect(await app.call(`${key}__good`)).toMatchObject({ text });
});

test("an answer unlike its schema is passed on, and the log says so once", async () => {
  const said = (await logOf("shaped")).filter((line) => line.includes("looks otherwise"));
  expect(said).toEqual([
    "good says what its answers look like, but this one looks otherwise. It was passed on.",
  ]);
});

test("announced prompts that are not listed are said", async () => {
  const { instance } = await app.client.agentPlugins.get({ agentId: app.agentId, key: "promptless" });
  expect(instance.contributions?.notes).toEqual(["It says that it has prompts, but does not list them."]);
});

test("a list without an end is cut, and that is said", async () => {
  const { instance } = await run("endless");
  expect(instance.contributions?.tools).toHaveLength(64);
  expect(instance.contributions?.notes).toEqual([
    "Its list of tools does not end; the first 64 entries were looked at.",
  ]);
});

test.each([
  ["object", "START_FAILED", /does not say what it offers/],
  ["nothing", "START_FAILED", /does not say what it offers/],
  ["empty", "START_FAILED", /no end, and nothing in it/],
])("a server whose list is %s does not start, and says why", async (key, code, says) => {
  await run(key);
  await expect
    .poll(async () => (await app.client.agentPlugins.get({ agentId: app.agentId, key })).lastError, {
      timeout: 20_000,
    })
    .toMatchObject({ code, message: expect.stringMatching(says) });
});

test.each([
  ["list", "TOOL_FAILED", /good answered in a form that cannot be read/],
  ["refuses", "TOOL_FAILED", /refuses refused good: The harbour is closed\.$/],
  ["hangs", "TOOL_TIMEOUT", /15 s/],
])("a server that answers a call in the way of %s fails that call alone", async (key, code, says) => {
  expect((await run(key)).instance).toMatchObject({ state: "running" });
  expect((await app.call(`${key}__good`)).error).toMatchObject({
    code,
    message: expect.stringMatching(says),
  });
});

test("one that ends by itself between calls has not crashed, and is there for the next one", async () => {
  await run("leaves");
  for (let round = 0; round < 2; round += 1) {
    expect(await app.call("leaves__good")).toMatchObject({ text: "bye" });
    await expect
      .poll(
        async () =>
          (await app.client.agentPlugins.get({ agentId: app.agentId, key: "leaves" })).instance.state,
      )
      .not.toBe("running");
  }
  const { lastError } = await app.client.agentPlugins.get({ agentId: app.agentId, key: "leaves" });
  expect(lastError).toBeNull();
});

test("a server that changes everything between two starts runs, as what it is then", async () => {
  await run("turns");
  expect(await app.call("turns__good")).toMatchObject({ text: "good" });
  const { agentId } = app;
  await app.client.agentPlugins.set({ agentId, key: "turns", enabled: false });
  const { instance } = await app.switchOn("turns");
  expect(instance).toMatchObject({ state: "running" });
  expect(instance.contributions?.tools.map(({ name }) => name)).toEqual(["turns__new"]);
});
