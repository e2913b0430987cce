import { z } from "zod";
import { policyEffectSchema, policyRuleSchema } from "../agent.ts";
import { toolInfoSchema } from "../tools/tool-info.ts";

/** Why a tool that no rule names is allowed, asked about or refused. */
export const toolDefaultSchema = z.enum([
  "builtin_reads",
  "builtin_acts",
  "dangerous",
  "unknown",
  "trusted_reads",
  "plugin",
  "chats",
]);
export type ToolDefault = z.infer<typeof toolDefaultSchema>;

/** What the agent may do with a tool when its owner asks for it. */
export const toolRightSchema = toolInfoSchema.extend({
  effect: policyEffectSchema,
  /** The rule that decided; null: the default did. */
  rule: policyRuleSchema.nullable(),
  /** The default that holds without a rule. */
  byDefault: toolDefaultSchema,
  /** Offered to people in chats alone. */
  inChatsOnly: z.boolean(),
});
export type ToolRight = z.infer<typeof toolRightSchema>;

export const toolRightsSchema = z.object({
  /** Of built-in tools and of plugins that run. */
  tools: z.array(toolRightSchema),
  /** All stored rules, also those for tools that are not there at present. */
  rules: z.array(policyRuleSchema),
});
export type ToolRights = z.infer<typeof toolRightsSchema>;
