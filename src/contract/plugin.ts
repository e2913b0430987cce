import { z } from "zod";
import { asksSchema } from "./asks.ts";
import { adviceSchema } from "./found/mcp-list.ts";
import { pluginAboutSchema } from "./found/plugin-about.ts";
import { exactHostSchema, grantsSchema } from "./grants.ts";
import { languages } from "./languages.ts";
import { pluginKeyPattern } from "./names.ts";
import { problemSchema } from "./problem.ts";
import { growthSchema } from "./shown/growth.ts";
import { checkViewSchema } from "./tools/check.ts";

/** The name of a plugin system. It is no closed list: the core decides which systems it has. */
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

/** What the plugin can do, as its manifest says; the badges show it. Known without running the plugin. */
export const capabilitiesSchema = z.object({
  /**
   * `namespace`: the beginning of all its tool names, `<namespace>__<tool>`; absent where its tools have none in
   * common. `names`: all its tools, without the namespace, where the plugin says so before it runs.
   */
  tools: z
    .object({
      namespace: z.string().optional(),
      count: z.number().int().optional(),
      names: z.array(z.string()).optional(),
    })
    .optional(),
  /**
   * `namespace`: the channel's name in an older package, which may differ from the plugin key. `speaksAs`: what the package
   * itself goes on calling it, where the person gave the plugin another key.
   */
  channel: z
    .object({ hasSetup: z.boolean(), namespace: z.string().optional(), speaksAs: z.string().optional() })
    .optional(),
  hooks: z.object({ events: z.array(z.string()) }).optional(),
  commands: z.object({ names: z.array(z.string()) }).optional(),
  skills: z.object({ names: z.array(z.string()) }).optional(),
  providers: z.object({ names: z.array(z.string()) }).optional(),
  shortcuts: z.object({ names: z.array(z.string()) }).optional(),
  /** `names`: as far as it says them before it runs. */
  prompts: z.object({ names: z.array(z.string()) }).optional(),
  resources: z.object({}).optional(),
});
export type Capabilities = z.infer<typeof capabilitiesSchema>;

export const sourceKindSchema = z.enum([
  "npm",
  "tarball",
  "folder",
  "link",
  "git",
  "builtin",
  "endpoint",
  "mcp-registry",
  "mcp-import",
]);
export type SourceKind = z.infer<typeof sourceKindSchema>;

/** What an installed plugin consists of: files, or an address. */
export const artifactSchema = z.discriminatedUnion("kind", [
  /** Files: copied below Patchbay's folder, or the person's own for a link. */
  z.object({
    kind: z.literal("folder"),
    dir: z.string(),
    /** What it was called where it came from, when that is not the name of `dir`: some plugins are named after it. */
    name: z.string().optional(),
    /** The only file of `dir` that is the plugin's: a linked file, beside which others may lie. */
    file: z.string().optional(),
  }),
  /** A service at an address, whose form its plugin system knows; there are no files. */
  z.object({ kind: z.literal("endpoint"), url: z.string() }),
]);
export type Artifact = z.infer<typeof artifactSchema>;

export const severitySchema = z.enum(["info", "low", "moderate", "high", "critical"]);
export type Severity = z.infer<typeof severitySchema>;

/** A known weakness of a package, as its registry reports it. */
export const advisorySchema = z.object({
  packageName: z.string(),
  title: z.string(),
  severity: severitySchema,
  /** The versions that have it, as a range. */
  range: z.string(),
  url: z.string().optional(),
});
export type Advisory = z.infer<typeof advisorySchema>;

/** What a registry could prove of a package and of what it depends on. A proof that fails refuses the installation. */
export const vouchedSchema = z.object({
  /**
   * The registry's signature of this version: `verified` with the registry's own keys; `missing`, although the registry
   * has keys; `no_keys`: the registry signs nothing; `unchecked`: its keys could not be had.
   */
  signature: z.enum(["verified", "missing", "no_keys", "unchecked"]),
  /** Proof of which source it was built from. `repository` is what the proof names. */
  provenance: z.object({
    status: z.enum(["verified", "missing", "unchecked"]),
    repository: z.string().optional(),
  }),
  /**
   * The account that published this version, where the registry knows its publishers and signs what they publish. Absent:
   * nobody vouches for a publisher.
   */
  publisher: z.string().optional(),
  /** Packages in the tree, as `name@version`, for which the registry gives no checksum. */
  withoutIntegrity: z.array(z.string()),
  /** Known weaknesses of the package and of what it depends on; null when the registry could not be asked. */
  advisories: z.array(advisorySchema).nullable(),
});
export type Vouched = z.infer<typeof vouchedSchema>;

