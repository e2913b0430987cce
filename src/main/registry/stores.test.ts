import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type AgentInput,
  agentInputSchema,
  asksOf,
  PatchbayError,
  type Plugin,
  type Problem,
  pluginVersionSchema,
} from "../../contract/index.ts";
import { openFileStorage, type Storage } from "../store/index.ts";
import { AgentStore, checkTaken, defaultSettings, PluginRegistry, SettingsStore } from "./index.ts";

let home: string;
let notices: Problem[];
let closing: { close(): Promise<void> }[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "patchbay-registry-"));
  notices = [];
  closing = [];
});
afterEach(async () => {
  for (const store of closing) await store.close();
  rmSync(home, { recursive: true, force: true });
});

function opened<S extends { close(): Promise<void> }>(Store: new (options: { storage: Storage }) => S): S {
  const store = new Store({
    storage: openFileStorage({ home, onNotice: (problem) => notices.push(problem) }),
  });
  closing.push(store);
  return store;
}

async function failure(work: () => unknown): Promise<PatchbayError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof PatchbayError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

function plugin(manifestKey: string, more: Partial<Plugin> = {}): Plugin {
  const now = new Date().toISOString();
  return {
    id: `id-${manifestKey}`,
    packageName: `@acme/${manifestKey}`,
    packageVersion: "1.0.0",
    manifestKey,
    runtime: "native",
    displayName: manifestKey.toUpperCase(),
    description: "d",
    capabilities: { tools: { namespace: manifestKey.replaceAll("-", "_") } },
    declaration: {
      configSchema: null,
      defaultConfig: null,
      secretKeys: [],
      requiredHooks: [],
    },
    consent: asksOf(null),
    warnings: [],
    source: { kind: "folder", spec: "/x", integrity: null, treeHash: null, installedAt: now },
    artifact: { kind: "folder", dir: "/x" },
    trust: "local",
    scriptsAllowed: false,
    previous: [],
    createdAt: now,
    updatedAt: now,
    ...more,
  };
}

describe("the registry of plugins", () => {
  it("reads the rows of the version before, which named folders and what fledge asks for", () => {
    const { artifact: _artifact, consent: _consent, ...row } = plugin("weather");
    const { artifact: _, consent: __, ...version } = pluginVersionSchema.parse(plugin("weather"));
    const asked = { network: ["a.example"], files: "workspace" };
    const fledge = {
      runtime: "native",
      protocol: true,
      grants: { exec: true, store: true, metadata: false, network: false, filesystem: "project" },
      scripts: [{ name: "build", command: "make" }],
      lifecycle: [],
    };
    const before = {
      ...row,
      dir: "/new",
      declaration: { ...row.declaration, permissions: { subprocess: true }, fledge },
      previous: [{ ...version, dir: "/old", declaration: { ...version.declaration, permissions: asked } }],
    };
    writeFileSync(
      join(home, "plugins.json"),
      JSON.stringify({ schemaVersion: 1, data: { plugins: [before] } }),
    );
    const migrated = opened(PluginRegistry).get("weather");
    expect(migrated).toEqual({
      ...row,
      artifact: { kind: "folder", dir: "/new" },
      declaration: { ...row.declaration, details: fledge },
      consent: {
        declared: true,
        enforced: false,
        hosts: null,
        files: null,
        programs: true,
        grants: ["store", "files of the project"],
        scripts: fledge.scripts,
      },
      previous: [
        {
          ...version,
          artifact: { kind: "folder", dir: "/old" },
          consent: { ...asksOf(null), declared: true, hosts: ["a.example"], files: "workspace" },
        },
      ],
    });
  });

  it("keeps for fledge plugins of the version before what they were used to: the workspace and programs", () => {
    const details = (runtime: string) => ({
      declaration: { ...plugin("x").declaration, details: { runtime } },
    });
    const before = [
      { ...plugin("script"), runtime: "fledge", ...details("native"), consent: asksOf(null) },
      { ...plugin("module"), runtime: "fledge", ...details("wasm"), consent: asksOf(null) },
      { ...plugin("package"), consent: asksOf(null) },
    ];
    writeFileSync(
      join(home, "plugins.json"),
      JSON.stringify({ schemaVersion: 3, data: { plugins: before } }),
    );
    const registry = opened(PluginRegistry);
    expect(registry.get("script")?.consent).toMatchObject({ files: "workspace", programs: true });
    expect(registry.get("module")?.consent).toMatchObject({ files: null, programs: null });
    expect(registry.get("package")?.consent).toMatchObject({ files: null, programs: null });
  });

  it("keeps rows by key, in the order of the keys, over a restart", async () => {
    const registry = opened(PluginRegistry);
    await registry.put(plugin("weather"));
    await registry.put(plugin("http"));
    await registry.put(plugin("weather", { packageVersion: "2.0.0" }));
    await registry.close();
    const again = opened(PluginRegistry);
    expect(again.list().map(({ manifestKey, packageVersion }) => [manifestKey, packageVersion])).toEqual([
      ["http", "1.0.0"],
      ["weather", "2.0.0"],
    ]);
    await again.remove("http");
    expect(opened(PluginRegistry).get("http")).toBeUndefined();
  });

  it("announces what was put and removed", async () => {
    const registry = opened(PluginRegistry);
    const events: unknown[] = [];
    registry.changes.on("put", ({ manifestKey }) => events.push(["put", manifestKey]));
    registry.changes.on("removed", (key) => events.push(["removed", key]));
    await registry.put(plugin("http"));
    await registry.remove("http");
    await registry.remove("http");
    expect(events).toEqual([
      ["put", "http"],
      ["removed", "http"],
    ]);
  });

  it("refuses the key of another package, naming both", async () => {
    const registry = opened(PluginRegistry);
    await registry.put(plugin("http"));
    const error = await failure(() =>
      checkTaken(plugin("http", { packageName: "evil" }), registry.list(), false),
    );
    expect(error.code).toBe("KEY_TAKEN");
    expect(error.message).toMatch(/evil.*"http".*HTTP.*@acme\/http/);
    expect((await failure(() => registry.checkTaken(claim("http", "evil")))).code).toBe("KEY_TAKEN");
  });

  it("refuses the tool namespace of another plugin, in an update too", async () => {
    const registry = opened(PluginRegistry);
    await registry.put(plugin("http"));
    await registry.put(plugin("weather"));
    const error = await failure(() =>
      registry.checkTaken({ ...claim("weather"), capabilities: { tools: { namespace: "http" } } }),
    );
    expect(error.code).toBe("NAMESPACE_TAKEN");
    expect(error.message).toMatch(/"http".*HTTP/);
  });

  it("lets a package keep what is its own", async () => {
    const registry = opened(PluginRegistry);
    await registry.put(plugin("http"));
    registry.checkTaken(claim("http"));
    registry.checkTaken(claim("other"));
    checkTaken(plugin("http"), registry.list(), true);
  });

  function claim(key: string, packageName = `@acme/${key}`) {
    const {
      manifestKey,
      packageVersion,
      displayName,
      description,
      capabilities,
      declaration,
      consent,
      warnings,
    } = plugin(key);
    return {
      runtime: "native" as const,
      manifestKey,
      packageName,
      packageVersion,
      displayName,
      description,
      capabilities,
      declaration,
      consent,
      warnings,
    };
  }
});

