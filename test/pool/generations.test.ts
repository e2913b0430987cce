import { afterEach, beforeEach, expect, test } from "vitest";
import type { Plugin } from "../../src/contract/index.ts";
import { PluginPool } from "../../src/main/pool/plugin-pool.ts";
import { AgentPlugins, AgentStore, defaultSettings, PluginRegistry } from "../../src/main/registry/index.ts";
import type {
  HostServices,
  InstanceContributions,
  PluginInstance,
  PluginRuntime,
} from "../../src/main/runtimes/runtime.ts";
import { noChannel } from "../support/no-channel.ts";
import { TestHome } from "../support/test-home.ts";

let home: TestHome;
let pool: PluginPool;
let agentPlugins: AgentPlugins;
/** The services that each start was given, in order. */
let given: HostServices[];

const nothing: InstanceContributions = {
  tools: [],
  toolsets: [],
  hooks: [],
  commands: [],
  skills: [],
  channel: null,
};

/** A runtime whose instances do nothing, but never let go of what they were given. */
const runtime: PluginRuntime = {
  id: "native",
  enforcement: "",
  recognise: async () => true,
  inspect: () => Promise.reject(new Error("not asked")),
  start: async ({ services }) => {
    given.push(services);
    const { promise: exited, resolve } = Promise.withResolvers<{ code: number; signal: null }>();
    const instance: Partial<PluginInstance> = {
      pid: null,
      contributions: nothing,
      ping: async () => ({ memoryBytes: 1 }),
      stop: async () => resolve({ code: 0, signal: null }),
      exited,
    };
    return instance as PluginInstance;
  },
};

beforeEach(async () => {
  given = [];
  home = await TestHome.open();
  const registry = new PluginRegistry(home.options);
  const agents = new AgentStore(home.options);
  agentPlugins = new AgentPlugins(home.options);
  pool = new PluginPool({
    registry,
    agentPlugins,
    agents,
    vault: { resolve: () => undefined, redact: (text) => text, changes: { on() {}, off() {} } },
    runtimes: [runtime],
    settings: { get: () => defaultSettings },
    checkIntegrity: async () => null,
    ask: async () => null,
    channelAgent: () => noChannel,
    channelAccess: () => ({ agentBaseUrl: "", publicAgentBaseUrl: "", token: "" }),
    credentials: () => ({ get: async () => null, set: async () => {} }),
    oauthToken: async () => "",
  });
  home.owns(registry, agents, agentPlugins);
  agents.create({
    id: "ada",
    name: "Ada",
    instructions: "",
    model: { kind: "none" },
    policy: [],
    maxSteps: 10,
  });
  registry.put(plugin());
  await pool.boot();
});
afterEach(async () => {
  await pool.close();
  await home.close();
});

const row = () => agentPlugins.get("ada", "quiet");

test("what an ended run still reports reaches neither the row nor the state of the next run", async () => {
  agentPlugins.set("ada", "quiet", { enabled: true });
  await pool.reconcile("ada", "quiet");
  given[0]?.reportState({ from: "first" });
  expect(row()?.runtimeState).toEqual({ from: "first" });
  await pool.restart("ada", "quiet");
  expect(given).toHaveLength(2);

  given[0]?.reportError("too late");
  given[0]?.reportState({ from: "the past" });
  given[0]?.contributionsChanged(nothing);
  expect(row()).toMatchObject({ lastError: null, runtimeState: {} });
  expect(pool.view("ada", "quiet")).toMatchObject({ state: "running", reason: null, generation: 2 });

  given[1]?.reportError("in time");
  given[1]?.reportState({ from: "second" });
  expect(row()).toMatchObject({ lastError: { message: "in time" }, runtimeState: { from: "second" } });
  expect(pool.view("ada", "quiet").state).toBe("degraded");
});

test("what a stopped plugin reports does not come back as its state", async () => {
  agentPlugins.set("ada", "quiet", { enabled: true });
  await pool.reconcile("ada", "quiet");
  agentPlugins.set("ada", "quiet", { enabled: false });
  await pool.reconcile("ada", "quiet");
  given[0]?.reportError("too late");
  given[0]?.reportState({ late: true });
  expect(row()).toMatchObject({ lastError: null, runtimeState: null });
  expect(pool.view("ada", "quiet").state).toBe("stopped");
});

test("an error that is reported while it starts makes it degraded", async () => {
  const { start } = runtime;
  runtime.start = async (request, signal) => {
    request.services.reportError("half of it is missing");
    return start(request, signal);
  };
  agentPlugins.set("ada", "quiet", { enabled: true });
  await pool.reconcile("ada", "quiet");
  runtime.start = start;
  expect(pool.view("ada", "quiet")).toMatchObject({
    state: "degraded",
    reason: { code: "PLUGIN_REPORTED", message: "half of it is missing" },
  });
});

function plugin(): Plugin {
  const now = new Date().toISOString();
  return {
    id: "quiet",
    manifestKey: "quiet",
    packageName: "quiet",
    packageVersion: "1.0.0",
    runtime: "native",
    displayName: "Quiet",
    description: "Does nothing.",
    capabilities: { tools: { namespace: "quiet" } },
    declaration: {
      configSchema: null,
      flatConfig: false,
      defaultConfig: null,
      secretKeys: [],
      permissions: null,
      requiredHooks: [],
    },
    warnings: [],
    dir: home.path,
    source: { kind: "folder", spec: home.path, integrity: null, treeHash: null, installedAt: now },
    trust: "local",
    scriptsAllowed: false,
    previous: [],
    createdAt: now,
    updatedAt: now,
  };
}
