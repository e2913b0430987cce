import { z } from "zod";
import { suspicionSchema } from "./said.ts";

/**
 * Why a tool that is there is not offered. `held`: it changed what it says, and the person has not agreed to that; `new`: it
 * came later than what the person agreed to; `off`: it is switched off for the agent; `beyond`: its plugin has more tools than are offered, and it was not chosen.
 */
export const withheldSchema = z.enum(["held", "new", "off", "beyond"]);
export type Withheld = z.infer<typeof withheldSchema>;

/** A tool of Patchbay's own over what a plugin has at addresses. */
export const readingToolSchema = z.enum(["list_resources", "read_resource"]);
export type ReadingTool = z.infer<typeof readingToolSchema>;

/** What of Patchbay's own hands out what a plugin offers to people, to other programs and by hand. */
const passingSchema = z.enum(["prompts", "resources"]);

/** Everything of Patchbay's own over what a plugin offers. Its words are no plugin's. */
export const ownOverPluginSchema = z.enum([...readingToolSchema.options, ...passingSchema.options]);
export type OwnOverPlugin = z.infer<typeof ownOverPluginSchema>;

export const toolInfoSchema = z.object({
  /** On the wire: `<namespace>__<tool>`, or the bare name of a built-in. */
  name: z.string(),
  /** On the screen: `namespace.tool`. */
  title: z.string(),
  label: z.string().optional(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  readOnly: z.boolean(),
  /**
   * How dangerous the tool's author says it is. Absent where the plugin system cannot say so; `unknown` where it can,
   * but the author did not.
   */
  danger: z.enum(["safe", "dangerous", "unknown"]).optional(),
  /** Plugin key; null for a built-in. */
  owner: z.string().nullable(),
  /** It is not the plugin's own, and is off until the person switches it on. Set by the core alone. */
  reading: readingToolSchema.optional(),
  /**
   * Set by the core alone: it hands out what the plugin offers to people, to other programs and by hand. No model is offered
   * it. Absent: a tool.
   */
  passes: passingSchema.optional(),
  /** Set by the core alone; absent: it is offered. */
  withheld: withheldSchema.optional(),
  /** Set by the core alone: what in its words may be meant to mislead. Absent: nothing. */
  suspicious: z.array(suspicionSchema).optional(),
});
export type ToolInfo = z.infer<typeof toolInfoSchema>;
