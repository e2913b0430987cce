import { realpath } from "node:fs/promises";
import { type FoundHere, type FoundPlugin, type Looked, toProblem } from "../../../contract/index.ts";
import { cleanDeep, cleanLine, exactText } from "../../../contract/shown/clean-text.ts";
import type { PluginRegistry } from "../../registry/index.ts";
import type { FoundElsewhere } from "../../runtimes/found-or-listed.ts";
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
        const found = plugins.map((plugin) => foundHereAs(plugin, runtime.id, { installed, registry }));
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

/** The same with what is installed of it. */
async function foundHereAs(
  plugin: FoundElsewhere["plugins"][number],
  runtime: string,
  { registry, installed }: { registry: FoundNeeds["registry"]; installed: Map<string, string> },
): Promise<FoundPlugin> {
  const from = [plugin.spec, ...(plugin.dir === null ? [] : [plugin.dir, await real(plugin.dir)])];
  const key = from.map((place) => installed.get(place)).find((one) => one !== undefined) ?? null;
  const found = { ...plugin, runtime, installed: key };
  if (!plugin.server || key !== null) return found;
  const { server } = plugin;
  const taken = registry.list().find(({ manifestKey }) => manifestKey === server.key);
  return { ...found, server: { ...server, takenBy: taken?.displayName ?? null } };
}

/** What a person typed or pasted, in the form of what other programs have. */
export async function givenHere(
  plugins: FoundElsewhere["plugins"],
  registry: FoundNeeds["registry"],
): Promise<FoundPlugin[]> {
  const installed = await installedFrom(registry);
  const found = plugins.map((plugin) => foundHereAs(plugin, "mcp", { installed, registry }));
  return (await Promise.all(found)).map((plugin) => shown(plugin));
}

/** Its texts come from somebody else's files; paths and the spec stay as they are, because they are used. */
function shown(plugin: FoundPlugin): FoundPlugin {
  const { key, name, version, description, theirs, reason, server } = plugin;
  const texts = cleanDeep({ key, name, version, description, theirs, reason }, cleanLine);
  if (!server) return { ...plugin, ...texts };
  // A command is shown whole and as it is: what cannot be seen in it is made visible.
  const { notes, inputs, ...rest } = server;
  const clean = cleanDeep({ notes, inputs }, cleanLine);
  return { ...plugin, ...texts, server: { ...rest, ...clean, command: exactText(server.command) } };
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
