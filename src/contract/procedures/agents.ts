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
} from "../agent.ts";
import { isObject } from "../is-object.ts";
import { foundSessionSchema, sessionEntrySchema, sessionSchema, traceEntrySchema } from "../turn.ts";
import { turnEventSchema } from "../turn-event.ts";
import { agentRef, done, has, idRef, leadsElsewhere, oc, sessionRef } from "./refs.ts";

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

export const sessions = {
  list: oc
    .route({ method: "GET", path: "/agents/{agentId}/sessions" })
    .input(agentRef)
    .output(z.array(sessionSchema)),
  create: oc
    .route({ method: "POST", path: "/agents/{agentId}/sessions" })
    .input(agentRef.extend({ title: z.string().optional() }))
    .output(sessionSchema),
  /** Newest first, at most 50; without words all of them. */
  search: oc
    .route({ method: "POST", path: "/agents/{agentId}/sessions/search" })
    .input(agentRef.extend({ words: z.string().max(500) }))
    .output(z.array(foundSessionSchema)),
  rename: oc
    .route({ method: "PATCH", path: "/agents/{agentId}/sessions/{sessionId}" })
    .input(sessionRef.extend({ title: z.string().trim().min(1).max(200) }))
    .output(sessionSchema),
  entries: oc
    .route({ method: "GET", path: "/agents/{agentId}/sessions/{sessionId}" })
    .input(sessionRef)
    .output(z.array(sessionEntrySchema)),
  trace: oc
    .route({ method: "GET", path: "/agents/{agentId}/sessions/{sessionId}/trace" })
    .input(sessionRef)
    .output(z.array(traceEntrySchema)),
  close: oc
    .route({ method: "POST", path: "/agents/{agentId}/sessions/{sessionId}/close" })
    .input(sessionRef)
    .output(done),
  /** Stops what runs in it and removes it; it is kept for a while, see `removed`. */
  remove: oc
    .route({ method: "DELETE", path: "/agents/{agentId}/sessions/{sessionId}" })
    .input(sessionRef)
    .output(done),
  watch: oc
    .route({ method: "GET", path: "/agents/{agentId}/sessions/{sessionId}/events" })
    .input(sessionRef)
    .output(eventIterator(turnEventSchema)),
  /** Runs one turn (or a slash command) and streams it; the last event is `turn_ended` or `command`. */
  prompt: oc
    .route({ method: "POST", path: "/agents/{agentId}/prompt" })
    .input(agentRef.extend({ text: z.string().min(1).max(1_000_000), sessionId: z.string().optional() }))
    .output(eventIterator(turnEventSchema)),
  /** Runs the last turn once more where it failed or was stopped, without repeating its message; streams as `prompt` does. */
  retry: oc
    .route({ method: "POST", path: "/agents/{agentId}/sessions/{sessionId}/retry" })
    .input(sessionRef)
    .output(eventIterator(turnEventSchema)),
  /**
   * Goes on from an entry of the conversation's tree, when nothing runs in it any more. `before`: before it; a message's text is then
   * given back, to be written anew.
   */
  fork: oc
    .route({ method: "POST", path: "/agents/{agentId}/sessions/{sessionId}/fork" })
    .input(sessionRef.extend({ entryId: z.string(), at: z.enum(["before", "at"]) }))
    .output(z.object({ restore: z.string().nullable() })),
  /** Names an entry; null takes its name away. */
  label: oc
    .route({ method: "POST", path: "/agents/{agentId}/sessions/{sessionId}/label" })
    .input(sessionRef.extend({ entryId: z.string(), label: z.string().trim().min(1).max(200).nullable() }))
    .output(done),
  abort: oc
    .route({ method: "POST", path: "/agents/{agentId}/sessions/{sessionId}/abort" })
    .input(sessionRef)
    .output(done),
};
