import {
  type Artifact,
  type Asks,
  asksOf,
  type Capabilities,
  PatchbayError,
} from "../../../contract/index.ts";
import { folderName, folderOf } from "../artifact.ts";
import { patchbayKeyOf } from "../hosted/foreign/keys.ts";
import { secretKeysOf, variablesOf } from "../hosted/foreign/variables.ts";
import type { Inspection } from "../inspection.ts";
import type { DirgeDetails } from "./details.ts";
import { idOf, sourcesIn } from "./discovery/files.ts";
import { eventsOf } from "./hooks/event-map.ts";
import { insightsOf } from "./risk.ts";
import { settingsSchemaOf, settingsWords } from "./settings.ts";
import { readSources } from "./source/read-sources.ts";
import { type ScannedSource, scanSource } from "./source/scan.ts";

/**
 * Where the source files of a plugin are, in the order in which they are loaded.
 * @throws PatchbayError NOT_A_PLUGIN when there are none
 */
export async function sourceOf(artifact: Artifact): Promise<{ dir: string; files: string[] }> {
  const dir = folderOf(artifact);
  if (artifact.kind === "folder" && artifact.file !== undefined) return { dir, files: [artifact.file] };
  const files = await sourcesIn(dir);
  if (files.length > 0) return { dir, files };
  throw new PatchbayError("NOT_A_PLUGIN", "Its folder holds no file that ends in .janet.");
}

/**
 * Reads what a plugin of dirge will do, from its source. Nothing of it runs.
 *
 * @param stands whether walls hold it to what is granted on this machine
 * @throws PatchbayError NOT_A_PLUGIN, MANIFEST_INVALID when a file is no Janet or all are too large
 */
export async function inspectDirge(artifact: Artifact, stands: boolean): Promise<Inspection> {
  const { dir, files } = await sourceOf(artifact);
  const id = idOf(folderName(artifact));
  const found = await scanSource(id, await readSources(id, dir, files));
  const [problem] = found.problems;
  if (problem !== undefined)
    throw new PatchbayError(
      "MANIFEST_INVALID",
      `${id} cannot be read: ${problem}. Its author must correct it.`,
    );
  const key = patchbayKeyOf(id);
  const variables = variablesOf(found.variables);
  const details: DirgeDetails = { id, files, reaches: found.reaches };
  return {
    runtime: "dirge",
    manifestKey: key,
    packageName: id,
    packageVersion: "0",
    displayName: id,
    description: found.description,
    capabilities: capabilitiesOf(key, found),
    declaration: {
      configSchema: settingsSchemaOf(variables),
      words: settingsWords,
      defaultConfig: null,
      secretKeys: secretKeysOf(variables),
      requiredHooks: [],
      registersMore: true,
      details,
    },
    consent: asksFor(found, stands),
    warnings: warningsOf(found),
  };
}

/** What the badges show. */
function capabilitiesOf(key: string, found: ScannedSource): Capabilities {
  const { tools, commands, providers, shortcuts, hooks, dynamic } = found;
  const events = eventsOf(hooks);
  const rest: Capabilities = {
    ...(events.length > 0 && { hooks: { events } }),
    ...(commands.length > 0 && { commands: { names: commands } }),
    ...(providers.length > 0 && { providers: { names: providers } }),
    ...(shortcuts.length > 0 && { shortcuts: { names: shortcuts } }),
  };
  // Every plugin has something; one that nothing is known of most likely has hooks.
  const nothing = tools.length === 0 && Object.keys(rest).length === 0;
  return {
    ...(tools.length > 0 && { tools: { namespace: key, count: tools.length, names: tools } }),
    ...(nothing && (dynamic ? { tools: { namespace: key } } : { hooks: { events: [] } })),
    ...rest,
  };
}

/** What it asks for: exactly what its source reaches. Code that is made at run time gets no more. */
function asksFor({ reaches, hosts, hooks }: ScannedSource, stands: boolean): Asks {
  const reached = new Set(reaches);
  return {
    ...asksOf(null),
    declared: true,
    enforced: stands,
    hosts: reached.has("network") ? (hosts ?? "any") : [],
    files: reached.has("writeFiles") ? "workspace" : reached.has("readFiles") ? "read" : "none",
    programs: reached.has("subprocess"),
    insights: insightsOf(hooks),
  };
}

function warningsOf({ dynamic, hooks, tools, commands, shortcuts, providers }: ScannedSource): string[] {
  if (dynamic)
    return [
      "Part of what it does cannot be read from its source: it makes names or code while it runs. It gets no more than what is listed here.",
    ];
  const parts = [hooks, tools, commands, shortcuts, providers];
  if (parts.some((part) => part.length > 0)) return [];
  return ["It has no function for a hook that dirge knows, and registers nothing: it would do nothing."];
}
