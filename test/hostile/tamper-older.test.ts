import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AuditLog } from "../../src/main/store/index.ts";
import { keepRows, openRows, type Said } from "./tamper-world.ts";

let home: string;
let said: Said;
const opened: { close(): Promise<void> }[] = [];

async function start() {
  const app = await openRows(home, said);
  opened.push(app);
  return app;
}

const rowsFile = "agents/helper/agent-plugins.json";
const copies = ["", ".bak1", ".bak2", ".bak3"];
const wide = { network: { reach: "any" as const, hosts: [], refused: [] } };

/** Keeps a file as it is now, and puts it back later; with all its good copies unless said otherwise. */
async function keep(path: string): Promise<(names?: string[]) => Promise<void>> {
  const content = await readFile(join(home, path));
  return async (names = copies) => {
    for (const name of names) await writeFile(join(home, `${path}${name}`), content);
  };
}

const reach = async (to: "any" | "hosts") => {
  const app = await start();
  const grants = {
    network: { ...wide.network, reach: to },
    files: { workspace: "none" as const, folders: [] },
    programs: { reach: "none" as const, names: [] },
  };
  await app.agentPlugins.set("helper", "weather", { grants });
  await app.close();
};

function expectSeen(what: string, id: string): void {
  expect(said.audit).toContainEqual(expect.objectContaining({ kind: "state.set_aside", what, older: true }));
  expect(said.notices.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(new RegExp(`put an older state in the place of .*${id}`)),
  );
}

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "patchbay-older-"));
  said = { notices: [], audit: [], index: [] };
  const app = await start();
  await keepRows(app, home, "allow", { enabled: true });
  await app.close();
});
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
  await rm(home, { recursive: true, force: true });
});

test("wide grants of before, put back with their signature, do not come back, and nothing else is lost", async () => {
  await reach("any");
  const back = await keep(rowsFile);
  await reach("hosts");
  await back();
  const app = await start();
  const row = app.agentPlugins.get("helper", "weather");
  expect(row?.grants?.network.reach).not.toBe("any");
  expect(row?.enabled ?? false).toBe(false);
  expect(app.agentPlugins.get("helper", "guard")).toMatchObject({ enabled: true });
  expectSeen("agent-plugins", "weather");
});

test("where a good copy holds the newest row, that one is used in the place of the older", async () => {
  await reach("any");
  const back = await keep(rowsFile);
  await reach("hosts");
  await back([""]);
  const app = await start();
  expect(app.agentPlugins.get("helper", "weather")?.grants?.network.reach).toBe("hosts");
  expectSeen("agent-plugins", "weather");
});

test("one older row among the newest ones is not used either", async () => {
  await reach("any");
  const older = JSON.parse(await readFile(join(home, rowsFile), "utf8"));
  await reach("hosts");
  for (const name of copies) {
    const path = join(home, `${rowsFile}${name}`);
    const now = JSON.parse(await readFile(path, "utf8").catch(() => "null"));
    if (now === null) continue;
    const rowIn = ({ data }: { data: { rows: { pluginKey: string }[] } }) =>
      data.rows.findIndex(({ pluginKey }) => pluginKey === "weather");
    now.data.rows[rowIn(now)] = older.data.rows[rowIn(older)];
    now.marks.rows.weather = older.marks.rows.weather;
    await writeFile(path, JSON.stringify(now));
  }
  const app = await start();
  expect(app.agentPlugins.get("helper", "weather")?.grants?.network.reach).not.toBe("any");
  expectSeen("agent-plugins", "weather");
});

test("an agent's rules of before, which allowed the shell, do not come back", async () => {
  const back = await keep("agents/helper/agent.json");
  const app = await start();
  await app.agents.update("helper", { policy: [{ tool: "shell", effect: "deny" }] as never });
  await app.close();
  await back([""]);
  const again = await start();
  expect(again.agents.get("helper")?.policy).toEqual([expect.objectContaining({ effect: "deny" })]);
  expectSeen("agents", "helper");
});

test("a plugin that was uninstalled does not come back as a row", async () => {
  const back = await keep("plugins.json");
  const app = await start();
  await app.registry.remove("guard");
  await app.close();
  await back();
  const again = await start();
  expect(again.registry.get("guard")).toBeUndefined();
  expect(again.registry.get("weather")).toBeDefined();
  expectSeen("plugins", "guard");
});

test("without the index nobody can say, and that it is gone or changed is said", async () => {
  await rm(join(home, "newest-rows.json"));
  await (await start()).close();
  expect(said.index).toContainEqual({ kind: "gone" });
  await writeFile(join(home, "newest-rows.json"), JSON.stringify({ n: 1, files: {}, mac: "AAAA" }));
  await (await start()).close();
  expect(said.index).toContainEqual({ kind: "changed" });
});

test("rows that are put back together with the index are found by the audit log", async () => {
  const folder = await mkdtemp(join(tmpdir(), "patchbay-both-"));
  await reach("any");
  for (const path of [rowsFile, "newest-rows.json"]) await cp(join(home, path), join(folder, path));
  await reach("hosts");
  const number = said.index.flatMap((event) => (event.kind === "written" ? [event.n] : [])).at(-1);
  const app = await start();
  const options = { storage: app.storage, redact: (value: unknown) => value, onNotice: () => {} };
  const audit = new AuditLog({ ...options, signer: app.signer });
  await audit.record({ kind: "state.indexed", index: number });
  const faults = async () => (await audit.verify()).faults.map(({ text }) => text);
  const older = expect.stringContaining("an older state was put back");
  expect(await faults()).not.toContainEqual(older);
  await app.close();
  for (const path of [rowsFile, "newest-rows.json"]) await cp(join(folder, path), join(home, path));
  expect(await faults()).toContainEqual(older);
  await audit.close();
  await rm(folder, { recursive: true, force: true });
});

test("a kill between a row and the index accuses nobody", async () => {
  const index = await readFile(join(home, "newest-rows.json"));
  await reach("any");
  // As a kill leaves it: the row is on the disk, the index is not yet.
  await writeFile(join(home, "newest-rows.json"), index);
  const app = await start();
  expect(app.agentPlugins.get("helper", "weather")?.grants?.network.reach).toBe("any");
  expect(said.notices).toEqual([]);
  expect(app.setAside.list()).toEqual([]);
  await app.close();
  await reach("hosts");
  expect((await start()).agentPlugins.get("helper", "weather")?.grants?.network.reach).toBe("hosts");
  expect(said.notices).toEqual([]);
});

test("an agent that was removed and made again begins anew without a word", async () => {
  const app = await start();
  const agent = app.agents.get("helper");
  await app.agents.remove("helper");
  await app.close();
  const again = await start();
  await again.agents.create({ ...agent, policy: [] } as never);
  await again.agentPlugins.set("helper", "guard", { enabled: true });
  await again.close();
  expect((await start()).agentPlugins.get("helper", "guard")).toMatchObject({ enabled: true });
  expect(said.notices).toEqual([]);
});
