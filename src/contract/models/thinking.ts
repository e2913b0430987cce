import { z } from "zod";

/** How much a model thinks before it answers, from nothing to all that it can. */
export const modelThinkingSchema = z.enum(["off", "minimal", "low", "medium", "high", "xhigh", "max"]);
export type ModelThinking = z.infer<typeof modelThinkingSchema>;

/** What an agent is set to; `default`: what the provider does by itself, and nothing is said of it. */
export const agentThinkingSchema = z.enum(["default", ...modelThinkingSchema.options]);
export type AgentThinking = z.infer<typeof agentThinkingSchema>;
