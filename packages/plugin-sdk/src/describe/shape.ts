/** The version of the format of `patchbay.json`, in its field `patchbay`. */
export const DESCRIPTION_VERSION = 1;

/**
 * The file in which a package describes itself, so that Patchbay can show what it is without running it. The same object
 * may stand in the package.json, as its field `patchbay`.
 */
export interface PackageDescription {
  patchbay: typeof DESCRIPTION_VERSION;
  /** The manifest as JSON, by {@link manifestShape}: a function is written `true`, the schema of the settings as JSON Schema. */
  manifest: Record<string, unknown>;
}

/** What stands at one place of a manifest. A list describes each item by its one shape, an object its fields. */
export type Shape = "value" | "function" | "schema" | readonly [Shape] | { readonly [field: string]: Shape };

const settings = { secretKeys: "value", configFields: "value", defaultConfig: "value" } as const;
const setup = { begin: "function", poll: "function", submit: "function", cancel: "function" } as const;

/** Every field of a manifest, in the order in which a description has them. Others are left out of it. */
export const manifestShape = {
  manifestVersion: "value",
  key: "value",
  namespace: "value",
  displayName: "value",
  description: "value",
  icon: "value",
  homepage: "value",
  helpUrl: "value",
  permissions: "value",
  tools: { namespace: "value", names: "value", start: "function", ...settings },
  channel: { start: "function", setup, ...settings },
  hooks: { events: "value", required: "value", start: "function", ...settings },
  commands: [{ name: "value", description: "value", argsHint: "value", keys: "value", run: "function" }],
  skills: "value",
  setup,
  start: "function",
  parseConfig: "function",
  ...settings,
  configSchema: "schema",
} as const satisfies Shape;

/** The fields of `commands` where they are made at the start, and not listed. */
export const startedCommands = { start: "function" } as const satisfies Shape;
