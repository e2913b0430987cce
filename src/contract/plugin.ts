import { z } from "zod";
import { pluginKeyPattern } from "./names.ts";
import { problemSchema } from "./problem.ts";

export const runtimeIdSchema = z.enum(["native", "fledge", "flowly", "dirge"]);
export type RuntimeId = z.infer<typeof runtimeIdSchema>;

export const pluginKeySchema = z
  .string()
  .regex(pluginKeyPattern, "a plugin key: lower-case letters, digits and dashes, at most 64 characters");

export const trustSchema = z.enum(["built-in", "official", "team", "unverified", "local"]);
export type Trust = z.infer<typeof trustSchema>;

/** What badges are drawn from, without running the plugin. */
export const capabilitiesSchema = z.object({
  tools: z.object({ namespace: z.string(), count: z.number().int().optional() }).optional(),
  /** `namespace` is that of an older package, where it may differ from the key. */
  channel: z.object({ hasSetup: z.boolean(), namespace: z.string().optional() }).optional(),
  hooks: z.object({ events: z.array(z.string()) }).optional(),
  commands: z.object({ names: z.array(z.string()) }).optional(),
  skills: z.object({ names: z.array(z.string()) }).optional(),
  providers: z.object({ names: z.array(z.string()) }).optional(),
  shortcuts: z.object({ names: z.array(z.string()) }).optional(),
});
export type Capabilities = z.infer<typeof capabilitiesSchema>;

export const permissionsSchema = z.object({
  network: z.union([z.array(z.string()), z.literal(true)]).optional(),
  files: z.enum(["none", "workspace", "all"]).optional(),
  subprocess: z.boolean().optional(),
});
export type Permissions = z.infer<typeof permissionsSchema>;

export const sourceKindSchema = z.enum(["npm", "tarball", "folder", "link", "git", "builtin"]);
export type SourceKind = z.infer<typeof sourceKindSchema>;

export const pluginSourceSchema = z.object({
  kind: sourceKindSchema,
  /** As the person gave it: `name@range`, a path, a git URL. */
  spec: z.string(),
  /** What the spec meant on that day: `name@1.2.3`, a commit. */
  resolved: z.string().optional(),
  registry: z.string().optional(),
  /** Subresource-integrity string of the archive, where there was one. */
  integrity: z.string().nullable(),
  /** Hash over the placed tree, checked at each load; null for a linked folder. */
  treeHash: z.string().nullable(),
  installedAt: z.iso.datetime(),
});
export type PluginSource = z.infer<typeof pluginSourceSchema>;

export const secretKeySchema = z.object({
  key: z.string(),
  label: z.string(),
  /** Which capability's settings hold it; absent for a top-level declaration. */
  section: z.enum(["tools", "channel", "hooks"]).optional(),
  placeholder: z.string().optional(),
  optional: z.boolean().optional(),
  help: z.string().optional(),
  url: z.string().optional(),
});
export type SecretKey = z.infer<typeof secretKeySchema>;

/** What only a fledge plugin declares, for the consent page and for what it is granted when it runs. */
export const fledgeDeclarationSchema = z.object({
  runtime: z.enum(["native", "wasm"]),
  /** Its commands speak `fledge-v1`; otherwise they are plain executables. */
  protocol: z.boolean(),
  /** Messages that it may send. They bind a wasm plugin's code; native code can do what its person can. */
  grants: z.object({
    exec: z.boolean(),
    store: z.boolean(),
    metadata: z.boolean(),
    network: z.boolean(),
    filesystem: z.enum(["none", "project", "plugin"]),
  }),
  /** Programs that want to run at installation and removal, as they are written. */
  scripts: z.array(z.object({ name: z.enum(["build", "post_install", "post_remove"]), command: z.string() })),
  /** fledge's own moments; `event` is the agent event that stands for one, or null when there is none. */
  lifecycle: z.array(z.object({ name: z.string(), command: z.string(), event: z.string().nullable() })),
});
export type FledgeDeclaration = z.infer<typeof fledgeDeclarationSchema>;

/** What a plugin says of itself, read once at inspection and kept with the row. */
export const declarationSchema = z.object({
  /** JSON Schema of the whole settings wrapper `{tools?, channel?, hooks?}`; null when the plugin declares none. */
  configSchema: z.record(z.string(), z.unknown()).nullable(),
  /** True for a package with one capability and a flat schema: the loader wraps. */
  flatConfig: z.boolean(),
  defaultConfig: z.record(z.string(), z.unknown()).nullable(),
  secretKeys: z.array(secretKeySchema),
  permissions: permissionsSchema.nullable(),
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
  fledge: fledgeDeclarationSchema.optional(),
});
export type Declaration = z.infer<typeof declarationSchema>;

export const pluginVersionSchema = z.object({
  packageVersion: z.string(),
  dir: z.string(),
  source: pluginSourceSchema,
  displayName: z.string(),
  description: z.string(),
  capabilities: capabilitiesSchema,
  declaration: declarationSchema,
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
