import { z } from "zod";
import { asksSchema, permissionsSchema } from "./asks.ts";
import { adviceSchema, serverWaySchema } from "./found/mcp-list.ts";
import { pluginAboutSchema } from "./found/plugin-about.ts";
import { grantsSchema } from "./grants.ts";
import { wallNames } from "./permissions/view.ts";
import {
  capabilitiesSchema,
  pluginKeySchema,
  pluginSourceSchema,
  pluginWordsSchema,
  runtimeIdSchema,
  sourceKindSchema,
  trustSchema,
} from "./plugin.ts";
import { problemSchema } from "./problem.ts";
import { growthSchema } from "./shown/growth.ts";
import { checkViewSchema } from "./tools/check.ts";
import { mostUploadBytes, packageFileName } from "./uploads.ts";

export const jobPhaseSchema = z.enum([
  "resolve",
  "download",
  "verify",
  "inspect",
  "consent",
  "place",
  "check",
]);
export type JobPhase = z.infer<typeof jobPhaseSchema>;
export const jobPhases = jobPhaseSchema.options;

export const installRequestSchema = z.object({
  /**
   * What to install: `name@range`, a `.tgz`, a folder, a git URL, `builtin:<key>`, or a form that one plugin system
   * understands.
   */
  spec: z.string().min(1),
  /** Use the folder in place instead of a copy. */
  link: z.boolean().default(false),
  /**
   * Consent is given in advance (`--yes`), to starting the package for a look as well. A package whose code offers more
   * than was shown asks all the same.
   */
  yes: z.boolean().default(false),
  /** The first yes in advance: a package that only its code can describe may be started for a look (`firstLook`). */
  look: z.boolean().default(false),
  /** npm registry to use instead of the default one. */
  registry: z.url().optional(),
  /** Run the package's lifecycle scripts. */
  allowScripts: z.boolean().default(false),
  /** Install although the plugin system advises against it (`consent.risk`): the person has read the risk. */
  acceptRisk: z.boolean().default(false),
  /** Refuse the package unless its archive has this subresource integrity. */
  expectedIntegrity: z.string().optional(),
  /**
   * The key to install the plugin under, where it should not have its own: two packages may claim the same one. Its tools
   * and its channel are named after it.
   */
  key: pluginKeySchema.optional(),
  /**
   * Take the place of the installed plugin that has its key, although that is another package. The question of consent
   * names it. With a consent in advance the agents' settings stay, without secrets and rules.
   */
  replace: z.boolean().default(false),
});
export type InstallRequest = z.infer<typeof installRequestSchema>;

/**
 * Which question a waiting job asks. `look`: the package does not say what it is; may it be started, walled in, to see
 * that? `install`: the question of consent. `more`: its code offers more than was shown; is that agreed to as well?
 */
export const consentQuestionSchema = z.enum(["look", "install", "more"]);
export type ConsentQuestion = z.infer<typeof consentQuestionSchema>;

/** What a plugin may take over from another package that had its key before. Nothing, unless the person says so. */
export const inheritSchema = z.object({
  /** The agents' rows: settings, and whether it is switched on. */
  settings: z.boolean().default(false),
  /** Rules for its tools, and answers "always". */
  rules: z.boolean().default(false),
  secrets: z.boolean().default(false),
});
export type Inherit = z.infer<typeof inheritSchema>;

/** The person's answer to the question of a waiting job. */
export const consentAnswerSchema = z.object({
  accept: z.boolean(),
  /** The question that is answered; the answer is refused when another one is open. */
  question: consentQuestionSchema.default("install"),
  /** The package may run its scripts for installation. */
  allowScripts: z.boolean().default(false),
  /** The person has read the risk of the installation and accepts it. */
  acceptRisk: z.boolean().default(false),
  inherit: inheritSchema.prefault({}),
  /** What the plugin may reach, where the person does not grant everything that the question proposes. */
  grants: grantsSchema.optional(),
});
export type ConsentAnswer = z.infer<typeof consentAnswerSchema>;

