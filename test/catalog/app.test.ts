import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRouterClient } from "@orpc/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApp } from "../../src/main/app/create-app.ts";
import { callerHere } from "../../src/main/authority/index.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { startVerdaccio, type TestRegistry } from "../support/verdaccio.ts";
import { testPlatform } from "./support.ts";

let npm: TestRegistry;
beforeAll(async () => {
  npm = await startVerdaccio();
});
afterAll(() => npm.close());

async function openApp() {
  const root = await mkdtemp(join(tmpdir(), "patchbay-app-"));
  const app = await createApp(await testPlatform(join(root, "home")));
  const client = createRouterClient(app.router, { context: { caller: callerHere() } });
  app.gatewayOpened("http://127.0.0.1:0");
  const ended = async (id: string) => {
    for await (const job of await client.jobs.watch({ id })) if (job.endedAt) return job;
    throw new Error("the job did not end");
  };
  const [agent] = await client.agents.list();
  const row = { agentId: agent?.id ?? "", key: "hooked" };
  return {
    client,
    row,
    publish: (version: string, start: string) => publish(root, version, start),
    install: async (spec: string) =>
      ended((await client.jobs.install({ spec, yes: true, registry: npm.url })).id),
    update: async () => ended((await client.plugins.update({ key: "hooked", yes: true })).id),
    rollback: async () => ended((await client.plugins.rollback({ key: "hooked", yes: true })).id),
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** A plugin with a hook, so that it runs as soon as it is switched on. */
async function publish(root: string, version: string, start: string): Promise<void> {
  const hooks = `hooks: { events: ["turn.end@v1"], start: async () => { ${start}; return { stop: async () => {} }; } },`;
  const dir = await writePlugin(join(root, "work", version), {
    key: "hooked",
    version,
    files: {
      "index.js": `export default { manifestVersion: 1, key: "hooked", displayName: "Hooked", description: "Listens.", ${hooks} };\n`,
    },
  });
  await npm.publish(dir);
}

test("an update takes effect at once, one that does not start leaves the old one running, and uninstalling keeps settings", async () => {
  await using app = await openApp();
  const { client, row } = app;
  const running = async () => {
    const view = await client.agentPlugins.get(row);
    return [view.plugin?.packageVersion ?? null, view.instance.state];
  };
  await app.publish("1.0.0", "");
  expect((await app.install("patchbay-plugin-hooked")).problem).toBeNull();
  await client.agentPlugins.set({ ...row, enabled: true, config: { hooks: { greeting: "hello" } } });
  expect(await running()).toEqual(["1.0.0", "running"]);
  const first = (await client.agentPlugins.get(row)).instance.pid;

  await app.publish("1.1.0", "");
  expect((await app.update()).problem).toBeNull();
  expect(await running()).toEqual(["1.1.0", "running"]);
  const second = (await client.agentPlugins.get(row)).instance.pid;
  expect(second).not.toBe(first);

  await app.publish("1.2.0", 'throw new Error("it wants a newer moon")');
  expect((await app.update()).problem).toMatchObject({
    code: "UPDATE_ROLLED_BACK",
    message: expect.stringContaining("it wants a newer moon"),
  });
  expect(await running()).toEqual(["1.1.0", "running"]);

  expect((await app.rollback()).problem).toBeNull();
  expect(await running()).toEqual(["1.0.0", "running"]);

  await client.plugins.uninstall({ key: "hooked" });
  expect(await client.agentPlugins.get(row)).toMatchObject({
    plugin: null,
    enabled: true,
    config: { hooks: { greeting: "hello" } },
    instance: { state: "stopped" },
  });

  expect((await app.install("patchbay-plugin-hooked@1.1.0")).problem).toBeNull();
  await expect.poll(running, { timeout: 20_000 }).toEqual(["1.1.0", "running"]);
});
