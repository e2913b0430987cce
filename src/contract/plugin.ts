import { z } from "zod";
import { asksSchema } from "./asks.ts";
import { pluginKeyPattern } from "./names.ts";
import { problemSchema } from "./problem.ts";

/** The name of a plugin system. Which ones there are is up to the core that runs them. */
export const runtimeIdSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, "the name of a plugin system: lower-case letters, digits and dashes");
export type RuntimeId = z.infer<typeof runtimeIdSchema>;

/** A plugin system as the screens show it. */
export const runtimeInfoSchema = z.object({ id: runtimeIdSchema, displayName: z.string() });
export type RuntimeInfo = z.infer<typeof runtimeInfoSchema>;

export const pluginKeySchema = z
  .string()
  .regex(pluginKeyPattern, "a plugin key: lower-case letters, digits and dashes, at most 64 characters");

export const trustSchema = z.enum(["built-in", "official", "team", "unverified", "local"]);
export type Trust = z.infer<typeof trustSchema>;

/** What badges are drawn from, without running the plugin. */
export const capabilitiesSchema = z.object({
  /** `namespace` is what the names of all its tools begin with; absent where they have nothing in common. */
  tools: z.object({ namespace: z.string().optional(), count: z.number().int().optional() }).optional(),
  /** `namespace` is that of an older package, where it may differ from the key. */
  channel: z.object({ hasSetup: z.boolean(), namespace: z.string().optional() }).optional(),
  hooks: z.object({ events: z.array(z.string()) }).optional(),
  commands: z.object({ names: z.array(z.string()) }).optional(),
  skills: z.object({ names: z.array(z.string()) }).optional(),
  providers: z.object({ names: z.array(z.string()) }).optional(),
  shortcuts: z.object({ names: z.array(z.string()) }).optional(),
});
export type Capabilities = z.infer<typeof capabilitiesSchema>;

export const sourceKindSchema = z.enum(["npm", "tarball", "folder", "link", "git", "builtin", "endpoint"]);
export type SourceKind = z.infer<typeof sourceKindSchema>;

/** What a plugin comes from, once it is installed. */
export const artifactSchema = z.discriminatedUnion("kind", [
  /** Files: copied below Patchbay's folder, or the person's own for a link. */
  z.object({ kind: z.literal("folder"), dir: z.string() }),
  /** Something that answers at an address that its plugin system understands; there are no files. */
  z.object({ kind: z.literal("endpoint"), url: z.string() }),
]);
export type Artifact = z.infer<typeof artifactSchema>;

export const pluginSourceSchema = z.object({
  kind: sourceKindSchema,
  /** As the person gave it: `name@range`, a path, a git URL. */
  spec: z.string(),
  /** What the spec meant on that day: `name@1.2.3`, a commit. */
  resolved: z.string().optional(),
  registry: z.string().optional(),
  /** Subresource-integrity string of the archive, where there was one. */
  integrity: z.string().nullable(),
  /** Hash over the placed tree, checked at each load; null for a linked folder and for an endpoint. */
  treeHash: z.string().nullable(),
  installedAt: z.iso.datetime(),
});
export type PluginSource = z.infer<typeof pluginSourceSchema>;

export const secretKeySchema = z.object({
  key: z.string(),
  label: z.string(),
  /** Where its value lies in the settings: names from their root. */
  path: z.array(z.string()).min(1),
  placeholder: z.string().optional(),
  optional: z.boolean().optional(),
  help: z.string().optional(),
  url: z.string().optional(),
});
export type SecretKey = z.infer<typeof secretKeySchema>;

/** What a plugin says of itself, read once at inspection and kept with the row. */
export const declarationSchema = z.object({
  /** JSON Schema of the settings; null when the plugin declares none. */
  configSchema: z.record(z.string(), z.unknown()).nullable(),
  /** The part of the settings in which all that people set lies: they need not name it, and forms begin there. */
  settingsRoot: z.array(z.string()).optional(),
  defaultConfig: z.record(z.string(), z.unknown()).nullable(),
  secretKeys: z.array(secretKeySchema),
  /** Hooks that block what they guard while the plugin is enabled but not running. */
  requiredHooks: z.array(z.string()),
  homepage: z.string().optional(),
  helpUrl: z.string().optional(),
  publisher: z.string().optional(),
  license: z.string().optional(),
  /** Data URL of at most 64 KiB. */
  icon: z.string().optional(),
  /** It has a setup of its own, at the top or of its channel. */
  hasSetup: z.boolean().optional(),
  /** Written as an older `ChannelManifest`; runs through the shim. */
  legacyChannel: z.boolean().optional(),
  /** What its plugin system alone reads again when the plugin runs; nobody else looks into it. */
  details: z.unknown().optional(),
});
export type Declaration = z.infer<typeof declarationSchema>;

export const pluginVersionSchema = z.object({
  packageVersion: z.string(),
  artifact: artifactSchema,
  source: pluginSourceSchema,
  displayName: z.string(),
  description: z.string(),
  capabilities: capabilitiesSchema,
  declaration: declarationSchema,
  /** What the person agreed to. */
  consent: asksSchema,
  warnings: z.array(z.string()),
});
export type PluginVersion = z.infer<typeof pluginVersionSchema>;

/** An installed package at one version: a row of the catalogue. */
export const pluginSchema = pluginVersionSchema.extend({
  id: z.string(),
  packageName: z.string(),
  manifestKey: pluginKeySchema,
  runtime: runtimeIdSchema,
  trust: trustSchema,
  /** Lifecycle scripts of the package may run; the person allowed it. */
  scriptsAllowed: z.boolean(),
  /** The versions kept for a roll-back, newest first. */
  previous: z.array(pluginVersionSchema),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Plugin = z.infer<typeof pluginSchema>;

/** A row of the catalogue as it is shown: with whether its code could be loaded. */
export const pluginViewSchema = pluginSchema.extend({
  /** Set when the plugin's files are missing, changed or no longer valid. */
  loadProblem: problemSchema.nullable(),
  /** Agents for which it is switched on. */
  enabledFor: z.array(z.string()),
});
export type PluginView = z.infer<typeof pluginViewSchema>;
