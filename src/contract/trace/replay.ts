import { z } from "zod";
import { pluginKeySchema } from "../plugin.ts";

/** What of a replay is taken from the record, and what is really asked. */
export const replayWishSchema = z.object({
  /** `live`: the hooks of the agent's running plugins are really asked. */
  plugins: z.enum(["recorded", "live"]).default("recorded"),
  /** `live`: tools are really run; the person is asked about calls that they did not answer for then. */
  tools: z.enum(["recorded", "live"]).default("recorded"),
  /** Keys of plugins that are left out: neither their hooks are asked nor their tools offered. */
  without: z.array(pluginKeySchema).max(100).default([]),
  /**
   * By plugin key a version that is asked in the place of the running one: one that is kept for a roll-back. It runs
   * beside it for as long as the replay does, and leaves nothing behind in its storage.
   */
  versions: z
    .record(pluginKeySchema, z.string().min(1).max(200))
    .refine((versions) => Object.keys(versions).length <= 10, "at most 10 plugins")
    .default({}),
  /** `recorded`: the recorded answers in their order; `own`: the agent's; another name: that model of its provider. */
  model: z.string().min(1).max(200).default("recorded"),
});
export type ReplayWish = z.infer<typeof replayWishSchema>;

/** A turn that was run again. It is no part of the conversation, and goes when there are too many, or with the app. */
export const replaySchema = replayWishSchema.extend({
  id: z.string(),
  agentId: z.string(),
  sessionId: z.string(),
  turnId: z.string(),
  /** The message of the turn. */
  text: z.string(),
  at: z.iso.datetime(),
  /** Milliseconds that it took. */
  ms: z.number(),
  outcome: z.enum(["done", "failed", "aborted"]),
  /** How many differences to the recorded turn there are that nothing else explains, and how many follow from those. */
  own: z.number().int().nonnegative(),
  following: z.number().int().nonnegative(),
});
export type Replay = z.infer<typeof replaySchema>;

/** A turn that is compared: a recorded one of a conversation, or a replay. */
export const turnSideSchema = z.union([
  z.object({ sessionId: z.string(), turnId: z.string() }),
  z.object({ replayId: z.string() }),
]);
export type TurnSide = z.infer<typeof turnSideSchema>;

/**
 * What of a turn that is kept as a test has to be the same: which tools are called with which final arguments, what hooks,
 * rules and the person decided, what the person reads at the end, what tools gave, what models were sent.
 */
export const testPartSchema = z.enum(["calls", "decisions", "text", "results", "messages"]);
export type TestPart = z.infer<typeof testPartSchema>;
