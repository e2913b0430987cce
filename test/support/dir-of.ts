import type { PluginVersion } from "../../src/contract/index.ts";
import { folderOf } from "../../src/main/runtimes/artifact.ts";

/** The folder of an installed plugin; empty when there is none. */
export function dirOf(plugin: Pick<PluginVersion, "artifact"> | undefined): string {
  return plugin ? folderOf(plugin.artifact) : "";
}
