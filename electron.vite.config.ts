import { resolve } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";

const at = (path: string) => resolve(import.meta.dirname, path);

export default defineConfig({
  main: {
    build: {
      externalizeDeps: { exclude: ["@patchbay/plugin-sdk"] },
      rollupOptions: {
        input: {
          index: at("src/main/index.ts"),
          host: at("src/main/host/index.ts"),
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
    build: { minify: "oxc", rollupOptions: { input: at("src/renderer/index.html") } },
  },
});
