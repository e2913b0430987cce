import { z } from "zod";
import { pluginKeySchema, runtimeIdSchema } from "../plugin.ts";
import { foundServerSchema } from "./found-server.ts";

/**
 * How a plugin stands in the installation of its own system: switched on or off there, merely there, broken, of a kind that
 * the system does not run, or replaced by another of the same key.
 */
export const foundStatusSchema = z.enum([
  "enabled",
  "disabled",
  "available",
  "error",
  "unsupported",
  "overridden",
]);
export type FoundStatus = z.infer<typeof foundStatusSchema>;

/** A plugin that another program on this computer has. Nothing of that program is changed by finding it. */
export const foundPluginSchema = z.object({
  runtime: runtimeIdSchema,
  /** What its system calls it; not Patchbay's key. */
  key: z.string(),
  name: z.string(),
  /** Empty where it has none. */
  version: z.string(),
  description: z.string(),
  /** Whether it comes with the program, is the person's own, or belongs to the project in whose folder Patchbay was started. */
  place: z.enum(["bundled", "user", "project"]),
  /** The folder with its files; null where they are not on this computer. */
  dir: z.string().nullable(),
  /** What to install, as a person would type it; often `dir`. */
  spec: z.string(),
  status: foundStatusSchema,
  /** The other program's exact words about why it does not load it; null when it loads it. */
  theirs: z.string().nullable(),
  /** The same for a person, an English sentence; null where the state says it all. */
  reason: z.string().nullable(),
  /** For a replaced one: the folder of the plugin that is loaded in its place. */
  lostTo: z.string().optional(),
  /** Whether the program's own settings say that it is switched on. */
  enabledThere: z.boolean(),
  /** The key of the installed plugin that came from this folder or spec; null when there is none. */
  installed: pluginKeySchema.nullable(),
  /** For an MCP server: what it becomes. */
  server: foundServerSchema.optional(),
});
export type FoundPlugin = z.infer<typeof foundPluginSchema>;

/** Where the plugins of one system were looked for. */
export const lookedSchema = z.object({
  runtime: runtimeIdSchema,
  /** Folders, whether they are there or not. */
  places: z.array(z.string()),
  /** Why something could not be read, an English sentence. */
  problem: z.string().nullable(),
});
export type Looked = z.infer<typeof lookedSchema>;

export const foundHereSchema = z.object({
  plugins: z.array(foundPluginSchema),
  looked: z.array(lookedSchema),
});
export type FoundHere = z.infer<typeof foundHereSchema>;
