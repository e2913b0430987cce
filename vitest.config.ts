import { defineConfig } from "vitest/config";
import { mirrored } from "./scripts/mirrored.ts";
import { LongestFirst } from "./scripts/test/longest-first.ts";

/** How long what a test waits for may take: one second, vitest's own limit, is less than a busy machine stalls. */
const patient = { poll: { timeout: 15_000 } };

/**
 * Unit tests stand beside the code (`src/**`, `packages/**`, `plugins/**`); integration tests with real processes,
 * registries and servers stand in `test/`. Both need the bundles: `npm run build` first.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "unit",
          include: ["{src,packages,plugins}/**/*.test.ts"],
          exclude: ["**/node_modules/**", "src/renderer/**"],
          testTimeout: 20_000,
          expect: patient,
        },
      },
      {
        define: mirrored,
        test: { name: "renderer", include: ["src/renderer/**/*.test.{ts,tsx}"], environment: "node" },
      },
      {
        test: {
          name: "integration",
          include: ["test/**/*.test.ts"],
          setupFiles: ["test/support/own-environment.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: patient,
          // Most of their time is spent waiting; more than two at once would take each other's cores.
          maxWorkers: 2,
        },
      },
    ],
  },
});
