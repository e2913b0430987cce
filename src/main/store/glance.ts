import { readdirSync, readFileSync } from "node:fs";
import { isObject } from "../../contract/is-object.ts";
import type { StoreAddress } from "../platform/platform.ts";
import { FileLayout } from "./files/layout.ts";

/** The names of what a store holds. */
export interface Glance {
  agents(): { id: string; name: string }[];
  /** `tools`: the whole names of its tools, where it says them before it runs. */
  plugins(): { key: string; displayName: string; tools: string[] }[];
  /** The keys of the plugins that are switched on for an agent. */
  enabled(agentId: string): string[];
  /** The newest last. */
  jobs(): { id: string; what: string }[];
}

/**
 * Looks into the files of a store without opening it: no lease is taken, nothing is written, mended or judged. Good for
 * offering names to somebody who types, and for nothing that is decided. What cannot be read is left out.
 */
export function glance(store: StoreAddress): Glance {
  const layout = new FileLayout(store);
  const list = (name: "plugins" | "jobs" | "agent-plugins", agentId?: string): unknown[] => {
    const found = layout.collection(name, agentId === undefined ? undefined : { agentId });
    if (found.kind !== "list") return [];
    const data = dataIn(found.file);
    return isObject(data) && Array.isArray(data[found.field]) ? (data[found.field] as unknown[]) : [];
  };
  return {
    agents: () =>
      foldersIn(layout.agents).flatMap((id) => {
        const found = layout.collection("agents");
        const agent =
          found.kind === "files" && /^[a-z0-9-]+$/.test(id) ? dataIn(found.fileOf(id)) : undefined;
        return isObject(agent) ? [{ id, name: String(agent.name ?? id) }] : [];
      }),
    plugins: () =>
      list("plugins")
        .flatMap(pluginIn)
        .sort((a, b) => a.key.localeCompare(b.key)),
    enabled: (agentId) => {
      try {
        return list("agent-plugins", agentId).flatMap((row) =>
          isObject(row) && row.enabled === true ? [String(row.pluginKey)] : [],
        );
      } catch {
        return [];
      }
    },
    jobs: () =>
      list("jobs").flatMap((row) => {
        const job = isObject(row) ? row.job : undefined;
        return isObject(job) && typeof job.id === "string"
          ? [{ id: job.id, what: [job.kind, job.pluginKey ?? job.spec].join(" ") }]
          : [];
      }),
  };
}

function pluginIn(row: unknown): ReturnType<Glance["plugins"]> {
  if (!isObject(row) || typeof row.manifestKey !== "string") return [];
  const { capabilities } = row;
  const tools = isObject(capabilities) && isObject(capabilities.tools) ? capabilities.tools : {};
  const names = Array.isArray(tools.names) ? tools.names.map(String) : [];
  const before = typeof tools.namespace === "string" ? `${tools.namespace}__` : "";
  return [
    {
      key: row.manifestKey,
      displayName: String(row.displayName ?? row.manifestKey),
      tools: names.map((name) => `${before}${name}`),
    },
  ];
}

function dataIn(file: string): unknown {
  try {
    const document: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isObject(document) ? document.data : undefined;
  } catch {
    return undefined;
  }
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
