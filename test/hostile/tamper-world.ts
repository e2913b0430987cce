import { join } from "node:path";
import type { Problem } from "../../src/contract/index.ts";
import {
  AgentPlugins,
  AgentStore,
  KeptRows,
  PluginRegistry,
  RemovedRows,
  SetAsideRows,
} from "../../src/main/registry/index.ts";
import { IntegrityKey, Vault } from "../../src/main/secrets/index.ts";
import {
  type AuditEvent,
  type IndexEvent,
  openFileStorage,
  type RowSetAside,
} from "../../src/main/store/index.ts";
import { pluginRow } from "../support/plugin-row.ts";

type AgentPluginPatch = Parameters<AgentPlugins["set"]>[2];

/** What was said while rows were opened. */
export interface Said {
  notices: Problem[];
  audit: AuditEvent[];
  /** What became of the index of newest rows. */
  index: IndexEvent[];
}

/**
 * Keeps an agent, `helper`, and two plugins of it, `guard` and `weather`, as a start of the app does.
 *
 * @param shell what the agent's rule says about its shell
 * @param weather the row of that plugin
 */
export async function keepRows(
  { agents, registry, agentPlugins }: Awaited<ReturnType<typeof openRows>>,
  home: string,
  shell: "allow" | "deny",
  weather: AgentPluginPatch,
): Promise<void> {
  await agents.create({
    id: "helper",
    name: "Helper",
    instructions: "",
    model: { kind: "none" },
    policy: [{ tool: "shell", effect: shell }],
    maxSteps: 10,
  } as never);
  await registry.put(pluginRow("weather", join(home, "plugins", "weather", "1.0.0-a")));
  await registry.put(pluginRow("guard", join(home, "plugins", "guard", "1.0.0-b")));
  await agentPlugins.set("helper", "weather", weather);
  await agentPlugins.set("helper", "guard", { enabled: true });
}

/** What the app opens of its rows at a start, in the same order. */
export async function openRows(home: string, said: Said, { passphrase }: { passphrase?: string } = {}) {
  const onNotice = (problem: Problem) => void said.notices.push(problem);
  const storage = openFileStorage({ home, onNotice });
  const vault = await Vault.open({ storage, onNotice, ...(passphrase && { passphrase }) });
  const signer = await IntegrityKey.open(vault);
  const record = async (...events: AuditEvent[]) => void said.audit.push(...events);
  const setAside = new SetAsideRows({ storage, signer, audit: { record }, onNotice });
  const guard = {
    signer,
    onSetAside: (found: RowSetAside) => setAside.add(found),
    onIndex: (event: IndexEvent) => void said.index.push(event),
  };
  const registry = new PluginRegistry({ storage, guard });
  const agents = new AgentStore({ storage, guard });
  const agentPlugins = new AgentPlugins({ storage, onNotice, guard });
  const removed = new RemovedRows({ storage, signer, onNotice });
  const kept = new KeptRows({ registry, agents, agentPlugins, setAside, removed, audit: { record } });
  kept.readAll();
  await signer.adopted();
  await kept.switchOff();
  const close = async () => {
    for (const part of [agentPlugins, agents, registry, setAside, removed, vault]) await part.close();
  };
  return { storage, vault, signer, setAside, registry, agents, agentPlugins, kept, close };
}
