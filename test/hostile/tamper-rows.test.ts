import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Agent, AgentPluginRow, Plugin, Problem } from "../../src/contract/index.ts";
import type { AuditEvent } from "../../src/main/store/index.ts";
import { pluginRow } from "../support/plugin-row.ts";
import { keepRows, openRows } from "./tamper-world.ts";

let home: string;
let notices: Problem[];
let audit: AuditEvent[];
const opened: { close(): Promise<void> }[] = [];

async function start(options: { passphrase?: string } = {}) {
  const app = await openRows(home, { notices, audit, index: [] }, options);
  opened.push(app);
  return app;
}

/** Changes a file as another program would: text in, text out. */
async function edit(path: string, change: (content: { data: never; marks: never }) => void): Promise<void> {
  const file = join(home, path);
  const content = JSON.parse(await readFile(file, "utf8"));
  change(content);
  await writeFile(file, JSON.stringify(content));
}

const rowsFile = "agents/helper/agent-plugins.json";
const editRow = (key: string, change: (row: AgentPluginRow) => void) =>
  edit(rowsFile, ({ data }: { data: { rows: AgentPluginRow[] } }) =>
    data.rows.filter((row) => row.pluginKey === key).forEach(change),
  );
const editPlugin = (key: string, change: (row: Plugin) => void) =>
  edit("plugins.json", ({ data }: { data: { plugins: Plugin[] } }) =>
    data.plugins.filter((row) => row.manifestKey === key).forEach(change),
  );
const editAgent = (change: (agent: Agent) => void) =>
  edit("agents/helper/agent.json", ({ data }: { data: Agent }) => change(data));

const stateNotices = () => notices.filter(({ code }) => code === "STATE_TAMPERED");

/** Both halves of each attack: the person is told, the audit log has a line, and the file is kept as it was found. */
async function expectSeen(kind: "plugins" | "agents" | "agent-plugins", folder = "."): Promise<void> {
  expect(stateNotices().length).toBeGreaterThan(0);
  expect(audit).toContainEqual(expect.objectContaining({ kind: "state.set_aside", what: kind }));
  expect((await readdir(join(home, folder))).filter((name) => name.includes(".tampered-"))).not.toEqual([]);
}

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "patchbay-tamper-"));
  notices = [];
  audit = [];
  const app = await start();
  await keepRows(app, home, "deny", { enabled: false, config: { city: "Bern" } });
  await app.close();
});
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
  await rm(home, { recursive: true, force: true });
});

test("an untouched home starts without a word, also after reports of plugins were written", async () => {
  const app = await start();
  app.agentPlugins.report("helper", "guard", { runtimeState: { seen: 1 } });
  await app.close();
  const again = await start();
  expect(again.agentPlugins.get("helper", "guard")).toMatchObject({
    enabled: true,
    runtimeState: { seen: 1 },
  });
  expect(notices).toEqual([]);
  expect(again.setAside.list()).toEqual([]);
});

test("a row edited to switch a plugin on does not switch it on", async () => {
  await editRow("weather", (row) => Object.assign(row, { enabled: true }));
  const app = await start();
  expect(app.agentPlugins.get("helper", "weather")).toMatchObject({
    enabled: false,
    config: { city: "Bern" },
  });
  expect(app.agentPlugins.get("helper", "guard")).toMatchObject({ enabled: true });
  await expectSeen("agent-plugins", "agents/helper");
});

test("a row with raised grants is not used, and its plugin stays off", async () => {
  const grants = {
    network: { reach: "any", hosts: [], refused: [] },
    files: { workspace: "write", folders: [{ path: "/", access: "write" }] },
    programs: { reach: "any", names: [] },
  };
  await editRow("guard", (row) => Object.assign(row, { grants }));
  const app = await start();
  const row = app.agentPlugins.get("helper", "guard");
  expect(row).toMatchObject({ enabled: false, lastError: { code: "STATE_TAMPERED" } });
  expect(JSON.stringify(row)).not.toContain('"any"');
  await expectSeen("agent-plugins", "agents/helper");
});

