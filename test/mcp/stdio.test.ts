import { mkdir, readdir, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { McpApp } from "./mcp-app.ts";
import { serverFolder } from "./server-folder.ts";

let app: McpApp;
const call = (name: string, input?: Record<string, unknown>) => app.call(name, input);

beforeAll(async () => {
  app = await McpApp.open();
});
afterAll(() => app?.close());

/** Installs a server and switches it on. */
async function run(
  key: string,
  name: "legacy" | "modern" | "raw",
  more: { args?: string[]; file?: Record<string, unknown>; config?: Record<string, unknown> } = {},
) {
  const spec = await serverFolder(join(app.root, key), name, { key, ...more });
  expect(await app.install(spec)).toMatchObject({ status: "done", problem: null });
  return app.switchOn(key, more.config);
}

test("a server of the older way: its tools, its failure, its progress, its end and its start again", async () => {
  const { instance } = await run("legacy", "legacy");
  expect(instance).toMatchObject({ state: "running" });
  expect(instance.contributions?.tools.map(({ name }) => name)).toEqual([
    "legacy__echo",
    "legacy__fail",
    "legacy__die",
    "legacy__slow_steps",
    "legacy__more",
  ]);
  expect(await call("legacy__echo", { text: "hello" })).toMatchObject({ outcome: "executed", text: "hello" });
  expect(await call("legacy__fail")).toMatchObject({
    error: { code: "TOOL_FAILED", message: "The parcel is lost." },
  });
  const events = await app.client.tools.run({
    agentId: app.agentId,
    name: "legacy__slow_steps",
    input: {},
    yes: true,
  });
  const heard: string[] = [];
  for await (const event of events) {
    if (event.type === "progress") heard.push(event.text);
    if (event.type === "done") heard.push(event.trace.outcome);
  }
  expect(heard).toEqual(["50 %", "100 %", "executed"]);
  expect((await call("legacy__die")).error).toMatchObject({
    code: "HOST_CRASHED",
    message: expect.stringMatching(/It ended during die: .*exit code 7.*out of stamps/),
  });
  await expect
    .poll(() => call("legacy__echo", { text: "again" }), { timeout: 15_000 })
    .toMatchObject({ text: "again" });
});

test("a tool that comes while it runs is there at once, and held until somebody has looked", async () => {
  await run("grows", "legacy");
  await call("grows__more");
  await expect
    .poll(async () => (await app.client.tools.list({ agentId: app.agentId })).map(({ name }) => name))
    .toContain("grows__added");
  expect((await call("grows__added")).error).toMatchObject({ code: "TOOL_HELD" });
});

test.each([
  { key: "newer", args: [] as string[], era: "modern" },
  { key: "both", args: ["both"], era: "legacy" },
])("a server of the new revision answers: $key", async ({ key, args, era }) => {
  expect((await run(key, "modern", { args })).instance).toMatchObject({ state: "running" });
  expect(await call(`${key}__era`)).toMatchObject({ outcome: "executed", text: era, details: { era } });
});

test("settings reach it as its environment", async () => {
  const file = {
    server: { type: "node", entry: "server.mjs", env: { LOUD: { input: "loud" } } },
    inputs: [{ name: "loud", title: "Loud", type: "string" }],
  };
  await run("loud", "legacy", { file, config: { loud: "yes" } });
  expect(await call("loud__echo", { text: "hello" })).toMatchObject({ text: "hello!" });
});

test("what it prints beside its messages does no harm", async () => {
  expect((await run("noisy", "legacy", { args: ["noisy"] })).instance).toMatchObject({ state: "running" });
  expect(await call("noisy__echo", { text: "here" })).toMatchObject({ text: "here" });
});

test("of a list with faulty tools only those are left out, by name", async () => {
  const { instance } = await run("broken", "raw", { args: ["broken"] });
  expect(instance.contributions?.tools.map(({ name }) => name)).toEqual(["broken__good"]);
  expect(instance.contributions?.notes).toEqual([
    "3 of 5 tools are left out, their description is faulty: x, y, deep.",
    "background runs as a background task, which Patchbay cannot do. It is left out.",
  ]);
});

test("a long text is kept in the workspace, and a link there leads it nowhere else", async () => {
  await run("wordy", "raw", { args: ["long"] });
  const { workspace } = await app.client.agents.get({ agentId: app.agentId });
  const kept = join(workspace, "from-plugins", "wordy", "result.txt");
  expect((await call("wordy__good")).text).toContain("from-plugins/wordy/result.txt");
  expect((await readFile(kept, "utf8")).length).toBe(150_000);

  const outside = join(app.root, "outside");
  await mkdir(outside);
  await rm(join(workspace, "from-plugins"), { recursive: true });
  await symlink(outside, join(workspace, "from-plugins"));
  expect((await call("wordy__good")).error).toMatchObject({
    code: "TOOL_FAILED",
    message: expect.stringContaining("outside of the workspace"),
  });
  expect(await readdir(outside)).toEqual([]);
});

test("an answer of more than 32 MB ends it, and nothing else", async () => {
  await run("huge", "raw", { args: ["huge"] });
  expect((await call("huge__huge")).error).toMatchObject({
    code: "HOST_CRASHED",
    message: expect.stringMatching(/huge.*more than 32 MB/),
  });
});

test.each([
  {
    key: "exits",
    code: "START_FAILED",
    says: /ended right after its start: .*exit code 1.*no licence found/,
  },
  { key: "ancient", code: "PROTOCOL_UNSUPPORTED", says: /another version of MCP/ },
])("a server that $key says why it did not start", async ({ key, code, says }) => {
  await run(key, "raw", { args: [key] });
  await expect
    .poll(async () => (await app.client.agentPlugins.get({ agentId: app.agentId, key })).lastError, {
      timeout: 20_000,
    })
    .toMatchObject({ code, message: expect.stringMatching(says) });
});
