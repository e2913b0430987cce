import { z } from "zod";

/** Which tools of a plugin the person switched for an agent. */
export const toolSwitchesSchema = z.object({
  /** By the tool's name on the wire, whether it is on. */
  tools: z.record(z.string().min(1).max(128), z.boolean()),
  /** Whether a tool that is not named is on. */
  others: z.boolean(),
});
export type ToolSwitches = z.infer<typeof toolSwitchesSchema>;
