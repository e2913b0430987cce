import { asksOf, type Plugin } from "../../src/contract/index.ts";
import { PluginPool } from "../../src/main/pool/plugin-pool.ts";
import { AgentPlugins, AgentStore, defaultSettings, PluginRegistry } from "../../src/main/registry/index.ts";
import type {
  HostServices,
  InstanceContributions,
  PluginInstance,
  PluginRuntime,
} from "../../src/main/runtimes/runtime.ts";
import { noChannel } from "./no-channel.ts";
import { everything, givenWalls } from "./open-walls.ts";
import { TestHome } from "./test-home.ts";

/** A pool with the real stores and the runtimes that a test gives, with one agent, `ada`. */
export async function openLightPool(...runtimes: PluginRuntime[]) {
  const home = await TestHome.open();
  const registry = new PluginRegistry(home.options);
  const agents = new AgentStore(home.options);
  const agentPlugins = new AgentPlugins(home.options);
  const pool = new PluginPool({
    registry,
    agentPlugins,
    agents,
    vault: {
      resolve: () => undefined,
      markOf: () => undefined,
      has: () => false,
      list: () => [],
      redact: (text) => text,
      changes: { on() {}, off() {} },
    },
    runtimes,
    settings: { get: () => defaultSettings },
    checkIntegrity: async () => null,
    ask: async () => null,
    channel: () => ({
      agent: noChannel,
      access: () => ({ agentBaseUrl: "", publicAgentBaseUrl: "", token: "" }),
    }),
    permissions: givenWalls(everything),
    credentials: () => ({ get: async () => null, set: async () => {} }),
    oauthToken: async () => "",
    signedIn: () => false,
  });
  home.owns(registry, agents, agentPlugins);
  await agents.create({
    id: "ada",
    name: "Ada",
    instructions: "",
    model: { kind: "none" },
    policy: [],
    maxSteps: 10,
  });
  await pool.boot();
  return {
    pool,
    agentPlugins,
    install: (key: string, change: Partial<Plugin> = {}) => registry.put(describe(home.path, key, change)),
    async enable(key: string) {
      await agentPlugins.set("ada", key, { enabled: true });
      await pool.apply("ada", key);
      return pool.view("ada", key);
    },
    async disable(key: string) {
      await agentPlugins.set("ada", key, { enabled: false });
      await pool.apply("ada", key);
      return pool.view("ada", key);
    },
    async close() {
      await pool.close();
      await home.close();
    },
  };
}
export type LightPool = Awaited<ReturnType<typeof openLightPool>>;

export const nothing: InstanceContributions = {
  tools: [],
  toolsets: [],
  hooks: [],
  commands: [],
  skills: [],
  prompts: [],
  channel: null,
};

/** A runtime whose instances a test makes; they stop when the pool asks. */
export function scriptedRuntime(
  start: (
    key: string,
    services: HostServices,
  ) => Partial<Pick<PluginInstance, "contributions" | "call">> & { failure?: unknown },
): PluginRuntime {
  return {
    id: "native",
    displayName: "native",
    enforcement: "",
    recognise: async () => true,
    inspect: () => Promise.reject(new Error("not asked")),
    start: async ({ plugin, services }) => {
      const { failure, ...instance } = start(plugin.manifestKey, services);
      if (failure) throw failure;
      const { promise: exited, resolve } = Promise.withResolvers<{ code: number; signal: null }>();
      return {
        pid: null,
        contributions: nothing,
        call: () => Promise.reject(new Error("not asked")),
        ping: async () => ({ memoryBytes: 1 }),
        stop: async () => resolve({ code: 0, signal: null }),
        exited,
        ...instance,
      };
    },
  };
}

function describe(dir: string, key: string, change: Partial<Plugin>): Plugin {
  const now = new Date().toISOString();
  return {
    id: key,
    manifestKey: key,
    packageName: key,
    packageVersion: "1.0.0",
    runtime: "native",
    displayName: key,
    description: "A plugin of a test.",
    capabilities: { tools: { namespace: key } },
    declaration: {
      configSchema: null,
      defaultConfig: null,
      secretKeys: [],
      requiredHooks: [],
    },
    warnings: [],
    artifact: { kind: "folder", dir },
    consent: asksOf(null),
    source: { kind: "folder", spec: dir, integrity: null, treeHash: null, installedAt: now },
    trust: "local",
    scriptsAllowed: false,
    previous: [],
    createdAt: now,
    updatedAt: now,
    ...change,
  };
}
