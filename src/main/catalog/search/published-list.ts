import type { CatalogEntry } from "../../../contract/index.ts";
import type { ListedPlugin, PluginRuntime } from "../../runtimes/runtime.ts";
import { parseSpec } from "../spec/spec.ts";

/** A plugin system, as far as the list that it publishes is read with it. */
export type PublishesList = Pick<PluginRuntime, "id" | "listed" | "trustOf">;

/**
 * The list of plugins that a plugin system publishes: an array whose rows that system reads. Rows that nobody can read, or
 * that name no repository on the network, are left out.
 */
export function readPublishedList(
  rows: readonly unknown[],
  source: string,
  runtimes: readonly PublishesList[],
): CatalogEntry[] {
  return rows.flatMap((row) => {
    for (const runtime of runtimes) {
      const listed = runtime.listed?.(row);
      if (listed) return entryOf(listed, source, runtime);
    }
    return [];
  });
}

function entryOf(listed: ListedPlugin, source: string, runtime: PublishesList): CatalogEntry[] {
  const url = repositoryOf(listed.spec);
  if (url === null) return [];
  return [
    {
      ...listed,
      source,
      runtime: runtime.id,
      publisher: new URL(url).pathname.split("/")[1] ?? "",
      trust: runtime.trustOf?.({ kind: "git", spec: url }) ?? "unverified",
      installedVersion: null,
    },
  ];
}

/**
 * The repository that a row names; null when it is none on the network. A list from the network must not name files of
 * this machine.
 */
function repositoryOf(spec: string): string | null {
  try {
    const parsed = parseSpec(spec);
    return parsed.kind === "git" && parsed.url.startsWith("https://") ? parsed.url : null;
  } catch {
    return null;
  }
}
