import { asksOf, type Plugin } from "../../src/contract/index.ts";

/** A row of the catalogue for a copied package in a folder, with as little in it as a row can have. */
export function pluginRow(key: string, dir: string): Plugin {
  const now = new Date().toISOString();
  return {
    id: `id-${key}`,
    packageName: `@acme/${key}`,
    packageVersion: "1.0.0",
    manifestKey: key,
    runtime: "native",
    displayName: key,
    description: "",
    capabilities: {},
    declaration: { configSchema: null, defaultConfig: null, secretKeys: [], requiredHooks: [] },
    consent: asksOf(null),
    warnings: [],
    source: { kind: "folder", spec: "/x", integrity: null, treeHash: "sha256-0", installedAt: now },
    artifact: { kind: "folder", dir },
    trust: "local",
    scriptsAllowed: false,
    previous: [],
    createdAt: now,
    updatedAt: now,
  };
}
