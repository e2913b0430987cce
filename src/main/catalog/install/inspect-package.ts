import { isDeepStrictEqual } from "node:util";
import { type Artifact, PatchbayError, pluginKeySchema } from "../../../contract/index.ts";
import type { Inspection, PluginRuntime } from "../../runtimes/runtime.ts";
import { cleanInspection } from "./clean-inspection.ts";

/**
 * Asks the runtime that recognises the artifact what the plugin declares.
 * @throws PatchbayError NOT_A_PLUGIN when no runtime recognises it; also what the runtime's `inspect` throws.
 */
export async function inspectPackage(
  artifact: Artifact,
  runtimes: readonly PluginRuntime[],
  signal: AbortSignal,
): Promise<{ inspection: Inspection; runtime: PluginRuntime }> {
  const runtime = await recognise(artifact, runtimes);
  const inspection = cleanInspection(await runtime.inspect(artifact, signal));
  if (!pluginKeySchema.safeParse(inspection.manifestKey).success) {
    throw new PatchbayError("MANIFEST_INVALID", `“${inspection.manifestKey}” is not a valid plugin key.`);
  }
  return { inspection, runtime };
}

/** @throws PatchbayError MANIFEST_CHANGED when the two inspections differ. */
export function assertUnchanged(before: Inspection, after: Inspection): void {
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
  for (const runtime of runtimes) if (await runtime.recognise(artifact)) return runtime;
  throw new PatchbayError(
    "NOT_A_PLUGIN",
    "The package holds no plugin: nothing in it is written for a plugin system that Patchbay knows.",
  );
}

/**
 * The inspection without fields that are `undefined`: one of the two was sent through a process, which removes them.
 */
function plain(inspection: Inspection): unknown {
  return JSON.parse(JSON.stringify(inspection));
}
