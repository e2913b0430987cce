import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TruthAgent } from "./agent.ts";
import type { PluginHost } from "./plugin-host.ts";
import type { Outcome } from "./record.ts";

/** The provider that is used of all plugins' together, by Flowly's rules. */
export async function activeProvider(
  agent: TruthAgent,
  capability: string,
): Promise<{ name: string; host: PluginHost } | null> {
  const owners = new Map<string, PluginHost>();
  const able = new Set<string>();
  for (const host of agent.hosts)
    for (const [name, can] of Object.entries(
      await host.ask<Record<string, boolean>>("web_info", { capability }),
    )) {
      owners.set(name, host);
      if (can) able.add(name);
      else able.delete(name);
    }
  const pick = (name: string | undefined) => {
    const host = name === undefined ? undefined : owners.get(name);
    return host && name !== undefined ? { name, host } : null;
  };
  const configured = configuredProvider(agent, capability);
  if (configured !== undefined) return pick(configured);
  if (able.size === 1) return pick([...able][0]);
  const preferred = agent.hosts[0] ? await agent.hosts[0].ask<string[]>("web_preferred") : [];
  return pick(preferred.find((name) => able.has(name)));
}

function configuredProvider(agent: TruthAgent, capability: string): string | undefined {
  try {
    const config = JSON.parse(readFileSync(join(agent.tree.home, "config.json"), "utf8"));
    return config?.tools?.web?.[capability]?.backend;
  } catch {
    return undefined;
  }
}

/** What the agent's `web_search` or `web_extract` answers. */
export async function askWeb(
  agent: TruthAgent,
  capability: "search" | "extract",
  params: unknown,
): Promise<Outcome> {
  const active = await activeProvider(agent, capability);
  const withSome = agent.hosts.filter((host) => agent.stateOf(host).web.length > 0);
  const host = active?.host ?? (withSome.length === 1 ? withSome[0] : undefined);
  if (!host) return { result: "Error: Web search not available. No API key or proxy configured." };
  return { result: await host.tool(`web_${capability}`, params as Record<string, unknown>) };
}
