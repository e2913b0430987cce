import { z } from "zod";
import { readKeys } from "./keys/chord.ts";
import { reservedWhy } from "./keys/reserved.ts";
import { languages } from "./languages.ts";
import { otlpSettingsSchema } from "./trace/live-traces.ts";

const languageServerSchema = z.strictObject({
  /** The program, by its name in the search path or by its path, then its arguments. */
  command: z.array(z.string().min(1).max(4_096)).min(1).max(50),
  files: z
    .array(z.string().regex(/^\.[\w+-]{1,20}$/, "the end of a file such as .ts"))
    .min(1)
    .max(50),
});

/** The person's own keys, by what they are for (`keys/key-plan.ts`); null: it has none. What is not named has its usual key. */
const ownKeysSchema = z
  .record(
    z.string().min(1).max(400),
    z.string().min(1).max(100).refine(mayBeOwn, "a key, as Ctrl+Shift+K").nullable(),
  )
  .refine((keys) => Object.keys(keys).length <= 1_000, "at most 1,000 keys");

function mayBeOwn(keys: string): boolean {
  const chords = readKeys(keys, true);
  return chords?.every((chord) => reservedWhy(chord) === null) ?? false;
}

export const settingsSchema = z.object({
  theme: z.enum(["system", "light", "dark"]),
  /** Language of the screens. `system`: the first of the system's languages that Patchbay has, else English. */
  language: z.enum(["system", ...languages]),
  /** Default npm registry; null: the one of the machine's npm configuration. */
  registry: z.url().nullable(),
  catalogUrls: z.array(z.url()),
  /** Address of the MCP Registry whose servers Discover lists; null: none. */
  mcpRegistry: z.url().nullable().default(null),
  /** Address of a public document that describes Patchbay to those who sign people in (CIMD); null: there is none. */
  clientMetadataUrl: z
    .url({ protocol: /^https$/ })
    .nullable()
    .default(null),
  /** Time limits in milliseconds. */
  limits: z.object({
    inspectMs: z.number().int().min(100),
    startMs: z.number().int().min(100),
    stopMs: z.number().int().min(100),
    hookMs: z.number().int().min(10),
    toolMs: z.number().int().min(100),
    drainMs: z.number().int().min(0),
    approvalMs: z.number().int().min(1000),
    dialogMs: z.number().int().min(1000),
  }),
  /** Memory limit of a plugin's process in MiB. */
  hostMemoryMb: z.number().int().min(32),
  /** The person closed the welcome of the first start; it is not shown again. */
  welcomeClosed: z.boolean().default(false),
  /** The person knows that this machine has no walls for plugins, and runs them all the same. */
  unwalled: z.boolean().default(false),
  /** Path of the Python that plugins written in it run with; null: Patchbay looks for one. */
  python: z.string().min(1).max(4_096).nullable().default(null),
  /** Language servers of the person's own, which come before the known ones. `files`: the ends of files that each is for. */
  languageServers: z.array(languageServerSchema).max(50).default([]),
  keys: ownKeysSchema.default({}),
  /** Where the spans of each turn are sent; null: nowhere. */
  otlp: otlpSettingsSchema.nullable().default(null),
  revision: z.number().int(),
});
export type Settings = z.infer<typeof settingsSchema>;

export const settingsPatchSchema = settingsSchema
  .omit({ revision: true, limits: true })
  .partial()
  .extend({
    limits: settingsSchema.shape.limits.partial().optional(),
    // Not the stored field with its default: what a patch leaves out must stay as it is.
    welcomeClosed: z.boolean().optional(),
    unwalled: z.boolean().optional(),
    python: z.string().min(1).max(4_096).nullable().optional(),
    languageServers: settingsSchema.shape.languageServers.removeDefault().optional(),
    keys: ownKeysSchema.optional(),
    otlp: otlpSettingsSchema.nullable().optional(),
    mcpRegistry: z.url().nullable().optional(),
    clientMetadataUrl: z
      .url({ protocol: /^https$/ })
      .nullable()
      .optional(),
    revision: z.number().int().optional(),
  });
export type SettingsPatch = z.infer<typeof settingsPatchSchema>;
