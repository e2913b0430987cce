/** The walls of docs/architecture.md, as rules. `npm run walls` checks them. */
const forbid = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });
const janet = "^packages/janet/";
const tests = "\\.test\\.tsx?$";

/**
 * The rooms of `src/main`, from the ground up. A room imports only from rooms below it: neither from those above nor from
 * its neighbours on the same line. Types count as imports.
 */
const mainLayers = [
  ["base"],
  ["platform"],
  ["store", "languages"],
  ["secrets"],
  ["authority"],
  ["runtimes"],
  ["registry"],
  ["permissions"],
  ["pool"],
  ["catalog", "holds", "agents", "setup"],
  ["agent-plugins"],
  ["removed"],
  ["views"],
  ["diagnostics"],
  ["rpc"],
  ["mcp-server"],
  ["gateway"],
  ["app"],
  ["shell"],
];

/** The rooms of `src/renderer`, from the ground up; `app.tsx` and `main.tsx` stand on top. */
const rendererLayers = [["base"], ["store"], ["model"], ["ui"], ["features"], ["pages"], ["shell"]];

function layered(root, layers) {
  return layers.flatMap((layer, index) =>
    layer.map((room) => {
      const above = layers.slice(index + 1).flat();
      const beside = layer.filter((other) => other !== room);
      return forbid(
        `${root.split("/").at(-1)}-${room}-imports-only-what-lies-below`,
        `In ${root} a room knows the rooms below it alone.`,
        { path: `^${root}/${room}/`, pathNot: tests },
        { path: [`^${root}/(${[...above, ...beside, "-"].join("|")})/`, `^${root}/[^/]+\\.tsx?$`] },
      );
    }),
  );
}

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    forbid(
      "no-cycles",
      "A circle hides which module owns what; one of types alone does, too.",
      { pathNot: janet },
      { circular: true },
    ),
    forbid(
      "no-cycles-at-run-time-in-janet",
      "The types of a language's values name each other, as the values hold each other; what runs still has an order.",
      { path: janet },
      { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    ),
    // A folder's own files may lie under and over its sub-folders (its ports, and what puts it together): that is no circle.
    {
      ...forbid(
        "no-cycles-between-folders",
        "Two folders that need each other are one folder, or a piece of one of them lies in the wrong place.",
        { pathNot: janet },
        { circular: true },
      ),
      scope: "folder",
    },
    ...layered("src/main", mainLayers),
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
      "programs-are-started-by-the-platform",
      "Whatever is started has its group ended with it, also when the app dies; only the platform's room knows how.",
      { path: "^src/", pathNot: ["^src/main/platform/", tests] },
      { path: "^(node:)?child_process$" },
    ),
    forbid(
      "files-are-known-to-the-store-alone",
      "Files are one adapter of the store; everybody else goes through its port.",
      { pathNot: "^src/main/store/" },
      { path: "^src/main/store/files/" },
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
    ...layered("src/renderer", rendererLayers),
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
      "what-runtimes-share-knows-none-of-them",
      "The files beside runtime.ts are for all plugin systems alike.",
      { path: "^src/main/runtimes/[^/]+\\.ts$", pathNot: tests },
      { path: "^src/main/runtimes/[^/]+/", pathNot: "^src/main/runtimes/hosted/" },
    ),
    forbid(
      "native-is-known-to-app-alone",
      "What native's manifest and settings look like is its own matter; everybody else goes through PluginRuntime.",
      { path: "^src/", pathNot: ["^src/main/(app|runtimes/native)/", tests] },
      { path: "^src/main/runtimes/native/" },
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
