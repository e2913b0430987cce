import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FledgeManifest } from "./manifest/plugin-toml.ts";

/**
 * The commands that fledge uses when a plugin has no build hook, by a file in its folder. npm is not among them,
 * because npm packages are fetched when the plugin is installed.
 */
const automatic: [file: string, command: string][] = [
  ["Cargo.toml", "cargo build --release"],
  ["Package.swift", "swift build -c release"],
  ["go.mod", "go build ."],
];

/** The command that builds a plugin, or null when nothing has to be built. */
export async function buildOf(dir: string, manifest: Pick<FledgeManifest, "hooks">): Promise<string | null> {
  return manifest.hooks.build ?? automatic.find(([file]) => existsSync(join(dir, file)))?.[1] ?? null;
}
