import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";
import { mirrored } from "./scripts/mirrored.ts";

const at = (path: string) => resolve(import.meta.dirname, path);

/** Names and licences of what Patchbay is made with, for the screen that tells about it. */
function libraries(): [name: string, licence: string][] {
  const read = (path: string) => JSON.parse(readFileSync(at(path), "utf8"));
  return Object.keys(read("package.json").dependencies).map((name) => [
    name,
    read(`node_modules/${name}/package.json`).license,
  ]);
}

export default defineConfig({
  main: {
    build: {
      externalizeDeps: { exclude: ["@patchbay/plugin-sdk"] },
      rollupOptions: {
        input: {
          index: at("src/main/index.ts"),
          host: at("src/main/runtimes/native/host/index.ts"),
          fetch: at("src/main/catalog/fetch/index.ts"),
          cli: at("src/cli/index.ts"),
          wasm: at("src/main/runtimes/fledge/wasm/worker.ts"),
        },
        output: { format: "es" },
      },
    },
  },
  preload: {
    build: {
      rollupOptions: {
        input: { index: at("src/preload/index.ts") },
        output: { format: "cjs", entryFileNames: "[name].cjs" },
      },
    },
  },
  renderer: {
    root: at("src/renderer"),
    plugins: [react(), tailwindcss()],
    define: { __LIBRARIES__: JSON.stringify(libraries()), ...mirrored },
    build: { minify: "oxc", rollupOptions: { input: at("src/renderer/index.html") } },
  },
});
