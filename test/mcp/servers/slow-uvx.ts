import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A server that `uvx` would fetch first. */
export const fetchedServer = {
  type: "program",
  command: "uvx",
  args: ["acme@1.0.0", { place: "plugin" }],
  env: {},
  cwd: "workspace",
};

/** Writes a `uvx` into a folder that stands for one which downloads: it answers once a file `go` lies in the plugin's folder. */
export async function writeSlowUvx(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const waits = '#!/bin/sh\nuntil [ -e "$2/go" ]; do sleep 0.1; done\n';
  const told = await readFile(join(import.meta.dirname, "told.sh"), "utf8");
  await writeFile(join(folder, "uvx"), waits + told, { mode: 0o755 });
}
