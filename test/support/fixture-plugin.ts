import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

export interface FixturePlugin {
  name?: string;
  version?: string;
  key?: string;
  namespace?: string;
  /** Further fields of package.json: dependencies, scripts, … */
  packageFile?: Record<string, unknown>;
  /** Further fields of the manifest. */
  manifest?: Record<string, unknown>;
  /** Further files by path. */
  files?: Record<string, string>;
  /** Put before the manifest's module: imports, side effects. */
  prelude?: string;
}

/** Writes a plugin to the base contract alone, with one tool `echo`, into `dir`. */
export async function writePlugin(dir: string, plugin: FixturePlugin = {}): Promise<string> {
  const key = plugin.key ?? "echo";
  const packageFile = {
    name: plugin.name ?? `patchbay-plugin-${key}`,
    version: plugin.version ?? "1.0.0",
    description: "Says what it is told.",
    type: "module",
    exports: "./index.js",
    keywords: ["patchbay-plugin"],
    ...plugin.packageFile,
  };
  const namespace = plugin.namespace ?? key.replaceAll("-", "_");
  await writeFiles(dir, {
    "package.json": `${JSON.stringify(packageFile, null, 2)}\n`,
    "index.js": manifestModule(key, namespace, plugin),
    ...plugin.files,
  });
  return dir;
}

export async function writeFiles(dir: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
}

function manifestModule(key: string, namespace: string, plugin: FixturePlugin): string {
  const head = {
    manifestVersion: 1,
    key,
    displayName: "Echo",
    description: "Says what it is told.",
    ...plugin.manifest,
  };
  return `${plugin.prelude ?? ""}
const echo = {
  name: "echo",
  description: "Says the text back.",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  readOnly: true,
  execute: async (input) => ({ content: [{ type: "text", text: String(input.text) }] }),
};
export default {
  ...${JSON.stringify(head)},
  tools: {
    namespace: ${JSON.stringify(namespace)},
    start: async () => ({
      toolsets: [{ id: "echo", description: "Says things back.", tools: [echo] }],
      stop: async () => {},
    }),
  },
};
`;
}
