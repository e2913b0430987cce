import { z } from "zod";
import { agentIdSchema } from "./agent.ts";
import { pluginKeySchema } from "./plugin.ts";

/** The search for the plugin that causes a problem of one agent, by switching halves off. */
export const pluginSearchSchema = z.object({
  agentId: agentIdSchema,
  /**
   * `asking`: the person tries whether the problem is still there, and answers. The other three are results: the plugin
   * was found, no plugin is the cause, or the suspects are no longer installed and switched on.
   */
  status: z.enum(["asking", "found", "not_a_plugin", "gone"]),
  /** Number of the step, from 1. */
  step: z.number().int(),
  /** The most answers that are still needed, including the one to this step. */
  stepsLeft: z.number().int(),
  /** The plugins that are stopped in this step. */
  off: z.array(pluginKeySchema),
  /** The plugins that may still be the cause. */
  suspects: z.array(pluginKeySchema),
  found: pluginKeySchema.nullable(),
  startedAt: z.iso.datetime(),
});
export type PluginSearch = z.infer<typeof pluginSearchSchema>;

/** What stops plugins although they are switched on: safe mode and searches. The switches stay as they are. */
export const holdsSchema = z.object({
  safeMode: z
    .object({
      /** `asked`: the person began safe mode. `failed_starts`: three starts of the app in a row did not finish. */
      reason: z.enum(["asked", "failed_starts"]),
      since: z.iso.datetime(),
    })
    .nullable(),
  searches: z.array(pluginSearchSchema),
});
export type Holds = z.infer<typeof holdsSchema>;
