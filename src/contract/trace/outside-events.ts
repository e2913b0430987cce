import { z } from "zod";
import { callerSchema } from "../agent.ts";
import { problemSchema } from "../problem.ts";
import { json, place, tokens } from "./event-parts.ts";

/**
 * Somebody was asked a question in the middle of the call of this span, which waits for the answer. The limit of the
 * call stands still meanwhile.
 */
export const dialogAsked = z.object({
  type: z.literal("dialog_asked"),
  ...place,
  dialogId: z.string(),
  /** Key of the plugin that asks; null: Patchbay does, about what the call tries. */
  owner: z.string().nullable(),
  /** A `DialogQuestion`. */
  question: json,
});

export const dialogAnswered = z.object({
  type: z.literal("dialog_answered"),
  ...place,
  dialogId: z.string(),
  owner: z.string().nullable(),
  /** A `DialogAnswer`; null when nobody answered, and for an answer that is `secret`. */
  answer: json,
  secret: z.literal(true).optional(),
  /** `gone`: what asked does not wait any more, because it was stopped or Patchbay closes. */
  end: z.enum(["answered", "timed_out", "gone"]),
  answeredBy: callerSchema.nullable(),
});

/**
 * The agent's model was asked for a plugin in the middle of the call of this span, and answered. `usage` and `cost`: as of
 * `model_answered`.
 */
export const modelLent = z.object({
  type: z.literal("model_lent"),
  ...place,
  owner: z.string(),
  model: z.string(),
  stopReason: z.string().nullable(),
  usage: tokens.extend({ thinking: z.number().optional() }).nullable(),
  cost: tokens.extend({ total: z.number() }).optional(),
  problem: problemSchema.nullable(),
  /** What was asked, and what the provider answered. */
  request: json,
  response: json,
});

/** A plugin of the agent was started, was stopped, or could not start or go on, while the turn ran. */
export const pluginRan = z.object({
  type: z.literal("plugin_ran"),
  ...place,
  owner: z.string(),
  what: z.enum(["started", "stopped", "failed"]),
  /** Of one that started: its version, and milliseconds until it ran. */
  version: z.string().optional(),
  ms: z.number().optional(),
  /** Of one that was stopped. */
  reason: z.enum(["disabled", "restart", "shutdown"]).optional(),
  /**
   * Of one that failed. Of a process that ended, `details` has its `exitCode` or `signal` and the last lines of its
   * error output.
   */
  problem: problemSchema.optional(),
});
