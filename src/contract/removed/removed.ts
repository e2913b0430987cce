import { z } from "zod";
import { agentIdSchema } from "../agent.ts";
import { jobSchema } from "../job.ts";
import { pluginKeySchema } from "../plugin.ts";

export const removedKindSchema = z.enum(["plugin", "agent", "session", "file"]);
export type RemovedKind = z.infer<typeof removedKindSchema>;

/**
 * Something that was removed and is kept: an uninstalled plugin, an agent, a conversation; or a file of Patchbay's own
 * that was damaged, or changed by something else, and was set aside.
 */
export const removedSchema = z.object({
  id: z.string(),
  kind: removedKindSchema,
  /** What a person calls it; for a file its name. */
  name: z.string(),
  /** When it was removed. */
  at: z.iso.datetime(),
  /** When it will be deleted for good; null: it stays until the person deletes it. */
  until: z.iso.datetime().nullable(),
  /** Bytes on the disk; null while they are not counted yet. */
  bytes: z.number().int().nullable(),
  /** The plugin's key, or for a file that of the plugin it is about. */
  key: pluginKeySchema.nullable(),
  /** The plugin's version. */
  version: z.string().nullable(),
  /** The plugin's icon as a data URL. */
  icon: z.string().nullable(),
  /** It is a plugin that comes with Patchbay. */
  ours: z.boolean(),
  /** The agent, or the agent that the conversation belongs to. */
  agentId: agentIdSchema.nullable(),
  /** Ids of the agents that have settings for the plugin. */
  settingsOf: z.array(agentIdSchema),
  /** How many plugins the agent has settings for. */
  plugins: z.number().int(),
  /** Stored secrets that are kept for it alone. */
  secrets: z.number().int(),
  /** Conversations of the agent that are kept. */
  conversations: z.number().int(),
  /**
   * Why it cannot be brought back now: `taken`: something has its name; `agent`: the agent of the conversation is not
   * there; `file`: a file is looked at, saved or deleted. Null: it can.
   */
  blocked: z.enum(["taken", "agent", "file"]).nullable(),
  /** It is a file whose text can be shown and saved. */
  readable: z.boolean(),
});
export type RemovedThing = z.infer<typeof removedSchema>;

/** What became of it: a plugin whose files are gone is installed again, by this job, which may ask. */
export const restoredSchema = z.object({ job: jobSchema.nullable() });
export type Restored = z.infer<typeof restoredSchema>;
