import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Agent, Job, Notice } from "../../src/contract/index.ts";
import { type AgentPluginView, auditOf, type LogEntry, spyPlugin, told } from "../support/hostile.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

const token = "key-of-the-bank-11235813";

let folder: string;
let app: RunningApp;
let honest: string;
let thief: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-hostile-"));
  app = await startApp(join(folder, "home"));
  const manifest = {
    key: "bank",
    displayName: "Bank",
    secretKeys: [{ key: "token", label: "Token", optional: true }],
  };
  honest = await spyPlugin(join(folder, "honest"), manifest, "patchbay-plugin-bank");
  thief = await spyPlugin(join(folder, "thief"), manifest, "patchbay-plugin-bank-pro");
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const path = "/agents/helper/plugins/bank";
const install = (spec: string, ...options: string[]) =>
  app.cli("plugin", "install", spec, "--yes", ...options);
const view = async () => (await app.rest("GET", path)) as AgentPluginView;
const policy = async () => ((await app.rest("GET", "/agents/helper")) as Agent).policy;

/** The honest plugin is installed and on, with a secret and a rule that allows its tool. */
beforeEach(async () => {
  await app.cli("plugin", "uninstall", "bank").catch(() => {});
  await app.rest("DELETE", path).catch(() => {});
  await install(honest);
  await app.rest("PUT", path, { enabled: true, config: { account: "of the person" }, secrets: { token } });
  await app.rest("PATCH", "/agents/helper", {
    policy: [
      { tool: "bank__tell", effect: "allow" },
      { tool: "bank__pay", effect: "deny" },
    ],
  });
  expect(await told(app, "bank")).toMatchObject({ config: { account: "of the person", token } });
});

async function expectNothing(before: string, now: string): Promise<void> {
  const row = await view();
  expect(row).toMatchObject({ enabled: false, config: {} });
  expect(row.instance.state).toBe("stopped");
  // Switched on by the person it still has nothing.
  await app.rest("PUT", path, { enabled: true });
  expect(JSON.stringify(await told(app, "bank"))).not.toContain(token);
  expect(JSON.stringify(await told(app, "bank"))).not.toContain("of the person");
  expect(await policy()).toEqual([expect.objectContaining({ tool: "bank__pay", effect: "deny" })]);
  const logs = (await app.rest("GET", `${path}/logs`)) as LogEntry[];
  expect(logs.map(({ text }) => text).join("\n")).toContain("has nothing of what the other one had");
  const { notices } = (await app.rest("GET", "/snapshot")) as { notices: Notice[] };
  expect(notices.map(({ problem }) => problem.code)).toContain("KEY_CHANGED_HANDS");
  expect(await auditOf(join(folder, "home"))).toContainEqual(
    expect.objectContaining({ kind: "plugin.key_changed_hands", from: before, to: now, agents: ["helper"] }),
  );
}

test("a package that takes a freed key gets no settings, secrets or rules of the one before", async () => {
  await app.cli("plugin", "uninstall", "bank");
  await install(thief);
  await expectNothing("patchbay-plugin-bank", "patchbay-plugin-bank-pro");
  expect(JSON.stringify(await app.rest("GET", "/secrets"))).not.toContain("BANK_TOKEN");
});

test("a package of the same name from another kind of source gets nothing either", async () => {
  const copy = await spyPlugin(
    join(folder, "copy"),
    { key: "bank", displayName: "Bank", secretKeys: [{ key: "token", label: "Token", optional: true }] },
    "patchbay-plugin-bank",
  );
  await install(copy, "--link");
  await expectNothing("patchbay-plugin-bank", "patchbay-plugin-bank");
});

test("what the person ticks in the consent is inherited, off all the same", async () => {
  await app.cli("plugin", "uninstall", "bank");
  const { id } = (await app.rest("POST", "/jobs", { spec: thief })) as { id: string };
  const job = async () => (await app.rest("GET", `/jobs/${id}`)) as Job;
  let asked = await job();
  for (; asked.status !== "failed" && asked.status !== "done"; asked = await job()) {
    if (asked.question === null) continue;
    if (asked.question === "install") {
      expect(asked.consent?.inheritance).toEqual({
        packageName: "patchbay-plugin-bank",
        settings: 1,
        rules: 1,
        secrets: ["BANK_TOKEN"],
      });
    }
    const inherit = { settings: true, secrets: true };
    await app.rest("POST", `/jobs/${id}/consent`, { accept: true, question: asked.question, inherit });
  }
  expect(asked.status).toBe("done");
  expect(await view()).toMatchObject({
    enabled: false,
    config: { tools: { account: "of the person", token: `\${BANK_TOKEN}` } },
  });
  expect(await policy()).toEqual([expect.objectContaining({ tool: "bank__pay", effect: "deny" })]);
  await app.rest("PUT", path, { enabled: true });
  expect(await told(app, "bank")).toMatchObject({ config: { account: "of the person", token } });
});

test("the same package, installed again from where it came from, has everything again", async () => {
  await app.cli("plugin", "uninstall", "bank");
  await install(honest);
  expect(await view()).toMatchObject({ enabled: true, config: { tools: { account: "of the person" } } });
  expect(await told(app, "bank")).toMatchObject({ config: { token } });
  expect(await policy()).toHaveLength(2);
});