/** What is known of a package that only its code can describe, for the question `look`. */
export const firstLookSchema = z.object({
  packageName: z.string(),
  packageVersion: z.string(),
  publisher: z.string().optional(),
  trust: trustSchema,
  source: pluginSourceSchema,
  /**
   * True: it is started with no network, no files but its own, no programs and no other process in sight. False: this
   * machine has no walls, so it can do meanwhile whatever the person's own account can.
   */
  walled: z.boolean(),
});
export type FirstLook = z.infer<typeof firstLookSchema>;

/** The question of consent: what the person has to know before they agree to an installation. */
export const consentSchema = z.object({
  packageName: z.string(),
  packageVersion: z.string(),
  manifestKey: z.string(),
  displayName: z.string(),
  description: z.string(),
  runtime: runtimeIdSchema,
  trust: trustSchema,
  publisher: z.string().optional(),
  source: pluginSourceSchema,
  capabilities: capabilitiesSchema,
  asks: asksSchema,
  /** What the plugin is granted with a yes, unless the answer says otherwise. Absent in jobs of older versions. */
  grants: grantsSchema.optional(),
  /** Where what is shown was read: in the package's files, without running it, or from its code, walled in. */
  readFrom: z.enum(["files", "code"]).default("files"),
  /** The secrets that it names. `alsoNamedBy`: installed plugins of other packages that name the same one. */
  secrets: z
    .array(
      z.object({
        key: z.string(),
        label: z.string(),
        optional: z.boolean(),
        alsoNamedBy: z.array(z.string()),
        /** Hosts on the way to which Patchbay puts it in, so that the plugin never sees it; absent: the plugin gets it. */
        sentOnlyTo: z.array(z.string()).optional(),
      }),
    )
    .default([]),
  /** What another package under the same key has left behind; null: nothing. */
  inheritance: z
    .object({
      packageName: z.string(),
      /** How many agents have settings for it. */
      settings: z.number().int(),
      /** How many rules and answers "always" name its tools. */
      rules: z.number().int(),
      /** The names of its secrets that are stored. */
      secrets: z.array(z.string()),
    })
    .nullable()
    .default(null),
  /** The package wants to run scripts at installation; they do not run unless allowed. */
  hasScripts: z.boolean(),
  /** Its texts in further languages. */
  words: pluginWordsSchema.optional(),
  homepage: z.string().optional(),
  /** What its author says of it besides; no pictures, which could be drawn like a part of the card. */
  about: pluginAboutSchema.omit({ screenshots: true }).optional(),
  /** Why the installation is refused unless the person accepts this risk (`acceptRisk`). */
  risk: z.string().optional(),
  /** What the plugin wants that makes the risk, for screens of other languages. Absent in jobs of older versions. */
  riskOf: z.array(z.enum(["programs", "network"])).optional(),
  /** What the runtime can and cannot enforce, as a sentence. */
  enforcement: z.string(),
  warnings: z.array(z.string()),
  /**
   * What its code tried and did not get while it was looked at. The first of `warnings` say the same, a sentence each.
   * Absent in jobs of older versions.
   */
  tried: z.array(z.object({ wall: z.enum(wallNames), target: z.string() })).default([]),
  /**
   * For an update: what the new version asks for beyond the old one. For the question `more`: what its code offers
   * beyond what was shown.
   */
  changes: z.array(z.string()),
  /** The same, for screens of other languages. Absent in jobs of older versions. */
  grown: z.array(growthSchema).default([]),
  replaces: z.string().optional(),
  /** The installed plugin of another package whose place it takes. Absent: there is none. */
  takesPlaceOf: z.object({ displayName: z.string(), packageName: z.string() }).optional(),
});
export type Consent = z.infer<typeof consentSchema>;

