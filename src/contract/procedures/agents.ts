import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import type { ProcedureMeta } from "../access.ts";
import {
  agentIdSchema,
  agentInputSchema,
  agentPatchSchema,
  agentViewSchema,
  approvalDecisionSchema,
  approvalSchema,
  dialogAnswerSchema,
  dialogSchema,
  policyRuleSchema,
} from "../agent.ts";
import { commandInfoSchema, hookInfoSchema, toolInfoSchema } from "../agent-plugin.ts";
import { isObject } from "../is-object.ts";
import { toolRightsSchema } from "../permissions/tool-rights.ts";
import { contentPartSchema, hookTraceSchema, toolTraceSchema } from "../turn.ts";
import { agentRef, done, has, idRef, leadsElsewhere, oc } from "./refs.ts";

/** A rule says what is done without a question; another address of a model gets the key that the agent has for it. */
const agentMeta = {
  personOnly: [
    { act: "policy", when: (input) => isObject(input) && !isEmpty(input.policy) },
    { act: "grant", when: (input) => leadsElsewhere(input), of: "programs" },
  ],
} satisfies ProcedureMeta;
const isEmpty = (list: unknown) => list === undefined || (Array.isArray(list) && list.length === 0);

export const agents = {
  list: oc.route({ method: "GET", path: "/agents" }).output(z.array(agentViewSchema)),
  get: oc.route({ method: "GET", path: "/agents/{agentId}" }).input(agentRef).output(agentViewSchema),
  create: oc
    .route({ method: "POST", path: "/agents" })
    .meta(agentMeta)
    .input(agentInputSchema)
    .output(agentViewSchema),
  update: oc
    .route({ method: "PATCH", path: "/agents/{agentId}" })
    .meta({
      personOnly: [
        { act: "policy", when: has("policy") },
        { act: "grant", when: has("shellNetwork") },
        ...agentMeta.personOnly.slice(1),
      ],
    })
    .input(agentRef.extend(agentPatchSchema.shape).strict())
    .output(agentViewSchema),
  remove: oc.route({ method: "DELETE", path: "/agents/{agentId}" }).input(agentRef).output(done),
};

const toolCallMeta = {
  personOnly: [{ act: "run", when: has("yes", true), of: "programs" }],
} satisfies ProcedureMeta;
const toolCallInput = agentRef.extend({
  name: z.string(),
  input: z.record(z.string(), z.unknown()).default({}),
  sessionId: z.string().optional(),
  /** The owner allows exactly this call in advance, so that it does not wait for an approval. */
  yes: z.boolean().default(false),
});
const toolAnswerSchema = z.object({
  content: z.array(contentPartSchema),
  details: z.unknown().optional(),
  trace: toolTraceSchema,
});

export const tools = {
  list: oc
    .route({ method: "GET", path: "/agents/{agentId}/tools" })
    .input(agentRef)
    .output(z.array(toolInfoSchema)),
  /** What the agent may do: every tool with its rule, and where that came from. */
  rights: oc
    .route({ method: "GET", path: "/agents/{agentId}/tools/rights" })
    .input(agentRef)
    .output(toolRightsSchema),
  /** What the owner wants of one tool; null takes their rule back, so that the default holds. */
  setRule: oc
    .route({ method: "PUT", path: "/agents/{agentId}/tools/{name}/rule" })
    .meta({ personOnly: [{ act: "policy" }] })
    .input(agentRef.extend({ name: z.string().min(1), effect: z.enum(["allow", "ask"]).nullable() }))
    .output(toolRightsSchema),
  /** Takes a tool away from everybody, or gives it back with the rules that it had. */
  offer: oc
    .route({ method: "PUT", path: "/agents/{agentId}/tools/{name}/offered" })
    .meta({ personOnly: [{ act: "policy", when: has("offered", true) }] })
    .input(agentRef.extend({ name: z.string().min(1), offered: z.boolean() }))
    .output(toolRightsSchema),
  /** Takes back what was allowed without a question. Never allows more than before. */
  revoke: oc
    .route({ method: "POST", path: "/agents/{agentId}/rules/revoke" })
    .input(agentRef.extend(policyRuleSchema.pick({ tool: true, callers: true }).shape))
    .output(toolRightsSchema),
  call: oc
    .route({ method: "POST", path: "/agents/{agentId}/tools/{name}/call" })
    .meta(toolCallMeta)
    .input(toolCallInput)
    .output(toolAnswerSchema),
  /**
   * The same call, told while it happens: what the tool says meanwhile (`progress`: lines of its output, or how far it
   * is), and its answer as the last event. Who stops reading stops the call.
   */
  run: oc
    .route({ method: "POST", path: "/agents/{agentId}/tools/{name}/run" })
    .meta(toolCallMeta)
    .input(toolCallInput)
    .output(
      eventIterator(
        z.discriminatedUnion("type", [
          z.object({ type: z.literal("progress"), text: z.string() }),
          toolAnswerSchema.extend({ type: z.literal("done") }),
        ]),
      ),
    ),
};

