import { z } from "zod";
import type { ProcedureMeta } from "../access.ts";
import {
  agentIdSchema,
  agentInputSchema,
  agentPatchSchema,
  agentViewSchema,
  approvalDecisionSchema,
  approvalSchema,
} from "../agent.ts";
import { dialogAnswerSchema, dialogSchema } from "../dialogs/dialog.ts";
import { isObject } from "../is-object.ts";
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
