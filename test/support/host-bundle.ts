import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "vite";
import { buildSdk } from "../../scripts/build-sdk.ts";

/** Bundles the plugin host as it is now into a folder of its own, for tests that run real plugins. */
export async function buildHostBundle(): Promise<{ dir: string; remove(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), "patchbay-host-"));
  const root = resolve(import.meta.dirname, "../..");
  await build({
    root,
    configFile: false,
    logLevel: "error",
    build: {
      ssr: true,
      outDir: dir,
      emptyOutDir: true,
      target: "node24",
      rollupOptions: {
        input: { host: join(root, "src/main/runtimes/native/host/index.ts") },
        output: { format: "es", entryFileNames: "[name].js" },
      },
    },
    ssr: { noExternal: ["@patchbay/plugin-sdk"] },
  });
  await buildSdk(join(dir, "sdk"));
  await writeFile(join(dir, "package.json"), '{"type":"module"}');
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) };
}

export function fixturePlugin(name: string): string {
  return resolve(import.meta.dirname, "../fixtures/plugins", name);
}
