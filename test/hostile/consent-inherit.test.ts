import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Job } from "../../src/contract/index.ts";
import { type AgentPluginView, spyPlugin, told } from "../support/hostile.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

const token = "key-of-the-safe-3141592";
const path = "/agents/helper/plugins/safe";

let folder: string;
let app: RunningApp;
let honest: string;
let successor: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-inherit-"));
  app = await startApp(join(folder, "home"));
  const manifest = {
    key: "safe",
    displayName: "Safe",
    secretKeys: [{ key: "token", label: "Token", optional: true }],
  };
  honest = await spyPlugin(join(folder, "honest"), manifest, "patchbay-plugin-safe");
  successor = await spyPlugin(join(folder, "successor"), manifest, "patchbay-plugin-safe-next");
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

/** The first package had settings, a secret and a rule, and is gone. */
beforeEach(async () => {
  await app.cli("plugin", "uninstall", "safe").catch(() => {});
  await app.rest("DELETE", path).catch(() => {});
  await app.cli("plugin", "install", honest, "--yes");
  await app.rest("PUT", path, { enabled: true, config: { account: "of the person" }, secrets: { token } });
  await app.rest("PATCH", "/agents/helper", { policy: [{ tool: "safe__tell", effect: "allow" }] });
  await app.cli("plugin", "uninstall", "safe");
});

/** The job of the other package when it asks for consent. */
async function asked(): Promise<Job> {
  const { id } = (await app.rest("POST", "/jobs", { spec: successor, look: true })) as Job;
  for (;;) {
    const job = (await app.rest("GET", `/jobs/${id}`)) as Job;
    if (job.question !== null || job.endedAt !== null) return job;
  }
}

async function answered(id: string, answer: object): Promise<Job> {
  await app.rest("POST", `/jobs/${id}/consent`, { accept: true, ...answer });
  for (;;) {
    const job = (await app.rest("GET", `/jobs/${id}`)) as Job;
    if (job.endedAt !== null) return job;
  }
}

test("the card names what another package of the same key left, and a plain yes gives none of it", async () => {
  const job = await asked();
  expect(job.consent?.inheritance).toEqual({
    packageName: "patchbay-plugin-safe",
    settings: 1,
    rules: 1,
    secrets: [expect.stringContaining("TOKEN")],
  });
  expect(await answered(job.id, {})).toMatchObject({ status: "done" });
  const row = (await app.rest("GET", path)) as AgentPluginView;
  expect(row).toMatchObject({ enabled: false, config: {} });
  await app.rest("PUT", path, { enabled: true });
  expect(JSON.stringify(await told(app, "safe"))).not.toContain(token);
});

test("what the person ticks is taken over, and nothing else", async () => {
  const job = await asked();
  expect(await answered(job.id, { inherit: { settings: true } })).toMatchObject({ status: "done" });
  const row = (await app.rest("GET", path)) as AgentPluginView;
  expect(row).toMatchObject({ enabled: false, config: { tools: { account: "of the person" } } });
  await app.rest("PUT", path, { enabled: true });
  expect(JSON.stringify(await told(app, "safe"))).not.toContain(token);
  expect(((await app.rest("GET", "/agents/helper")) as { policy: object[] }).policy).toEqual([]);
});