export const pluginSourceSchema = z.object({
  kind: sourceKindSchema,
  /** The source as the person wrote it: `name@range`, a path, a git URL. */
  spec: z.string(),
  /** It came as a file that a screen uploaded, which is not kept: `spec` is the file's name, and there is no place to look for a newer one. */
  uploaded: z.literal(true).optional(),
  /** The exact version that the spec meant at the time of the installation: `name@1.2.3`, a commit. */
  resolved: z.string().optional(),
  registry: z.string().optional(),
  /** Subresource-integrity string of the archive, where there was one. */
  integrity: z.string().nullable(),
  /**
   * Hash over all installed files, checked each time the plugin is loaded; null for a linked folder and for an
   * endpoint.
   */
  treeHash: z.string().nullable(),
  /**
   * Hash over the files as they came, before anything was built; an update that finds the same changes nothing. Absent
   * where files are used in place, and for what was installed before this was kept.
   */
  filesHash: z.string().optional(),
  /** Absent for what comes from no registry, and for what was installed before this was looked at. */
  vouched: vouchedSchema.optional(),
  /** It is a bundle with a signature, which Patchbay cut off and did not check: it proves nothing here. Absent: it has none. */
  signatureUnchecked: z.literal(true).optional(),
  installedAt: z.iso.datetime(),
});
export type PluginSource = z.infer<typeof pluginSourceSchema>;

export const secretKeySchema = z.object({
  key: z.string(),
  label: z.string(),
  /** The place of its value in the settings: the field names from the root. */
  path: z.array(z.string()).min(1),
  placeholder: z.string().optional(),
  optional: z.boolean().optional(),
  help: z.string().optional(),
  url: z.string().optional(),
  /**
   * The plugin holds a placeholder; Patchbay puts the value in on the way to these hosts, and to no other. Absent: the
   * plugin gets the value.
   */
  sentOnlyTo: z.array(exactHostSchema).min(1).max(20).optional(),
});
export type SecretKey = z.infer<typeof secretKeySchema>;

/**
 * The texts of a plugin in further languages: by language the English text, and what stands there instead. See
 * `shown/plugin-words.ts` for the places in them.
 */
export const pluginWordsSchema = z.partialRecord(z.enum(languages), z.record(z.string(), z.string()));
export type PluginWords = z.infer<typeof pluginWordsSchema>;

/** What a plugin declares. It is read once, when the plugin is inspected, and stored in its row. */
export const declarationSchema = z.object({
  /** JSON Schema of the settings; null when the plugin declares none. */
  configSchema: z.record(z.string(), z.unknown()).nullable(),
  /**
   * Path to the part of the settings that contains every field a person sets. Forms begin at that part and do not name
   * it.
   */
  settingsRoot: z.array(z.string()).optional(),
  defaultConfig: z.record(z.string(), z.unknown()).nullable(),
  secretKeys: z.array(secretKeySchema),
  /** Events whose hook must run: while the plugin is enabled but not running, what the hook would check is refused. */
  requiredHooks: z.array(z.string()),
  homepage: z.string().optional(),
  helpUrl: z.string().optional(),
  publisher: z.string().optional(),
  license: z.string().optional(),
  /** What its author says of it besides. */
  about: pluginAboutSchema.optional(),
  /** Data URL of at most 64 KiB. */
  icon: z.string().optional(),
  /** The plugin brings a setup of its own, in its manifest or in its channel. */
  hasSetup: z.boolean().optional(),
  /** The package is an older one with a `ChannelManifest`; it runs through an adapter. */
  legacyChannel: z.boolean().optional(),
  /** What the package calls itself, where the person installed it under another key. */
  ownKey: z.string().optional(),
  /** Its texts in further languages; absent where it has none. */
  words: pluginWordsSchema.optional(),
  /**
   * Its plugin system lets code register more than the files say, as a matter of course: other tools in its namespace, hooks,
   * commands and skills are taken, too.
   */
  registersMore: z.literal(true).optional(),
  /** Data of the plugin system, which only that system reads when the plugin runs. */
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
  /** What the person agreed to when they installed this version. */
  consent: asksSchema,
  /** What of that the person granted; absent: everything. An agent's row may say otherwise. */
  granted: grantsSchema.optional(),
  /** Scripts of the package that did not run, because the person did not allow them. Absent: none. */
  skippedScripts: z.array(z.string()).optional(),
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

/** An installed plugin as screens show it. */
export const pluginViewSchema = pluginSchema.extend({
  /** Set when the plugin's files are missing, changed or no longer valid. */
  loadProblem: problemSchema.nullable(),
  /**
   * For a linked folder: what it declares today beyond what was agreed to. It does not get that; updating the plugin asks.
   */
  grown: z.array(growthSchema).default([]),
  /** How many things of it wait until the person has looked at what it says of them now; absent: none. */
  toLookAt: z.number().int().optional(),
  /** What its source says against it, as far as it was asked; absent: nothing. */
  advice: adviceSchema.optional(),
  /** How the start went that shows what it offers. Absent: its files say that. */
  check: checkViewSchema.optional(),
  /** Agents for which it is switched on. */
  enabledFor: z.array(z.string()),
});
export type PluginView = z.infer<typeof pluginViewSchema>;
