import { isDeepStrictEqual } from "node:util";
import { type Artifact, PatchbayError, pluginKeySchema } from "../../../contract/index.ts";
import type { Attempt } from "../../platform/walls/wall.ts";
import { readLocales } from "../../runtimes/plugin-locales.ts";
import type { Inspection, PluginRuntime, Undescribed } from "../../runtimes/runtime.ts";
import { checkLooks } from "./check-looks.ts";
import { cleanInspection, cleanUndescribed } from "./clean-inspection.ts";

/**
 * Asks the runtime that recognises the artifact what the package's files say of the plugin. Nothing of it runs.
 * @throws PatchbayError NOT_A_PLUGIN when no runtime recognises it; also what the runtime's `inspect` throws.
 */
export async function inspectPackage(
  artifact: Artifact,
  runtimes: readonly PluginRuntime[],
  signal: AbortSignal,
): Promise<{ found: Inspection | Undescribed; runtime: PluginRuntime }> {
  const runtime = await recognise(artifact, runtimes);
  const found = await runtime.inspect(artifact, signal);
  return { found: isInspection(found) ? await checked(found, artifact) : cleanUndescribed(found), runtime };
}

/**
 * Asks the plugin's code what it is, behind walls. Only for packages that the person has agreed to start for that.
 * @throws PatchbayError NOT_A_PLUGIN when its system has no such question; also what the runtime's `look` throws.
 */
export async function lookAt(
  artifact: Artifact,
  runtime: PluginRuntime,
  signal: AbortSignal,
  refused?: (attempt: Attempt) => void,
): Promise<Inspection> {
  if (!runtime.look) throw new PatchbayError("NOT_A_PLUGIN", "The package does not say what plugin it is.");
  return checked(await runtime.look(artifact, signal, refused), artifact);
}

export function isInspection(found: Inspection | Undescribed): found is Inspection {
  return "manifestKey" in found;
}

/**
 * The inspection with clean texts, and with what the package brings of them in other languages. @throws PatchbayError MANIFEST_INVALID when it has no valid key, or disguises itself
 * as something that comes with Patchbay
 */
async function checked(found: Inspection, artifact: Artifact): Promise<Inspection> {
  const inspection = cleanInspection(await translated(found, artifact));
  const { manifestKey } = inspection;
  if (pluginKeySchema.safeParse(manifestKey).success) return checkLooks(inspection);
  throw new PatchbayError("MANIFEST_INVALID", `“${manifestKey}” is not a valid plugin key.`);
}

async function translated(found: Inspection, artifact: Artifact): Promise<Inspection> {
  if (artifact.kind !== "folder") return found;
  const { words, warnings } = await readLocales(artifact.dir);
  return {
    ...found,
    declaration: { ...found.declaration, ...(Object.keys(words).length > 0 && { words }) },
    warnings: [...found.warnings, ...warnings],
  };
}

/** @throws PatchbayError MANIFEST_CHANGED when the two inspections differ. */
export function assertUnchanged(before: Inspection, after: Inspection | Undescribed): void {
  if (isDeepStrictEqual(plain(before), plain(after))) return;
  throw new PatchbayError(
    "MANIFEST_CHANGED",
    `${before.displayName} describes itself differently each time it is read.`,
    {
      help: "Its author must correct it; nothing was installed.",
      details: { before: plain(before), after: plain(after) },
    },
  );
}

async function recognise(artifact: Artifact, runtimes: readonly PluginRuntime[]): Promise<PluginRuntime> {
  const isFile = artifact.kind === "folder" && artifact.file !== undefined;
  // Beside a single file lies what is not the plugin's, and might be taken for another one.
  const asked = isFile ? runtimes.filter(({ fileEnding }) => fileEnding !== undefined) : runtimes;
  for (const runtime of asked) if (await runtime.recognise(artifact)) return runtime;
  throw new PatchbayError(
    "NOT_A_PLUGIN",
    "The package holds no plugin: nothing in it is written for a plugin system that Patchbay knows.",
  );
}

/**
 * The inspection without fields that are `undefined`: one of the two was sent through a process, which removes them.
 */
function plain(inspection: Inspection | Undescribed): unknown {
  return JSON.parse(JSON.stringify(inspection));
}