export const jobSchema = z.object({
  id: z.string(),
  /** `packages`: what a plugin lacks of its language's packages is installed. */
  kind: z.enum(["install", "update", "rollback", "uninstall", "packages"]),
  spec: z.string(),
  sourceKind: sourceKindSchema.nullable(),
  status: z.enum(["running", "waiting", "done", "failed", "cancelled"]),
  phase: jobPhaseSchema,
  /** 0 to 1 within the phase, or null when it cannot be known. */
  progress: z.number().min(0).max(1).nullable(),
  phases: z.array(
    z.object({
      phase: jobPhaseSchema,
      status: z.enum(["pending", "running", "done", "skipped", "failed"]),
      ms: z.number().nullable(),
    }),
  ),
  /** The question that waits for the person's answer; null: none does. */
  question: consentQuestionSchema.nullable().default(null),
  /** Stays after it was answered. */
  firstLook: firstLookSchema.nullable().default(null),
  /** Stays after it was answered. */
  consent: consentSchema.nullable(),
  problem: problemSchema.nullable(),
  /** The key of the plugin once it is known. */
  pluginKey: z.string().nullable(),
  pluginVersion: z.string().nullable(),
  /** An update that found the very files that are installed: nothing was changed. Absent: it is not so. */
  upToDate: z.boolean().optional(),
  /** Scripts of the package that did not run, because they were not allowed. Absent: none. */
  skippedScripts: z.array(z.string()).optional(),
  /** What a start right after the installation showed of what it offers. Absent: its files say that. */
  check: checkViewSchema.optional(),
  log: z.array(z.object({ at: z.iso.datetime(), text: z.string() })),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
});
export type Job = z.infer<typeof jobSchema>;

/** A system of computers, as lists of plugins name them. */
const systemSchema = z.enum(["macos", "linux", "windows"]);

export const catalogEntrySchema = z.object({
  /** What to pass to install. */
  spec: z.string(),
  source: z.string(),
  packageName: z.string(),
  packageVersion: z.string().optional(),
  manifestKey: z.string().optional(),
  displayName: z.string(),
  description: z.string(),
  runtime: runtimeIdSchema.optional(),
  capabilities: capabilitiesSchema.optional(),
  publisher: z.string().optional(),
  trust: trustSchema,
  homepage: z.string().optional(),
  icon: z.string().optional(),
  /** It has one to be asked for (`catalog.icon`). */
  hasIcon: z.literal(true).optional(),
  /** A package of a registry that does not say that it is a plugin; it was asked for by exactly its name. */
  foreign: z.literal(true).optional(),
  /** The permissions by the catalogue's word; those of the package itself are read when it is inspected. */
  permissions: permissionsSchema.optional(),
  /** Its description in further languages, as the plugin's own texts. */
  words: pluginWordsSchema.optional(),
  /** The systems that it is made for by the catalogue's word, where this computer's is none of them. */
  madeFor: z.array(systemSchema).optional(),
  /** How a server of an MCP Registry can be had, the best way first. */
  ways: z.array(serverWaySchema).optional(),
  /** What its source says against it; absent: nothing. What is withdrawn is listed only while it is installed. */
  advice: adviceSchema.optional(),
  installedVersion: z.string().nullable(),
});
export type CatalogEntry = z.infer<typeof catalogEntrySchema>;

/** A package of a registry with its versions, newest first. */
export const packageDetailsSchema = z.object({
  packageName: z.string(),
  registry: z.string(),
  latest: z.string().nullable(),
  license: z.string().optional(),
  publisher: z.string().optional(),
  homepage: z.string().optional(),
  versions: z.array(
    z.object({
      version: z.string(),
      publishedAt: z.iso.datetime().nullable(),
      /** Why its publisher advises against it. */
      deprecated: z.string().optional(),
      /** Size of the unpacked files in bytes. */
      bytes: z.number().nullable(),
    }),
  ),
});
export type PackageDetails = z.infer<typeof packageDetailsSchema>;

export const uploadSchema = z
  .file()
  .max(mostUploadBytes, "a package file has at most 50 MiB")
  .refine(
    (file) => packageFileName.test(file.name),
    "a package file ends in .tgz, .tar.gz, .tar, .mcpb or .dxt",
  );