test("settings that send a plugin elsewhere are not used", async () => {
  await editRow("weather", (row) =>
    Object.assign(row, { config: { city: "Bern", server: "https://evil.example" } }),
  );
  const app = await start();
  expect(app.agentPlugins.get("helper", "weather")?.config).toEqual({ city: "Bern" });
  await expectSeen("agent-plugins", "agents/helper");
});

test("a policy edited to allow what it forbids still forbids it", async () => {
  await editAgent((agent) => Object.assign(agent, { policy: [{ tool: "shell", effect: "allow" }] }));
  const app = await start();
  expect(app.agents.get("helper")?.policy).toEqual([expect.objectContaining({ effect: "deny" })]);
  await expectSeen("agents", "agents/helper");
});

test("a registry row that points to another folder is not used, and its plugin is off everywhere", async () => {
  await editPlugin("guard", (row) => Object.assign(row.artifact, { dir: "/tmp/evil" }));
  const app = await start();
  expect(JSON.stringify(app.registry.list())).not.toContain("/tmp/evil");
  expect(app.registry.get("guard")).toBeDefined();
  expect(app.agentPlugins.get("helper", "guard")?.enabled).toBe(false);
  await expectSeen("plugins");
});

test("a plugin that is given a higher trust by hand does not have it", async () => {
  await editPlugin("weather", (row) => Object.assign(row, { trust: "built-in" }));
  const app = await start();
  expect(app.registry.get("weather")?.trust).not.toBe("built-in");
  await expectSeen("plugins");
});

test("a row that is put in beside the others is not used", async () => {
  await edit("plugins.json", ({ data }: { data: { plugins: Plugin[] } }) => {
    data.plugins.push(pluginRow("evil", "/tmp/evil"));
  });
  const app = await start();
  expect(app.registry.get("evil")).toBeUndefined();
  expect(app.setAside.list()).toEqual([expect.objectContaining({ rowId: "evil", restored: false })]);
  await expectSeen("plugins");
});

test("a row that is moved to another plugin with its signature does not fit there", async () => {
  await edit(
    rowsFile,
    (content: { data: { rows: AgentPluginRow[] }; marks: { rows: Record<string, string> } }) => {
      const [weather, guard] = content.data.rows as [AgentPluginRow, AgentPluginRow];
      Object.assign(weather, { ...guard, pluginKey: "weather" });
      content.marks.rows.weather = content.marks.rows.guard as string;
    },
  );
  const app = await start();
  expect(app.agentPlugins.get("helper", "weather")?.enabled).toBe(false);
  await expectSeen("agent-plugins", "agents/helper");
});

test("the row of a plugin that watches others cannot be taken away unseen", async () => {
  await edit(rowsFile, ({ data }: { data: { rows: AgentPluginRow[] } }) => {
    data.rows = data.rows.filter((row) => row.pluginKey !== "guard");
  });
  const app = await start();
  expect(app.agentPlugins.get("helper", "guard")).toBeDefined();
  expect(app.setAside.list()).toEqual([expect.objectContaining({ rowId: "guard", value: null })]);
  await expectSeen("agent-plugins", "agents/helper");
});

test("rows without any signature do not pass for those of an older Patchbay", async () => {
  const strip = (content: object) => void Reflect.deleteProperty(content, "marks");
  for (const path of ["plugins.json", rowsFile, "agents/helper/agent.json"]) {
    for (const name of [path, `${path}.bak1`, `${path}.bak2`, `${path}.bak3`]) {
      await edit(name, strip).catch(() => {});
    }
  }
  await editRow("weather", (row) => Object.assign(row, { enabled: true }));
  const app = await start();
  expect(app.registry.list()).toEqual([]);
  expect(app.agents.list()).toEqual([]);
  expect(
    app.setAside
      .list()
      .map(({ rowId }) => rowId)
      .sort(),
  ).toEqual(["guard", "helper", "weather"]);
  await expectSeen("plugins");
});

