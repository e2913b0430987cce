import { realpath } from "node:fs/promises";
import { type FoundHere, type FoundPlugin, type Looked, toProblem } from "../../../contract/index.ts";
import { cleanDeep, cleanLine } from "../../../contract/shown/clean-text.ts";
import type { PluginRegistry } from "../../registry/index.ts";
import type { PluginRuntime } from "../../runtimes/runtime.ts";

interface FoundNeeds {
  runtimes: readonly Pick<PluginRuntime, "id" | "found" | "displayName">[];
  registry: Pick<PluginRegistry, "list">;
}

/**
 * The plugins that other programs on this computer have, in the order in which those load them. A system whose
 * installation cannot be read has a problem; the others answer all the same.
 */
export async function foundHere({ runtimes, registry }: FoundNeeds, signal: AbortSignal): Promise<FoundHere> {
  const installed = await installedFrom(registry);
  const answers = await Promise.all(
    runtimes.map(async (runtime): Promise<FoundHere> => {
      if (!runtime.found) return { plugins: [], looked: [] };
      const looked: Looked = { runtime: runtime.id, places: [], problem: null };
      try {
        const { plugins, places, problem } = await runtime.found(signal);
        const found = plugins.map(async (plugin): Promise<FoundPlugin> => {
          const from = [plugin.spec, ...(plugin.dir === null ? [] : [plugin.dir, await real(plugin.dir)])];
          const key = from.map((place) => installed.get(place)).find((one) => one !== undefined);
          return { ...plugin, runtime: runtime.id, installed: key ?? null };
        });
        return { plugins: await Promise.all(found), looked: [{ ...looked, places: [...places], problem }] };
      } catch (error) {
        signal.throwIfAborted();
        return { plugins: [], looked: [{ ...looked, problem: toProblem(error).message }] };
      }
    }),
  );
  const all = {
    plugins: answers.flatMap(({ plugins }) => plugins),
    looked: answers.flatMap((one) => one.looked),
  };
  return { ...all, plugins: all.plugins.map((plugin) => shown(plugin)) };
}

/** Its texts come from somebody else's files; paths and the spec stay as they are, because they are used. */
function shown(plugin: FoundPlugin): FoundPlugin {
  const { key, name, version, description, theirs, reason } = plugin;
  return { ...plugin, ...cleanDeep({ key, name, version, description, theirs, reason }, cleanLine) };
}

/** What is installed, by the folder or spec that it came from. */
async function installedFrom(registry: FoundNeeds["registry"]): Promise<Map<string, string>> {
  const byPlace = new Map<string, string>();
  for (const { manifestKey, source, artifact } of registry.list()) {
    byPlace.set(source.spec, manifestKey);
    if (source.kind === "folder" || source.kind === "link") {
      const dir = source.spec.replace(/[/\\]+$/, "");
      byPlace.set(dir, manifestKey).set(await real(dir), manifestKey);
    }
    if (source.kind === "link" && artifact.kind === "folder" && artifact.file === undefined)
      byPlace.set(artifact.dir, manifestKey);
  }
  return byPlace;
}

const real = (dir: string) => realpath(dir).catch(() => dir);
