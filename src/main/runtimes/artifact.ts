import { basename } from "node:path";
import { type Artifact, PatchbayError } from "../../contract/index.ts";

/**
 * The folder of an artifact, for plugin systems whose plugins are always folders.
 * @throws PatchbayError NOT_A_PLUGIN for an endpoint
 */
export function folderOf(artifact: Artifact): string {
  if (artifact.kind === "folder") return artifact.dir;
  throw new PatchbayError("NOT_A_PLUGIN", `There are no files at ${artifact.url}.`);
}

/** What the folder of an artifact was called where it came from. @throws PatchbayError NOT_A_PLUGIN for an endpoint */
export function folderName(artifact: Artifact): string {
  const dir = folderOf(artifact);
  return artifact.kind === "folder" ? (artifact.name ?? basename(dir)) : basename(dir);
}
