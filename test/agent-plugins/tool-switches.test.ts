import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { McpApp } from "../mcp/mcp-app.ts";

let app: McpApp;

beforeAll(async () => {
  app = await McpApp.open();
  await app.client.agents.create({ id: "bob", name: "bob" });
});
afterAll(() => app?.close());

/** The tools of a plugin that the agent is offered, and those that it is not, with the reason. */
async function offered(key: string) {
  const { agentId } = app;
  const tools = (await app.client.tools.list({ agentId })).filter(({ owner }) => owner === key);
  return {
    on: tools.flatMap(({ name, withheld }) => (withheld ? [] : [name])),
    off: tools.flatMap(({ name, withheld }) => (withheld ? [`${name} ${withheld}`] : [])),
  };
}

test.each([
  { system: "native", spec: "test/fixtures/plugins/pi-tools" },
  { system: "fledge", spec: "test/fixtures/fledge/hello" },
])("a tool of a $system plugin is switched off for one agent and on again", async ({ spec }) => {
  const { agentId, client } = app;
  const job = await app.install(resolve(spec));
  expect(job.problem).toBeNull();
  const key = job.pluginKey ?? "";
  await app.switchOn(key);
  const [name = "", ...rest] = (await offered(key)).on;
  expect(name).not.toBe("");
  const generation = async () => (await client.agentPlugins.get({ agentId, key })).instance.generation;
  const before = await generation();

  await client.agentPlugins.switchTools({ agentId, key, tools: { [name]: false } });
  expect(await offered(key)).toEqual({ on: rest, off: [`${name} off`] });
  expect((await app.call(name)).error).toMatchObject({
    code: "TOOL_OFF",
    message: expect.stringMatching(/ is switched off for ada\.$/),
  });
  // Calls by hand, which leave hooks out, are no way around.
  await expect(
    client.tools.call({ agentId, name, input: {}, straight: true, yes: true }),
  ).rejects.toMatchObject({ code: "TOOL_OFF" });

  await client.agentPlugins.set({ agentId: "bob", key, enabled: true });
  const ofBob = (await client.tools.list({ agentId: "bob" })).find((tool) => tool.name === name);
  expect(ofBob).toBeDefined();
  expect(ofBob?.withheld).toBeUndefined();

  await client.agentPlugins.switchTools({ agentId, key, tools: { [name]: true } });
  expect((await offered(key)).off).toEqual([]);
  expect(await generation()).toBe(before);
});

test("a list of what is allowed holds before the plugin has ever run, and for what comes later", async () => {
  const { agentId, client } = app;
  const job = await app.install(resolve("test/fixtures/plugins/echo"));
  const key = job.pluginKey ?? "";
  await client.agentPlugins.switchTools({ agentId, key, tools: { echo__nothing: true }, others: false });
  await app.switchOn(key);
  const { on, off } = await offered(key);
  expect(on).toEqual([]);
  expect(off.length).toBeGreaterThan(0);
  const row = await client.agentPlugins.get({ agentId, key });
  expect(row.tools).toEqual({ tools: { echo__nothing: true }, others: false });
});
