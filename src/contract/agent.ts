import { z } from "zod";
import { grantsSchema } from "./grants.ts";
import { languages } from "./languages.ts";
import { modelConfigSchema } from "./models/config.ts";
import { agentThinkingSchema } from "./models/thinking.ts";
import { agentIdPattern, isSpeechAddress } from "./names.ts";
import { editedByPersonSchema } from "./pauses/by-person.ts";
import { problemSchema } from "./problem.ts";
import { ownOverPluginSchema } from "./tools/tool-info.ts";

export const agentIdSchema = z
  .string()
  .regex(agentIdPattern, "an agent id: lower-case letters, digits and dashes, at most 64 characters");

export const policyEffectSchema = z.enum(["allow", "ask", "deny"]);
export type PolicyEffect = z.infer<typeof policyEffectSchema>;

export const callerSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("owner"),
    /** The other program through which they asked, by the name that it gave itself; absent: Patchbay itself. */
    program: z.string().optional(),
  }),
  z.object({
    kind: z.literal("channel"),
    channel: z.string(),
    userId: z.string(),
    role: z.string().optional(),
  }),
]);
export type Caller = z.infer<typeof callerSchema>;

/** Where a rule came from. Written by the core alone. */
export const ruleOriginSchema = z.object({
  at: z.iso.datetime(),
  /** Where the person was; `screen`: on a screen that did not say which. */
  from: z.enum(["conversation", "approvals", "tools", "terminal", "screen"]),
  /** It was the answer "Always" to a waiting call. */
  answered: z.boolean(),
});
export type RuleOrigin = z.infer<typeof ruleOriginSchema>;

export const policyRuleSchema = z.object({
  /** Exact tool name, or a prefix that ends in `*`. */
  tool: z.string().min(1),
  effect: policyEffectSchema,
  /** Who the rule is for; absent: the owner. */
  callers: z
    .array(
      z.union([
        z.literal("owner"),
        z.literal("anyone"),
        z.object({ channel: z.string(), userId: z.string().optional(), role: z.string().optional() }),
      ]),
    )
    .optional(),
  /** Absent: stored by an older version, which did not keep it. */
  origin: ruleOriginSchema.optional(),
});
export type PolicyRule = z.infer<typeof policyRuleSchema>;

/**
 * What commands of the tool `shell` reach. `none`; `hosts`: the named ones, others are asked for one by one; `any`: the
 * public internet, and the named ones. This computer and its network are a question unless they are named.
 */
export const shellNetworkSchema = grantsSchema.shape.network;
export type ShellNetwork = z.infer<typeof shellNetworkSchema>;

/** In which language the agent's channels and commands speak by themselves; `app`: the language of the screens. */
export const chatLanguageSchema = z.enum(["app", ...languages]);
export type ChatLanguage = z.infer<typeof chatLanguageSchema>;

/** A service that speaks OpenAI's audio API. */
const speechServiceSchema = z.object({
  baseUrl: z.string().max(2_000).refine(isSpeechAddress, "a web address without a name, ? or # in it"),
  model: z.string().min(1).max(200),
  /** A secret of the vault, never the key itself; absent: the service needs none. */
  apiKey: z
    .string()
    .regex(/^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/, "the name of a secret, as ${NAME}")
    .optional(),
});
export type SpeechService = z.infer<typeof speechServiceSchema>;

export const voiceSchema = z.object({
  /** Turns voice notes into text; null: they stay files. */
  listen: speechServiceSchema
    .extend({
      /** Longer voice notes stay files. */
      maxMinutes: z.number().int().min(1).max(120),
    })
    .nullable(),
  /** Speaks answers; null: never. */
  speak: speechServiceSchema
    .extend({
      /** The name that the service gives the voice. */
      voice: z.string().min(1).max(200),
      /** `voice`: in answer to a voice note. */
      when: z.enum(["voice", "always"]),
    })
    .nullable(),
});
export type Voice = z.infer<typeof voiceSchema>;

