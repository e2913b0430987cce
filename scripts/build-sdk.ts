import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";

const root = resolve(import.meta.dirname, "..");
const source = join(root, "packages/plugin-sdk/src");

/** Bundles what plugins import of the SDK while they run: Patchbay gives it to them. Imports nothing but Node. */
export async function buildSdk(target: string): Promise<void> {
  await rm(target, { recursive: true, force: true });
  const bundle = await rolldown({
    input: {
      index: join(source, "index.ts"),
      channel: join(source, "channel/index.ts"),
      "channel-settings": join(source, "channel/settings.ts"),
      describe: join(source, "describe/index.ts"),
    },
    platform: "node",
    cwd: root,
    logLevel: "warn",
    external: (id) => id.startsWith("node:"),
  });
  await bundle.write({ dir: target, format: "esm", chunkFileNames: "shared-[hash].js" });
  await bundle.close();
}

if (import.meta.main) await buildSdk(join(root, "out/main/sdk"));
