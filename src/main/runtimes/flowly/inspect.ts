import { access } from "node:fs/promises";
import { join } from "node:path";
import {
  type Asks,
  asksOf,
  type Capabilities,
  type Declaration,
  PatchbayError,
} from "../../../contract/index.ts";
import { patchbayKeyOf } from "../hosted/foreign/keys.ts";
import { secretKeysOf, variablesOf } from "../hosted/foreign/variables.ts";
import type { Inspection } from "../inspection.ts";
import type { FlowlyDetails } from "./details.ts";
import { eventsOf } from "./hooks/event-map.ts";
import { said } from "./manifest/manifest-fields.ts";
import { type FlowlyManifest, readManifest } from "./manifest/read-manifest.ts";
import { type ScannedSource, scanSource } from "./manifest/source-scan.ts";
import { requirementsOf } from "./python/requirements.ts";
import { insightsOf } from "./risk.ts";
import { settingsSchemaOf, settingsWords } from "./settings.ts";

interface Folder {
  dir: string;
  /** What it was called where it came from: a plugin whose manifest has no name is called after it. */
  name: string;
}

/** The name of the script that installs what requirements.txt names. */
export const packagesScript = "python packages";

/**
 * Reads what a plugin of Flowly declares, and what its source registers under literal names. Nothing of it runs.
 *
 * @param stands whether walls hold it to what is granted on this machine
 * @throws PatchbayError NOT_A_PLUGIN, MANIFEST_INVALID
 */
export async function inspectFlowly({ dir, name }: Folder, stands: boolean): Promise<Inspection> {
  const manifest = await manifestIn(dir, name);
  const found = await scanSource(dir);
  const key = patchbayKeyOf(manifest.name);
  const variables = variablesOf(manifest.requiresEnv);
  const details: FlowlyDetails = {
    flowlyKey: manifest.name,
    manifest: {
      name: manifest.name,
      version: manifest.version,
      description: manifest.description,
      author: manifest.author,
      kind: manifest.kind === "backend" ? "backend" : "standalone",
      manifest_version: manifest.manifestVersion,
      requires_env: manifest.requiresEnv,
      provides_tools: manifest.providesTools,
      provides_hooks: manifest.providesHooks,
      provides_web_providers: manifest.providesWebProviders,
    },
  };
  const declaration: Declaration = {
    configSchema: settingsSchemaOf(variables),
    words: settingsWords,
    defaultConfig: null,
    secretKeys: secretKeysOf(variables),
    requiredHooks: [],
    registersMore: true,
    ...(said(manifest.author) !== "" && { publisher: manifest.author }),
    details,
  };
  return {
    runtime: "flowly",
    manifestKey: key,
    packageName: manifest.name,
    packageVersion: versionOf(manifest.version),
    displayName: manifest.name,
    description: said(manifest.description),
    capabilities: capabilitiesOf(key, manifest, found),
    declaration,
    consent: {
      ...asksOf(null),
      enforced: stands,
      insights: insightsOf(namedBy(manifest, found)),
      scripts: scriptsFor(await requirementsOf(dir)),
    },
    warnings: [...manifest.warnings, ...dialect(found)],
  };
}

/** What is run at the installation when the person allows it. */
function scriptsFor(requirements: readonly string[]): Asks["scripts"] {
  if (requirements.length === 0) return [];
  return [{ name: packagesScript, command: `pip install ${requirements.join(" ")}` }];
}

async function manifestIn(dir: string, name: string): Promise<FlowlyManifest> {
  const read = await readManifest(dir, { name });
  switch (read.kind) {
    case "absent":
      throw new PatchbayError("NOT_A_PLUGIN", "There is no plugin.yaml, plugin.yml or plugin.json.");
    case "broken":
      throw read.problem;
    case "manifest":
      break;
  }
  const { manifest } = read;
  if (manifest.kind === "exclusive") {
    throw new PatchbayError(
      "MANIFEST_INVALID",
      `${manifest.name} is of the kind “exclusive”, which is to replace a part of Flowly itself. Neither Flowly nor Patchbay runs such plugins.`,
      { help: "Nothing can be done here. Its author can make it a plugin of the kind “standalone”." },
    );
  }
  await access(join(dir, "__init__.py")).catch((cause: unknown) => {
    throw new PatchbayError(
      "MANIFEST_INVALID",
      `${manifest.name} has no __init__.py, so there is no code that could be loaded. The plugin's author must add it.`,
      { cause },
    );
  });
  return manifest;
}

/** What the badges show: what the manifest lists, and what the source registers under literal names. */
function capabilitiesOf(key: string, manifest: FlowlyManifest, found: ScannedSource): Capabilities {
  const { tools, hooks } = namedBy(manifest, found);
  const web = names(manifest.providesWebProviders, found.webProviders);
  const events = eventsOf(hooks);
  const count = tools.length + (web.length > 0 ? 1 : 0);
  const rest: Capabilities = {
    ...(events.length > 0 && { hooks: { events } }),
    ...(found.commands.length > 0 && { commands: { names: found.commands } }),
    ...(found.skills.length > 0 && {
      skills: { names: found.skills.map((skill) => `${manifest.name}:${skill}`) },
    }),
  };
  // Every plugin has something; one that nothing is known of is most likely to bring tools.
  const bringsTools = count > 0 || found.dynamic || Object.keys(rest).length === 0;
  return {
    ...(bringsTools && { tools: { namespace: key, ...(count > 0 && { count, names: tools }) } }),
    ...rest,
  };
}

/** Flowly's names of hooks and tools: those that the manifest lists, and those that the source registers. */
function namedBy({ providesTools, providesHooks }: FlowlyManifest, found: ScannedSource) {
  return { tools: names(providesTools, found.tools), hooks: names(providesHooks, found.hooks) };
}

function names(declared: readonly unknown[], found: readonly string[]): string[] {
  return [...new Set([...declared.filter((name) => typeof name === "string"), ...found])];
}

/** A version as a folder's name can have it. Flowly takes any text, also none. */
function versionOf(version: string): string {
  const plain = version
    .replace(/[^\w.+-]+/g, "-")
    .replace(/^[-.]+/, "")
    .slice(0, 60);
  return said(plain) || "0";
}

function dialect({ hermes }: ScannedSource): string[] {
  if (hermes.length === 0) return [];
  const called = hermes.map((name) => `ctx.${name}`).join(", ");
  return [
    `It is written for Hermes, whose plugins look the same but can do more: it uses ${called}, which Flowly does not have. Where it needs that, it fails.`,
  ];
}
