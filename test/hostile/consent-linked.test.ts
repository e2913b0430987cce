import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type {
  AgentPluginView,
  Job,
  LogEntry,
  PluginPermissions,
  PluginView,
} from "../../src/contract/index.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { auditOf } from "../support/hostile.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";
import { describeIn, description } from "./consent-world.ts";

let folder: string;
let app: RunningApp;
const key = "bench";
const dir = () => join(folder, "bench");
const path = `/agents/helper/plugins/${key}`;

const plugin = async () => (await app.rest("GET", `/plugins/${key}`)) as PluginView;
const row = async () => (await app.rest("GET", path)) as AgentPluginView;

async function until(id: string, wanted: (job: Job) => boolean): Promise<Job> {
  await expect
    .poll(async () => wanted((await app.rest("GET", `/jobs/${id}`)) as Job), { timeout: 15_000 })
    .toBe(true);
  return (await app.rest("GET", `/jobs/${id}`)) as Job;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-linked-"));
  app = await startApp(join(folder, "home"));
  await writePlugin(dir(), { key });
  await describeIn(dir(), description(key, { permissions: { network: [], files: "none" } }));
  await app.cli("plugin", "install", dir(), "--link", "--yes");
  await app.rest("PUT", path, { enabled: true });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

test("a linked folder that declares more than was agreed to gets nothing of it, and asks", async () => {
  expect((await plugin()).grown).toEqual([]);
  const more = {
    permissions: { network: ["evil.example"], files: "all", subprocess: true },
    secretKeys: [{ key: "BANK_PIN", label: "PIN", optional: true }],
    hooks: { events: ["tool.before@v1"], start: () => {} },
  };
  const code = `const hooks = { events: ["tool.before@v1"], start: async () => ({ hooks: [{ event: "tool.before@v1", handler: async () => ({}) }], stop: async () => {} }) };\n`;
  await writePlugin(dir(), { key, prelude: code, manifest: more });
  const module = join(dir(), "index.js");
  const text = await readFile(module, "utf8");
  await writeFile(module, text.replace("  tools: {", "  hooks,\n  tools: {"));
  await describeIn(dir(), description(key, more));
  await app.rest("POST", `${path}/restart`);
  await expect
    .poll(async () => (await plugin()).grown.map(({ kind }) => kind))
    .toEqual(["hook", "secret", "host", "allFiles", "programs"]);
  // Nothing of that is there.
  const permissions = (await app.rest("GET", `${path}/permissions`)) as PluginPermissions;
  expect(permissions.grants.network).toMatchObject({ reach: "none", hosts: [] });
  expect(permissions.grants.files).toEqual({ workspace: "none", folders: [] });
  expect(permissions.grants.programs.reach).toBe("none");
  const { instance, secretQuestions } = await row();
  expect(instance.contributions?.hooks ?? []).toEqual([]);
  expect(secretQuestions ?? []).toEqual([]);
  expect((await plugin()).capabilities.hooks).toBeUndefined();
  // The person sees it.
  expect(await auditOf(join(folder, "home"))).toContainEqual(
    expect.objectContaining({ kind: "consent.exceeded", pluginKey: key, linked: true }),
  );
  const logs = (await app.rest("GET", `${path}/logs`)) as LogEntry[];
  expect(logs.filter(({ origin }) => origin === "patchbay").map(({ text }) => text)).toContainEqual(
    expect.stringContaining("declares more than you agreed to: It now hooks into tool.before@v1."),
  );
});

test("a program with the token alone cannot agree to what a linked folder declares more", async () => {
  const begun = (await app.rest("POST", `/plugins/${key}/update`, {})) as Job;
  const waiting = await until(begun.id, (job) => job.question !== null);
  expect(waiting.consent?.changes).toContain("It now wants to reach evil.example.");
  const refused = await fetch(`${app.url}/api/jobs/${begun.id}/consent`, {
    method: "POST",
    headers: { authorization: `Bearer ${app.token}`, "content-type": "application/json" },
    body: JSON.stringify({ accept: true }),
  });
  expect(await refused.json()).toMatchObject({ code: "CONFIRMATION_NEEDED" });
  expect((await plugin()).grown).not.toEqual([]);
  // The person may, and then it is granted.
  await app.rest("POST", `/jobs/${begun.id}/consent`, { accept: true });
  expect((await until(begun.id, (job) => job.endedAt !== null)).problem).toBeNull();
  expect((await plugin()).grown).toEqual([]);
  const permissions = (await app.rest("GET", `${path}/permissions`)) as PluginPermissions;
  expect(permissions.grants.network.hosts).toEqual(["evil.example"]);
});

test("a program with the token alone answers no question in advance: no look, no scripts, no risk, no yes", async () => {
  const mark = join(folder, "looked");
  const prelude = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(mark)}, "ran");`;
  const spec = await writePlugin(join(folder, "hasty"), { key: "hasty", prelude });
  for (const field of ["look", "allowScripts", "acceptRisk", "yes"]) {
    const refused = await fetch(`${app.url}/api/jobs`, {
      method: "POST",
      headers: { authorization: `Bearer ${app.token}`, "content-type": "application/json" },
      body: JSON.stringify({ spec, [field]: true }),
    });
    expect(await refused.json()).toMatchObject({ code: "CONFIRMATION_NEEDED" });
  }
  expect(((await app.rest("GET", "/jobs")) as Job[]).filter((job) => job.spec === spec)).toEqual([]);
  expect(await auditOf(join(folder, "home"))).toContainEqual(
    expect.objectContaining({ kind: "wall.refused", wall: "authority" }),
  );
});

test("a linked folder that takes its description away gets what the row says, and no more", async () => {
  await writeFile(join(dir(), "patchbay.json"), "{ broken");
  await app.rest("POST", `${path}/restart`);
  await expect.poll(async () => (await row()).instance.state, { timeout: 10_000 }).not.toBe("starting");
  const permissions = (await app.rest("GET", `${path}/permissions`)) as PluginPermissions;
  expect(permissions.grants.network.hosts).toEqual(["evil.example"]);
  expect((await plugin()).grown).toEqual([]);
});
