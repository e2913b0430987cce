import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";
import type { Plugin } from "vite";
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

/**
 * What home is drawn with comes in two files: the way to the core, which begins to talk at once, and the rest. Left alone, the
 * bundler makes one file of everything that home shares with any other screen: more than fifty, each asked for by itself.
 */
const homeInTwoFiles = [
  { name: "core", test: /src\/renderer\/start\.ts$/, priority: 2 },
  { name: "home", test: /src\/renderer\/(main|app)\.tsx$/, priority: 1 },
];

/** The file that talks to the core runs as soon as it is there: no style sheet and no other file has to come first. */
const coreFirst: Plugin = {
  name: "core-first",
  transformIndexHtml: {
    order: "post",
    handler: (html) => html.replace(/<script type="module"(?=[^>]*\/core-)/, '<script type="module" async'),
  },
};

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
    plugins: [react(), tailwindcss(), coreFirst],
    define: { __LIBRARIES__: JSON.stringify(libraries()), ...mirrored },
    build: {
      minify: "oxc",
      rollupOptions: {
        input: at("src/renderer/index.html"),
        output: { codeSplitting: { groups: homeInTwoFiles } },
      },
    },
  },
});
