import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";
import type { Plugin } from "vite";
import { inlineFirst } from "./scripts/inline-first.ts";
import { mirrored } from "./scripts/mirrored.ts";

const at = (path: string) => resolve(import.meta.dirname, path);

/** Names and licences of what Patchbay is made with, for the screen that tells about it. */
function libraries(): [name: string, licence: string][] {
  const { packages } = JSON.parse(readFileSync(at("package-lock.json"), "utf8"));
  return Object.keys(packages[""].dependencies).map((name) => [
    name,
    packages[`node_modules/${name}`].license,
  ]);
}

/**
 * What home is drawn with comes in three files. Left alone, the bundler makes one file of everything that home shares with any
 * other screen: more than fifty, each asked for by itself.
 */
const homeInThreeFiles = [
  { name: "react", test: /node_modules\/(react|react-dom|scheduler)\//, priority: 3 },
  {
    name: "libraries",
    test: /node_modules\/(@floating-ui|@radix-ui|@tanstack|aria-hidden|i18next|lucide-react|react-remove-scroll|react-router|tslib)\//,
    priority: 2,
  },
  { name: "home", test: /src\/renderer\/(main|app)\.tsx$/, priority: 1 },
];

/**
 * Most of what these hold runs in the first drawing. Chromium then compiles it while it is being fetched, beside the page's own
 * work, and not function by function in the middle of that drawing.
 */
const compiledWhole = new Set(["react", "home"]);
const compileWhole: Plugin = {
  name: "compile-whole",
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === "chunk" && compiledWhole.has(file.name))
          file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
    },
  },
};

export default defineConfig({
  main: {
    build: {
      externalizeDeps: { exclude: ["@patchbay/plugin-sdk", "@patchbay/janet"] },
      rollupOptions: {
        input: {
          index: at("src/main/index.ts"),
          host: at("src/main/runtimes/native/host/index.ts"),
          dirge: at("src/main/runtimes/dirge/host/index.ts"),
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
    plugins: [react(), tailwindcss(), inlineFirst(at("src/renderer/first.ts")), compileWhole],
    define: { __LIBRARIES__: JSON.stringify(libraries()), ...mirrored },
    build: {
      minify: "oxc",
      rollupOptions: {
        input: at("src/renderer/index.html"),
        output: {
          codeSplitting: { groups: homeInThreeFiles },
        },
      },
    },
  },
});
