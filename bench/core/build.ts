import { existsSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { root } from "./paths.ts";

/** Bundles the core as `electron-vite build` does: our own code in one file, libraries outside. */
export async function buildCore(): Promise<void> {
  if (!existsSync(join(root, "out/main/host.js"))) {
    throw new Error("There is no build to measure. Run `npm run build` first.");
  }
  const bundle = await rolldown({
    input: join(root, "bench/core/entry.ts"),
    cwd: root,
    platform: "node",
    logLevel: "warn",
    external: (id) => !id.startsWith(".") && !id.startsWith("/") && !id.startsWith("@patchbay/"),
  });
  await bundle.write({
    dir: join(root, "out/bench"),
    format: "esm",
    entryFileNames: "core.js",
    chunkFileNames: "[name].js",
  });
  await bundle.close();
}