describe("the agents", () => {
  const input = (more: Partial<AgentInput> = {}): AgentInput =>
    agentInputSchema.parse({ name: "Helper", ...more });

  it("have an id made from their name, free and fit for a folder", async () => {
    const agents = opened(AgentStore);
    const names = ["Zoë's Helper!", "Zoë's helper", "日本", "  ", "x".repeat(80)];
    const made = await Promise.all(names.map((name) => agents.create(input({ name }))));
    expect(made.map(({ id }) => id)).toEqual([
      "zoe-s-helper",
      "zoe-s-helper-2",
      "agent",
      "agent-2",
      "x".repeat(64),
    ]);
  });

  it("have a workspace of their own unless they are given one, which is made", async () => {
    const agents = opened(AgentStore);
    const own = await agents.create(input({ id: "a" }));
    expect(own.workspace).toBe(join(home, "agents", "a", "workspace"));
    const given = await agents.create(input({ id: "b", workspace: join(home, "projects", "b") }));
    expect(statSync(own.workspace).isDirectory() && statSync(given.workspace).isDirectory()).toBe(true);
    expect((await failure(() => agents.create(input({ workspace: "relative/path" })))).code).toBe(
      "BAD_INPUT",
    );
  });

  it("are there after a restart, with everything that was set", async () => {
    const agents = opened(AgentStore);
    const agent = await agents.create(
      input({ id: "a", instructions: "Be brief.", policy: [{ tool: "http__*", effect: "deny" }] }),
    );
    await agents.close();
    expect(opened(AgentStore).list()).toEqual([agent]);
  });

  it("refuse an id that is taken, also by a folder that is no agent", async () => {
    const agents = opened(AgentStore);
    await agents.create(input({ id: "a" }));
    mkdirSync(join(home, "agents", "b"));
    expect((await failure(() => agents.create(input({ id: "a" })))).code).toBe("AGENT_EXISTS");
    expect((await failure(() => agents.create(input({ id: "b" })))).code).toBe("AGENT_EXISTS");
    expect(opened(AgentStore).list()).toHaveLength(1);
    expect(notices).toEqual([]);
  });

  it("change field by field, and a stale change is refused with both values", async () => {
    const agents = opened(AgentStore);
    await agents.create(input({ id: "a" }));
    const changed = vi.fn();
    agents.changes.on("agent", changed);
    const agent = await agents.update("a", { name: "New", revision: 1 });
    expect(agent).toMatchObject({ name: "New", maxSteps: 40, revision: 2 });
    expect(changed).toHaveBeenCalledExactlyOnceWith(agent);
    const error = await failure(() => agents.update("a", { name: "Late", revision: 1 }));
    expect(error.code).toBe("STALE_REVISION");
    expect(error.details).toEqual({ yours: { name: "Late", revision: 1 }, current: agent });
    expect((await failure(() => agents.update("x", {}))).code).toBe("AGENT_NOT_FOUND");
  });

  it("keep both of two revisions at once", async () => {
    const agents = opened(AgentStore);
    await agents.create(input({ id: "a" }));
    const allow = (tool: string) =>
      agents.revise("a", ({ policy }) => ({ policy: [...policy, { tool, effect: "allow" }] }));
    await Promise.all([allow("p__x"), allow("p__y")]);
    expect((await failure(() => agents.revise("x", () => ({})))).code).toBe("AGENT_NOT_FOUND");
    await agents.close();
    expect(
      opened(AgentStore)
        .get("a")
        ?.policy.map(({ tool }) => tool),
    ).toEqual(["p__x", "p__y"]);
  });

  it("are moved aside with their files when removed", async () => {
    const agents = opened(AgentStore);
    const agent = await agents.create(input({ id: "a" }));
    writeFileSync(join(agent.workspace, "work.txt"), "hours of work");
    const removed = vi.fn();
    agents.changes.on("removed", removed);
    await agents.remove("a");
    expect(removed).toHaveBeenCalledExactlyOnceWith("a");
    expect(agents.get("a")).toBeUndefined();
    expect(existsSync(join(home, "agents", "a"))).toBe(false);
    const [folder = ""] = readdirSync(join(home, "removed"));
    expect(readFileSync(join(home, "removed", folder, "workspace", "work.txt"), "utf8")).toBe(
      "hours of work",
    );
    await agents.create(input({ id: "a" }));
    expect((await failure(() => agents.remove("b"))).code).toBe("AGENT_NOT_FOUND");
  });

  it("with a file that cannot be opened are reported, and the others are there", async () => {
    const agents = opened(AgentStore);
    for (const id of ["a", "b", "c"]) await agents.create(input({ id }));
    await agents.close();
    const folder = (id: string) => join(home, "agents", id);
    for (const name of readdirSync(folder("a"))) {
      if (name.startsWith("agent.json")) writeFileSync(join(folder("a"), name), "{");
    }
    writeFileSync(join(folder("b"), "agent.json"), '{"schemaVersion": 99, "data": {}}');
    expect(
      opened(AgentStore)
        .list()
        .map(({ id }) => id),
    ).toEqual(["c"]);
    expect(notices.map(({ code }) => code).sort()).toEqual(["STATE_FILE_DAMAGED", "STATE_FILE_NEWER"]);
    expect(readFileSync(join(folder("a"), "agent.json"), "utf8")).toBe("{");
  });
});

