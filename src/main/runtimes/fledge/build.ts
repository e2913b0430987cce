import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FledgeManifest } from "./manifest/plugin-toml.ts";

/** Builds that fledge does by itself where no hook says how. Packages of npm are fetched with the plugin anyway. */
const automatic: [file: string, command: string][] = [
  ["Cargo.toml", "cargo build --release"],
  ["Package.swift", "swift build -c release"],
  ["go.mod", "go build ."],
];

/** The command that builds a plugin, or null when nothing has to be built. */
export async function buildOf(dir: string, manifest: Pick<FledgeManifest, "hooks">): Promise<string | null> {
  return manifest.hooks.build ?? automatic.find(([file]) => existsSync(join(dir, file)))?.[1] ?? null;
}
