import { z } from "zod";
import { pluginKeySchema } from "../plugin.ts";
import { agentRef, oc } from "./refs.ts";

export const shortcuts = {
  /**
   * Calls a plugin as a press of its key does. `output`: what it says, which also stands in the conversation when one is named.
   * `busy`: the call before it has not ended, and none was made.
   */
  press: oc
    .route({ method: "POST", path: "/agents/{agentId}/shortcuts/press" })
    .input(
      agentRef.extend({
        plugin: pluginKeySchema,
        /** Of `contributions.shortcuts`. */
        id: z.string().min(1).max(200),
        sessionId: z.string().optional(),
      }),
    )
    .output(z.object({ output: z.string(), busy: z.boolean() })),
};
