import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRouterClient } from "@orpc/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AgentPluginRow } from "../../src/contract/index.ts";
import { createApp } from "../../src/main/app/create-app.ts";
import { callerHere } from "../../src/main/authority/index.ts";
import { testPlatform } from "../catalog/support.ts";
import { writePlugin } from "../support/fixture-plugin.ts";

let root: string;
let home: string;
const row = { agentId: "helper", key: "hooked" };
const passphrase = "four other words here";

async function open() {
  const app = await createApp(await testPlatform(home));
  const client = createRouterClient(app.router, { context: { caller: callerHere() } });
  app.gatewayOpened("http://127.0.0.1:0");
  const stateOf = async () => (await client.agentPlugins.get(row)).instance.state;
  return { app, client, stateOf, notices: async () => (await client.app.snapshot()).notices };
}

async function editRows(change: (row: AgentPluginRow) => void): Promise<void> {
  const file = join(home, "agents", "helper", "agent-plugins.json");
  const content = JSON.parse(await readFile(file, "utf8"));
  content.data.rows.forEach(change);
  await writeFile(file, JSON.stringify(content));
}

/** Installs a plugin with a hook, which runs as soon as it is switched on, and leaves it off. */
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "patchbay-tamper-app-"));
  home = join(root, "home");
  const hooks = 'hooks: { events: ["turn.end@v1"], start: async () => ({ stop: async () => {} }) },';
  const dir = await writePlugin(join(root, "hooked"), {
    key: "hooked",
    files: {
      "index.js": `export default { manifestVersion: 1, key: "hooked", displayName: "Hooked", description: "Listens.", ${hooks} };\n`,
    },
  });
  const { app, client } = await open();
  const { id } = await client.jobs.install({ spec: dir, yes: true });
  for await (const job of await client.jobs.watch({ id })) {
    if (job.endedAt) expect(job.problem).toBeNull();
    if (job.endedAt) break;
  }
  await client.agentPlugins.set({ ...row, enabled: true });
  await client.agentPlugins.set({ ...row, enabled: false });
  await app.close();
});
afterAll(() => rm(root, { recursive: true, force: true }));

test("a plugin that somebody switches on in the file does not run, the person reads it, and may use it after all", async () => {
  await editRows((stored) => Object.assign(stored, { enabled: true }));
  const { app, client, stateOf, notices } = await open();
  expect(await stateOf()).toBe("stopped");
  expect((await client.agentPlugins.get(row)).enabled).toBe(false);
  expect((await notices()).map(({ problem }) => problem.code)).toEqual(["STATE_TAMPERED"]);
  const [found] = await client.diagnostics.setAside();
  expect(found).toMatchObject({ collection: "agent-plugins", rowId: "hooked", restored: true });
  await client.diagnostics.acceptSetAside({ id: found?.id ?? "" });
  expect((await client.agentPlugins.get(row)).enabled).toBe(true);
  expect(await client.diagnostics.setAside()).toEqual([]);
  await app.close();
});

test("keys of the vault that are made anew leave what was signed as it is", async () => {
  const first = await open();
  await first.client.secrets.set({ name: "ONE", value: "first-value", agentId: null });
  await first.client.secrets.remove({ name: "ONE", agentId: null });
  await first.client.secrets.setPassphrase({ passphrase, askAtStart: true });
  expect((await first.client.secrets.list()).map(({ name }) => name)).toEqual([]);
  await first.app.close();
  const again = await open();
  await again.client.secrets.unlock({ passphrase });
  await expect.poll(() => again.client.diagnostics.verifyAudit()).toMatchObject({ ok: true });
  expect(await again.client.diagnostics.setAside()).toEqual([]);
  await again.app.close();
});

test("while the vault is closed a plugin waits, and it starts when the vault is opened", async () => {
  const { app, client, stateOf } = await open();
  await expect.poll(stateOf).toBe("needs_setup");
  expect((await client.agentPlugins.get(row)).instance.reason?.code).toBe("VAULT_CLOSED");
  await client.secrets.unlock({ passphrase });
  await expect.poll(stateOf).toBe("running");
  await app.close();
});
