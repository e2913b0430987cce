import type { CatalogEntry } from "../../../contract/job.ts";
import type { PluginView } from "../../../contract/plugin.ts";
import { useMirror } from "../../store/mirror.ts";

/** Finds the installed plugin that an entry of a catalogue means, if there is one. */
export type FindInstalled = (entry: CatalogEntry) => PluginView | null;

/** One finder for each map of installed plugins, shared by all components. */
const finders = new WeakMap<ReadonlyMap<string, PluginView>, FindInstalled>();

/** The function stays the same until the installed plugins change. */
export function useFindInstalled(): FindInstalled {
  return finderFor(useMirror((state) => state.plugins));
}

function finderFor(plugins: ReadonlyMap<string, PluginView>): FindInstalled {
  const known = finders.get(plugins);
  if (known) return known;
  const made = finder(plugins);
  finders.set(plugins, made);
  return made;
}

/**
 * A built-in entry means the built-in plugin; any other entry means a plugin that came from elsewhere. The core decides
 * the same way.
 */
function finder(plugins: ReadonlyMap<string, PluginView>): FindInstalled {
  const byPackage = new Map([...plugins.values()].map((plugin) => [plugin.packageName, plugin]));
  return (entry) => {
    const found = entry.manifestKey ? plugins.get(entry.manifestKey) : byPackage.get(entry.packageName);
    if (!found) return null;
    return (found.source.kind === "builtin") === (entry.trust === "built-in") ? found : null;
  };
}
