import { gatewayPaths } from "../../contract/index.ts";
import type { StoreAddress } from "../../main/platform/platform.ts";
import { whereIs } from "../../main/store/address.ts";
import { glance } from "../../main/store/glance.ts";
import type { Candidate } from "./words.ts";

/** The names that Patchbay keeps, as far as they can be had without opening or starting anything. */
export interface Known {
  agents(): Candidate[];
  plugins(): Candidate[];
  jobs(): Candidate[];
  /** Of one agent, or of all. */
  tools(agentId: string | undefined): Promise<Candidate[]>;
}

/** Milliseconds that a running app gets to say what its plugins offer now. Whoever pressed Tab waits for it. */
const PATIENCE_MS = 700;

export function knownIn(store: StoreAddress): Known {
  const found = glance(store);
  return {
    agents: () => found.agents().map(({ id, name }) => ({ word: id, meaning: name })),
    plugins: () => found.plugins().map(({ key, displayName }) => ({ word: key, meaning: displayName })),
    jobs: () => found.jobs().map(({ id, what }) => ({ word: id.slice(0, 8), meaning: what })),
    async tools(agentId) {
      const agents = agentId === undefined ? found.agents().map(({ id }) => id) : [agentId];
      const { builtinTools } = await import("../../main/agents/tools/builtin/index.ts");
      const declared = found
        .plugins()
        .filter(({ key }) => agents.some((id) => found.enabled(id).includes(key)))
        .flatMap(({ tools, displayName }) => tools.map((word) => ({ word, meaning: displayName })));
      const all = [
        ...[...builtinTools.keys()].map((word) => ({ word, meaning: "built-in" })),
        ...declared,
        ...(await offeredNow(store, agents)),
      ];
      return [...new Map(all.map((one) => [one.word, one])).values()];
    },
  };
}

/** The tools of the plugins that run in the running app. Empty when none runs, or when it takes too long. */
async function offeredNow(store: StoreAddress, agents: readonly string[]): Promise<Candidate[]> {
  const gateway = whereIs(store);
  if (!gateway) return [];
  try {
    const answer = await fetch(`${gateway.url}${gatewayPaths.rest}/snapshot`, {
      headers: { authorization: `Bearer ${gateway.token}` },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { agentPlugins } = (await answer.json()) as { agentPlugins: Row[] };
    return agentPlugins
      .filter(({ agentId }) => agents.includes(agentId))
      .flatMap(({ instance }) => instance.contributions?.tools ?? [])
      .map(({ name, title }) => ({ word: name, meaning: title }));
  } catch {
    return [];
  }
}

interface Row {
  agentId: string;
  instance: { contributions?: { tools: { name: string; title: string }[] } | null };
}