describe("the settings", () => {
  it("begin with the documented limits", () => {
    const settings = opened(SettingsStore).get();
    expect(settings.limits).toEqual({
      inspectMs: 10_000,
      startMs: 20_000,
      stopMs: 5_000,
      hookMs: 2_000,
      toolMs: 120_000,
      drainMs: 5_000,
      approvalMs: 120_000,
      dialogMs: 120_000,
    });
    expect(settings.hostMemoryMb).toBe(256);
  });

  it("change field by field, limit by limit, and are there after a restart", async () => {
    const store = opened(SettingsStore);
    const heard = vi.fn();
    store.changes.on("settings", heard);
    const settings = await store.update({ theme: "dark", limits: { toolMs: 5_000 } });
    expect(settings).toEqual({
      ...defaultSettings,
      theme: "dark",
      limits: { ...defaultSettings.limits, toolMs: 5_000 },
      revision: 1,
    });
    expect(heard).toHaveBeenCalledExactlyOnceWith(settings);
    await store.close();
    expect(opened(SettingsStore).get()).toEqual(settings);
  });

  it("refuse a stale change with both values", async () => {
    const store = opened(SettingsStore);
    const current = await store.update({ theme: "dark", revision: 0 });
    const error = await failure(() => store.update({ theme: "light", revision: 0 }));
    expect(error.code).toBe("STALE_REVISION");
    expect(error.details).toEqual({ yours: { theme: "light", revision: 0 }, current });
  });
});