export const hooks = {
  list: oc
    .route({ method: "GET", path: "/agents/{agentId}/hooks" })
    .input(agentRef)
    .output(
      z.array(
        hookInfoSchema.extend({
          owner: z.string(),
          calls: z.number().int(),
          failures: z.number().int(),
          p50Ms: z.number().nullable(),
        }),
      ),
    ),
  fire: oc
    .route({ method: "POST", path: "/agents/{agentId}/hooks/{event}/fire" })
    .input(agentRef.extend({ event: z.string(), input: z.record(z.string(), z.unknown()).default({}) }))
    .output(
      z.object({
        /** The payload after all transforms. */
        payload: z.unknown(),
        denied: z.object({ owner: z.string(), reason: z.string() }).nullable(),
        hooks: z.array(hookTraceSchema),
      }),
    ),
};

export const commands = {
  list: oc
    .route({ method: "GET", path: "/agents/{agentId}/commands" })
    .input(agentRef)
    .output(z.array(commandInfoSchema)),
  run: oc
    .route({ method: "POST", path: "/agents/{agentId}/commands/run" })
    .input(agentRef.extend({ text: z.string().startsWith("/"), sessionId: z.string().optional() }))
    .output(z.object({ output: z.string() })),
};

/** "Always" becomes a rule. A program may refuse a call, and allow one only for the person. */
const decidingMeta = {
  personOnly: [
    { act: "policy", when: (input) => isAnswer(input, "always") },
    { act: "run", when: (input) => isAnswer(input), of: "programs" },
  ],
} satisfies ProcedureMeta;

function isAnswer(input: unknown, scope?: string): boolean {
  if (!isObject(input) || !isObject(input.answer) || input.answer.decision !== "allow") return false;
  return scope === undefined || input.answer.scope === scope;
}

export const approvals = {
  list: oc.route({ method: "GET", path: "/approvals" }).output(z.array(approvalSchema)),
  /**
   * Approvals that were decided, the newest first, including those from before the last start; at most 500 for each
   * agent.
   */
  history: oc
    .route({ method: "GET", path: "/approvals/history" })
    .input(z.object({ agentId: agentIdSchema.optional() }))
    .output(z.array(approvalSchema)),
  decide: oc
    .route({ method: "POST", path: "/approvals/{id}/decide" })
    .meta(decidingMeta)
    .input(idRef.extend({ answer: approvalDecisionSchema }))
    .output(approvalSchema),
};

export const dialogs = {
  list: oc.route({ method: "GET", path: "/dialogs" }).output(z.array(dialogSchema)),
  answer: oc
    .route({ method: "POST", path: "/dialogs/{id}/answer" })
    // The answer by which a plugin gets a host for good. The screens show the question.
    .meta({ personOnly: [{ act: "grant", when: has("answer", "always"), of: "programs" }] })
    .input(idRef.extend({ answer: dialogAnswerSchema }))
    .output(done),
};
