import type { PluginVersion } from "../../contract/index.ts";

/** The folder of a version that Patchbay placed and may remove; null for a linked folder and for an endpoint. */
export function ownFolder({ artifact, source }: Pick<PluginVersion, "artifact" | "source">): string | null {
  return artifact.kind === "folder" && source.kind !== "link" ? artifact.dir : null;
}
