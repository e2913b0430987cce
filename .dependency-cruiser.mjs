/** The walls of docs/architecture.md, as rules. `npm run walls` checks them. */
const forbid = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });
const tests = "\\.test\\.tsx?$";

/** The rooms of the renderer, from the ground up. Imports only go down; `app.tsx` and `main.tsx` stand on top. */
const rendererLayers = ["base", "store", "model", "ui", "features", "pages", "shell"];
const noArrowUp = rendererLayers.map((layer, at) =>
  forbid(
    `renderer-${layer}-imports-down`,
    `The rooms of the renderer from the ground up are ${rendererLayers.join(", ")}; an import only goes down.`,
    { path: `^src/renderer/${layer}/` },
    {
      path: `^src/renderer/(${[...rendererLayers.slice(at + 1).map((above) => `${above}/`), "[^/]+$"].join("|")})`,
    },
  ),
);

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    forbid(
      "no-cycles",
      "A cycle hides which module owns what.",
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    ),
    forbid(
      "contract-stands-alone",
      "The contract is the language of both sides; it imports zod and the RPC contract library, nothing else.",
      { path: "^src/contract/", pathNot: tests },
      { pathNot: ["^src/contract/", "node_modules/zod/", "node_modules/@orpc/contract/"] },
    ),
    forbid(
      "electron-only-in-the-shell",
      "The core is plain Node; only the shell, the entry and the preload know Electron.",
      { path: "^src/", pathNot: "^src/(main/shell/|main/index\\.ts$|preload/)" },
      { path: ["^electron$", "node_modules/electron/"] },
    ),
    forbid(
      "core-does-not-import-its-shell",
      "Services are wired by app.ts and never reach for a shell.",
      { path: "^src/main/", pathNot: "^src/main/(shell/|index\\.ts$)" },
      { path: "^src/main/shell/" },
    ),
    forbid(
      "renderer-knows-the-contract-alone",
      "The renderer never imports main or Node.",
      { path: "^src/renderer/", pathNot: tests },
      { path: ["^src/(main|cli|preload)/", "^packages/", "^plugins/"] },
    ),
    ...noArrowUp,
    forbid(
      "renderer-has-no-circle",
      "In the renderer a circle of types is a circle, too.",
      { path: "^src/renderer/" },
      { circular: true },
    ),
    forbid(
      "features-meet-in-public",
      "A feature uses another one through its public.ts alone.",
      { path: "^src/renderer/features/([^/]+)/" },
      {
        path: "^src/renderer/features/([^/]+)/",
        pathNot: ["^src/renderer/features/$1/", "^src/renderer/features/[^/]+/public\\.ts$"],
      },
    ),
    forbid(
      "pages-do-not-know-each-other",
      "A screen is one folder; what two of them share is a feature.",
      { path: "^src/renderer/pages/([^/]+)/" },
      { path: "^src/renderer/pages/([^/]+)/", pathNot: "^src/renderer/pages/$1/" },
    ),
    forbid(
      "renderer-has-no-node",
      "The renderer never imports Node.",
      { path: "^src/renderer/", pathNot: tests },
      { dependencyTypes: ["core"] },
    ),
    forbid(
      "preload-stands-alone",
      "The preload hands over one port and nothing else.",
      { path: "^src/preload/" },
      { path: "^(src/(?!preload/)|packages/|plugins/)" },
    ),
    forbid(
      "runtimes-do-not-know-each-other",
      "One folder a plugin system; what they share is runtime.ts and the kit for hosts, which knows none of them.",
      { path: "^src/main/runtimes/([^/]+)/" },
      { path: "^src/main/runtimes/([^/]+)/", pathNot: "^src/main/runtimes/($1|hosted)/" },
    ),
    forbid(
      "plugins-know-the-sdk-alone",
      "First-party plugins are written as anybody's would be.",
      { path: "^plugins/" },
      { path: ["^src/", "^packages/(?!plugin-sdk/)"] },
    ),
    forbid(
      "sdk-stands-alone",
      "Plugin authors get types without the app.",
      { path: "^packages/plugin-sdk/" },
      { path: ["^src/", "^plugins/"] },
    ),
    forbid(
      "janet-stands-alone",
      "The Janet engine is usable without the app.",
      { path: "^packages/janet/" },
      { path: ["^src/", "^plugins/", "^packages/(?!janet/)"] },
    ),
    forbid(
      "cli-through-the-contract",
      "The command line uses the core through app.ts, the gateway and the contract.",
      { path: "^src/cli/", pathNot: tests },
      { path: "^src/(renderer|preload)/" },
    ),
    forbid(
      "nothing-imports-tests",
      "Test code stays in tests.",
      { pathNot: [tests, "^(test|e2e|bench)/", "/test/"] },
      { path: [tests, "^(test|e2e|bench)/"] },
    ),
    forbid(
      "everything-resolves",
      "An import that resolves to nothing breaks at run time.",
      {},
      { couldNotResolve: true },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(out|docs)/" },
    parser: "swc",
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "node", "default"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".cjs", ".json", ".css"],
    },
  },
};
