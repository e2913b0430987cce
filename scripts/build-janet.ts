import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";

const root = resolve(import.meta.dirname, "..");

/** Bundles the command line of the Janet engine into one file: read as hundreds of files it starts several times slower. */
export async function buildJanet(target: string): Promise<void> {
  await rm(target, { recursive: true, force: true });
  const bundle = await rolldown({
    input: join(root, "packages/janet/src/cli/main.ts"),
    platform: "node",
    cwd: root,
    logLevel: "warn",
    external: (id) => id.startsWith("node:"),
  });
  await bundle.write({ file: join(target, "cli.js"), format: "esm", codeSplitting: false });
  await bundle.close();
}

if (import.meta.main) await buildJanet(join(root, "out/janet"));