export const agentSchema = z.object({
  id: agentIdSchema,
  name: z.string().min(1).max(80),
  instructions: z.string(),
  model: modelConfigSchema,
  /** How much the model thinks; absent: `default`. */
  thinking: agentThinkingSchema.optional(),
  /** Absolute path of its workspace folder. */
  workspace: z.string(),
  policy: z.array(policyRuleSchema),
  /** Most model calls in one turn. */
  maxSteps: z.number().int().min(1).max(200),
  /** Absent: the public internet. */
  shellNetwork: shellNetworkSchema.optional(),
  /** Absent: `app`. */
  chatLanguage: chatLanguageSchema.optional(),
  /** Absent: it neither listens nor speaks. */
  voice: voiceSchema.optional(),
  revision: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Agent = z.infer<typeof agentSchema>;

export const agentInputSchema = z.object({
  id: agentIdSchema.optional(),
  name: z.string().min(1).max(80),
  instructions: z.string().default(""),
  model: modelConfigSchema.default({ kind: "none" }),
  thinking: agentThinkingSchema.optional(),
  workspace: z.string().optional(),
  policy: z.array(policyRuleSchema).default([]),
  maxSteps: z.number().int().min(1).max(200).default(40),
});
export type AgentInput = z.infer<typeof agentInputSchema>;

/** A field that is absent stays as it is. No field may have a default: it would overwrite the stored value. */
export const agentPatchSchema = z.object({
  name: agentSchema.shape.name.optional(),
  instructions: agentSchema.shape.instructions.optional(),
  model: modelConfigSchema.optional(),
  thinking: agentThinkingSchema.optional(),
  workspace: z.string().optional(),
  policy: z.array(policyRuleSchema).optional(),
  maxSteps: agentSchema.shape.maxSteps.optional(),
  shellNetwork: agentSchema.shape.shellNetwork,
  chatLanguage: agentSchema.shape.chatLanguage,
  voice: agentSchema.shape.voice,
  revision: z.number().int().optional(),
});
export type AgentPatch = z.infer<typeof agentPatchSchema>;

/** An agent as the list of agents shows it, with what the switcher needs. */
export const agentViewSchema = agentSchema.extend({
  pluginsOn: z.number().int(),
  /** The state of its worst plugin, for the tray and the switcher. */
  worst: z.enum(["ok", "needs_setup", "problem"]),
  /** The model's name on the screen. */
  modelLabel: z.string(),
});
export type AgentView = z.infer<typeof agentViewSchema>;

export const approvalSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  sessionId: z.string(),
  turnId: z.string().nullable(),
  toolCallId: z.string(),
  /** The tool's name on the wire, `<namespace>__<tool>`; policy rules use this name. */
  tool: z.string(),
  /** The tool's name on the screen, in the form of its plugin system. */
  title: z.string(),
  /** Plugin key of the tool's owner; null for a built-in. */
  owner: z.string().nullable(),
  /** What the tool does, in its owner's words; absent for approvals of older versions. */
  does: z.string().optional(),
  /** It is Patchbay's own, and so are its words. Absent: its owner's. */
  ours: ownOverPluginSchema.optional(),
  /** The arguments after all hooks. When the call is allowed, it runs with exactly these. */
  arguments: z.record(z.string(), z.unknown()),
  /** Plugins that changed the arguments, in order. */
  changedBy: z.array(z.string()),
  editedByPerson: editedByPersonSchema.optional(),
  caller: callerSchema,
  /** Four digits that a person types where a channel has no buttons; empty for approvals of older versions. */
  shortId: z.string().default(""),
  status: z.enum(["waiting", "allowed", "denied", "timed_out", "cancelled"]),
  /** Who decided; null while it waits and when nobody did. */
  decidedBy: callerSchema.nullable().default(null),
  /** What an allowed approval covers: this call, the rest of the session, or every later call. */
  scope: z.enum(["once", "session", "always"]).nullable(),
  reason: z.string().nullable(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable(),
});
export type Approval = z.infer<typeof approvalSchema>;

export const approvalDecisionSchema = z.discriminatedUnion("decision", [
  z.object({
    decision: z.literal("allow"),
    scope: z.enum(["once", "session", "always"]).default("once"),
    /** Where on the screens it was given; kept with the rule of an "always". */
    place: z.enum(["conversation", "approvals"]).optional(),
  }),
  z.object({ decision: z.literal("deny"), reason: z.string().optional() }),
]);
export type ApprovalDecision = z.infer<typeof approvalDecisionSchema>;

export const noticeSchema = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  level: z.enum(["info", "warn", "error"]),
  problem: problemSchema,
  dismissed: z.boolean(),
});
export type Notice = z.infer<typeof noticeSchema>;