test("a file made unreadable does not bring in a copy that somebody wrote", async () => {
  const text = await readFile(join(home, rowsFile), "utf8");
  const forged = JSON.parse(text);
  for (const row of forged.data.rows) row.enabled = true;
  for (const name of [".bak1", ".bak2", ".bak3"])
    await writeFile(join(home, `${rowsFile}${name}`), JSON.stringify(forged));
  await writeFile(join(home, rowsFile), "{ broken");
  const app = await start();
  expect(app.agentPlugins.get("helper", "weather")?.enabled ?? false).toBe(false);
  await expectSeen("agent-plugins", "agents/helper");
  await app.close();
  const again = await start();
  expect(again.agentPlugins.get("helper", "weather")?.enabled ?? false).toBe(false);
});

test("an entry put among what was set aside is not there to be accepted", async () => {
  await editRow("weather", (row) => Object.assign(row, { enabled: true }));
  await (await start()).close();
  await edit("set-aside.json", ({ data }: { data: { rows: { value: Record<string, unknown> }[] } }) => {
    for (const row of data.rows) Object.assign(row.value, { config: { server: "https://evil.example" } });
  });
  const app = await start();
  expect(JSON.stringify(app.setAside.list())).not.toContain("evil.example");
});

test("what the person changed by hand is used once they say so", async () => {
  await editRow("weather", (row) => Object.assign(row, { enabled: true, config: { city: "Basel" } }));
  const app = await start();
  const [found] = app.setAside.list();
  await app.kept.accept(found?.id ?? "");
  expect(app.agentPlugins.get("helper", "weather")).toMatchObject({
    enabled: true,
    config: { city: "Basel" },
  });
  expect(audit).toContainEqual(expect.objectContaining({ kind: "state.accepted", pluginKey: "weather" }));
  await app.close();
  notices = [];
  const again = await start();
  expect(again.agentPlugins.get("helper", "weather")).toMatchObject({
    enabled: true,
    config: { city: "Basel" },
  });
  expect(notices).toEqual([]);
});

test("while the vault is closed no rule allows anything, nothing is changed, and plugins wait; opened, rows are judged", async () => {
  const first = await start();
  await first.agents.update("helper", { policy: [{ tool: "shell", effect: "allow" } as never] });
  await first.vault.setPassphrase("correct horse battery staple", true);
  await first.close();
  await editRow("weather", (row) => Object.assign(row, { enabled: true }));
  const app = await start();
  expect(app.signer.mode).toBe("closed");
  expect(app.kept.doubt("helper")).toMatchObject({ code: "VAULT_CLOSED" });
  expect(app.agents.get("helper")?.policy).toEqual([]);
  await expect(app.agentPlugins.set("helper", "guard", { enabled: false })).rejects.toMatchObject({
    code: "VAULT_CLOSED",
  });
  await app.vault.unlock("correct horse battery staple");
  await app.signer.look();
  app.kept.review(false);
  expect(app.kept.doubt("helper")).toBeNull();
  expect(app.agents.get("helper")?.policy).toEqual([expect.objectContaining({ effect: "allow" })]);
  expect(app.agentPlugins.get("helper", "weather")?.enabled).toBe(false);
  await expectSeen("agent-plugins", "agents/helper");
});

test("a home of an older Patchbay is taken as it is, once", async () => {
  const older = await mkdtemp(join(tmpdir(), "patchbay-older-"));
  const signed = home;
  for (const path of ["plugins.json", rowsFile, "agents/helper/agent.json"]) {
    const content = JSON.parse(await readFile(join(signed, path), "utf8"));
    delete content.marks;
    const { mkdir } = await import("node:fs/promises");
    await mkdir(join(older, path, ".."), { recursive: true });
    await writeFile(join(older, path), JSON.stringify(content));
  }
  home = older;
  const app = await start();
  expect(app.agentPlugins.get("helper", "guard")?.enabled).toBe(true);
  await app.close();
  await editRow("weather", (row) => Object.assign(row, { enabled: true }));
  const again = await start();
  expect(again.agentPlugins.get("helper", "weather")?.enabled).toBe(false);
  await rm(older, { recursive: true, force: true });
  home = signed;
});
