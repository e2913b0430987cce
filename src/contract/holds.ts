import { z } from "zod";
import { agentIdSchema } from "./agent.ts";
import { pluginKeySchema } from "./plugin.ts";

/** The search for the plugin that causes a problem of one agent, by switching halves off. */
export const pluginSearchSchema = z.object({
  agentId: agentIdSchema,
  /** `asking`: the person tries and says whether the problem is still there. The others are results. */
  status: z.enum(["asking", "found", "not_a_plugin", "gone"]),
  /** From 1. */
  step: z.number().int(),
  /** How many answers are still needed at most, this one included. */
  stepsLeft: z.number().int(),
  /** Held off in this step. */
  off: z.array(pluginKeySchema),
  /** Those that may still be the cause. */
  suspects: z.array(pluginKeySchema),
  found: pluginKeySchema.nullable(),
  startedAt: z.iso.datetime(),
});
export type PluginSearch = z.infer<typeof pluginSearchSchema>;

/** What keeps plugins off that are switched on. Their switches stay as they are. */
export const holdsSchema = z.object({
  safeMode: z
    .object({
      /** `asked`: started so by the person. `failed_starts`: three starts in a row did not come to an end. */
      reason: z.enum(["asked", "failed_starts"]),
      since: z.iso.datetime(),
    })
    .nullable(),
  searches: z.array(pluginSearchSchema),
});
export type Holds = z.infer<typeof holdsSchema>;
