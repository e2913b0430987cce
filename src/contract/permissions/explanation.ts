import { z } from "zod";
import { type Caller, callerSchema, policyEffectSchema, policyRuleSchema } from "../agent.ts";
import { problemSchema } from "../problem.ts";
import { toolDefaultSchema } from "./tool-rights.ts";

/** A rule as somebody wants it; where it came from is for the core to say. */
export const ruleDraftSchema = policyRuleSchema.omit({ origin: true }).extend({
  tool: z.string().min(1).max(200),
  callers: policyRuleSchema.shape.callers.unwrap().min(1).max(100).optional(),
});
export type RuleDraft = z.infer<typeof ruleDraftSchema>;

/**
 * Why a rule that names the tool did not decide. `caller`: it is not for whoever asked. `chats`: with a wildcard, and no
 * wildcard opens a dangerous tool to chats. `dangerous`: with a wildcard, and none allows a dangerous tool without a
 * question. `less_exact`: another one names the tool more exactly. `less_strict`: one as exact is stricter. `twin`: the
 * same stands before it.
 */
export const lostReasonSchema = z.enum(["caller", "chats", "dangerous", "less_exact", "less_strict", "twin"]);
export type LostReason = z.infer<typeof lostReasonSchema>;

/** What the policy says of a call, and why. */
export const judgementSchema = z.object({
  effect: policyEffectSchema,
  decided: z.discriminatedUnion("by", [
    z.object({ by: z.literal("rule"), rule: policyRuleSchema }),
    z.object({ by: z.literal("default"), why: toolDefaultSchema }),
  ]),
  /** The other rules that name the tool, in the order in which they would win. */
  others: z.array(z.object({ rule: policyRuleSchema, lost: lostReasonSchema })),
});
export type Judgement = z.infer<typeof judgementSchema>;

const toolNames = {
  tool: z.string(),
  /** The tool's name on the screen. */
  title: z.string(),
  /** Plugin key; null for a built-in. */
  owner: z.string().nullable(),
};

/** What would happen if a caller asked for a tool now. */
export const explanationSchema = z.object({
  ...toolNames,
  /** With the role that the person has at that channel. */
  caller: callerSchema,
  judgement: judgementSchema,
  /** The model is told of the tool when this caller asks. */
  offered: z.boolean(),
  /** Allowed for the rest of the conversation that was asked about. */
  forSession: z.boolean(),
  /** Plugins that are asked before the call and may refuse or change it, in their order. What they say is not known before. */
  hooks: z.array(z.string()),
  /** Plugins without whose word no call happens, and which do not run. */
  missing: z.array(z.string()),
  /** What is wrong with the arguments; null: nothing, or none were given. */
  problem: problemSchema.nullable(),
});
export type Explanation = z.infer<typeof explanationSchema>;

/** Why a recorded call was allowed, asked about or refused, and by whom. */
export const callWhySchema = z.object({
  ...toolNames,
  caller: callerSchema,
  /** As it was recorded. */
  effect: policyEffectSchema,
  rule: z.string(),
  /** By the rules that held when the turn began; null when they say something else: one changed during the turn. */
  judgement: judgementSchema.nullable(),
  /** What came after the rules, in order. */
  after: z.array(
    z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("rewritten"), by: z.array(z.string()) }),
      z.object({ kind: z.literal("vetoed"), by: z.string(), reason: z.string().nullable() }),
      z.object({ kind: z.literal("known"), basis: z.enum(["in-advance", "session"]) }),
      z.object({
        kind: z.literal("answered"),
        status: z.enum(["allowed", "denied", "timed_out", "cancelled"]),
        scope: z.enum(["once", "session", "always"]).nullable(),
        by: callerSchema.nullable(),
        reason: z.string().nullable(),
      }),
    ]),
  ),
  /** What the rules of now say of the same call; null when the tool is not there. */
  now: policyEffectSchema.nullable(),
});
export type CallWhy = z.infer<typeof callWhySchema>;

/** A tool whose verdict for a caller another set of rules changes. */
export const verdictChangeSchema = z.object({
  ...toolNames,
  caller: callerSchema,
  before: policyEffectSchema,
  after: policyEffectSchema,
});
export type VerdictChange = z.infer<typeof verdictChangeSchema>;

/** A tool that the person allowed for the rest of one conversation. */
export const allowanceSchema = z.object({
  sessionId: z.string(),
  /** The conversation's title. */
  session: z.string(),
  ...toolNames,
  caller: callerSchema,
  at: z.iso.datetime(),
});
export type Allowance = z.infer<typeof allowanceSchema>;

export const policyOverviewSchema = z.object({
  /** In the order in which they win. */
  rules: z.array(
    z.object({
      rule: policyRuleSchema,
      /** Names of the tools of now that it names. */
      names: z.array(z.string()),
      /** Of those, for how many it decides for at least one of `callers`. */
      decides: z.number().int(),
    }),
  ),
  allowances: z.array(allowanceSchema),
  /** Who may ask: the person, somebody at each channel, and whoever is known there or named by a rule. */
  callers: z.array(callerSchema),
});
export type PolicyOverview = z.infer<typeof policyOverviewSchema>;

/** The id of somebody at a channel of whom nothing is known. No rule names it. */
export const anybody = "";

/** The same caller, or not: for comparing and as a key. */
export function callerKey(caller: Caller): string {
  return caller.kind === "owner"
    ? "owner"
    : JSON.stringify([caller.channel, caller.userId, caller.role ?? null]);
}
