import { cp } from "node:fs/promises";
import { basename, join } from "node:path";
import type { AgentInput } from "../../src/contract/index.ts";
import { dirOf } from "../../test/support/dir-of.ts";
import { Core } from "./core.ts";

export interface HomeSize {
  plugins: number;
  agents: number;
}

/**
 * Makes a home with many plugins, each switched on for many agents. The plugins have tools only, so none is started
 * until a turn needs it. One plugin is installed the usual way, in a home of its own; the rows of its copies are written
 * with the core's own stores and without signatures, as by a Patchbay that did not sign yet. The first start signs them,
 * and is over when this resolves.
 *
 * @param home an empty folder
 */
export async function fillHome(home: string, { plugins, agents }: HomeSize): Promise<void> {
  await using other = await Core.open(["bench-echo"], { link: false });
  const installed = await other.client.plugins.get({ key: "bench-echo" });
  const { AgentPlugins, AgentStore, openFileStorage, PluginRegistry } = other.entry;

  const onNotice = () => {};
  const storage = openFileStorage({ home, onNotice });
  const registry = new PluginRegistry({ storage });
  const { loadProblem: _problem, enabledFor: _agents, ...plugin } = installed;
  const keys = Array.from({ length: plugins }, (_, index) => `bench-echo-${index}`);
  for (const key of keys) {
    const dir = join(home, "plugins", key, basename(dirOf(plugin)));
    await cp(dirOf(plugin), dir, { recursive: true });
    const namespace = key.replaceAll("-", "_");
    const capabilities = { tools: { namespace } };
    await registry.put({
      ...plugin,
      id: key,
      manifestKey: key,
      displayName: key,
      artifact: { kind: "folder", dir },
      capabilities,
    });
  }
  await registry.close();

  const store = new AgentStore({ storage });
  const ids: string[] = [];
  for (let index = 0; index < agents; index += 1) {
    ids.push((await store.create({ ...agentInput, name: `Agent ${index}` })).id);
  }
  await store.close();

  const rows = new AgentPlugins({ storage, onNotice });
  const [first = "", ...others] = ids;
  for (const key of keys) {
    await rows.set(first, key, { enabled: true, config: { tools: { text: "some settings", number: 42 } } });
  }
  await rows.close();
  // The file of rows does not name its agent, so the first agent's file can be copied for the others.
  const file = (id: string) => join(home, "agents", id, "agent-plugins.json");
  for (const id of others) await cp(file(first), file(id));

  await using core = await Core.open([], { home });
  for (const agentId of ids) {
    const { length } = await core.client.agentPlugins.list({ agentId });
    if (length < plugins) throw new Error(`${agentId} has ${length} of ${plugins} plugins.`);
  }
}

const agentInput: Omit<AgentInput, "name"> = {
  instructions: "You help.",
  model: { kind: "none" },
  policy: [],
  maxSteps: 40,
};
