import { defineConfig } from "vitest/config";
import { mirrored } from "./scripts/mirrored.ts";
import { LongestFirst } from "./scripts/test/longest-first.ts";

/** How long what a test waits for may take: one second, vitest's own limit, is less than a busy machine stalls. */
const patient = { poll: { timeout: 15_000 } };

/**
 * Unit tests stand beside the code (`src/**`, `packages/**`, `plugins/**`); integration tests with real processes,
 * registries and servers stand in `test/`. Both need the bundles: `npm run build` first. Their files share processes
 * (`isolate: false`): loading what they test for each would be most of the work of the former, and a sixth of that of the latter.
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
          setupFiles: ["test/support/own-environment.ts"],
          isolate: false,
          maxWorkers: 2,
          testTimeout: 20_000,
          expect: patient,
        },
      },
      {
        define: mirrored,
        test: {
          name: "renderer",
          include: ["src/renderer/**/*.test.{ts,tsx}"],
          environment: "node",
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: "integration",
          include: ["test/**/*.test.ts"],
          setupFiles: ["test/support/own-environment.ts"],
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: patient,
          // On two cores: each waits for processes and servers for a third of its time.
          maxWorkers: 3,
          // Vitest runs projects with different numbers of workers after each other, and wants to be told in which order.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
