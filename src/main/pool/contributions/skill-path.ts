import { realpathSync } from "node:fs";
import { resolve, sep } from "node:path";
import { exactText } from "../../../contract/shown/clean-text.ts";
import type { InstanceContributions } from "../../runtimes/runtime.ts";
import type { Accused, Objection } from "./objections.ts";

/**
 * A skill is a file of the plugin: it was declared, it is there, and all links followed it lies in the plugin's folder. Its
 * path stands as it is in what the model reads, so it is one line in which everything can be seen.
 */
export function skillObjection(
  { name, path }: InstanceContributions["skills"][number],
  { capabilities, artifact, declaration }: Accused,
): Objection | null {
  if (!declaration?.registersMore && !capabilities.skills?.names.includes(name))
    return { why: "the package does not declare it", wall: true };
  if (artifact.kind !== "folder") return { why: "the plugin has no files", wall: true };
  if (/[^\S ]/.test(path) || exactText(path) !== path)
    return { why: "the path of its file holds what cannot be seen", wall: true };
  const outside = { why: "its file lies outside of the plugin's folder", wall: true };
  try {
    const root = realpathSync(artifact.dir);
    const file = resolve(root, path);
    if (!file.startsWith(root + sep)) return outside;
    return realpathSync(file).startsWith(root + sep) ? null : outside;
  } catch {
    return { why: "its file is not there", wall: false };
  }
}

/** Where the text of a skill really lies; nothing when it is gone. */
export function realFile(
  { path }: InstanceContributions["skills"][number],
  { artifact }: Accused,
): { file?: string } {
  if (artifact.kind !== "folder") return {};
  try {
    return { file: realpathSync(resolve(realpathSync(artifact.dir), path)) };
  } catch {
    return {};
  }
}
