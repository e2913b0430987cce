import { eventIterator, oc } from "@orpc/contract";
import { z } from "zod";
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
import { commandInfoSchema, hookInfoSchema, toolInfoSchema } from "../agent-plugin.ts";
import {
  contentPartSchema,
  hookTraceSchema,
  sessionEntrySchema,
  sessionSchema,
  toolTraceSchema,
  traceEntrySchema,
} from "../turn.ts";
import { turnEventSchema } from "../turn-event.ts";
import { agentRef, done, idRef, sessionRef } from "./refs.ts";

export const agents = {
  list: oc.route({ method: "GET", path: "/agents" }).output(z.array(agentViewSchema)),
  get: oc.route({ method: "GET", path: "/agents/{agentId}" }).input(agentRef).output(agentViewSchema),
  create: oc.route({ method: "POST", path: "/agents" }).input(agentInputSchema).output(agentViewSchema),
  update: oc
    .route({ method: "PATCH", path: "/agents/{agentId}" })
    .input(agentRef.extend(agentPatchSchema.shape))
    .output(agentViewSchema),
  remove: oc.route({ method: "DELETE", path: "/agents/{agentId}" }).input(agentRef).output(done),
};

export const tools = {
  list: oc
    .route({ method: "GET", path: "/agents/{agentId}/tools" })
    .input(agentRef)
    .output(z.array(toolInfoSchema)),
  call: oc
    .route({ method: "POST", path: "/agents/{agentId}/tools/{name}/call" })
    .input(
      agentRef.extend({
        name: z.string(),
        input: z.record(z.string(), z.unknown()).default({}),
        sessionId: z.string().optional(),
        /** The owner allows exactly this call in advance, so that it does not wait for an approval. */
        yes: z.boolean().default(false),
      }),
    )
    .output(
      z.object({
        content: z.array(contentPartSchema),
        details: z.unknown().optional(),
        trace: toolTraceSchema,
      }),
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
    .input(idRef.extend({ answer: approvalDecisionSchema }))
    .output(approvalSchema),
};

export const dialogs = {
  list: oc.route({ method: "GET", path: "/dialogs" }).output(z.array(dialogSchema)),
  answer: oc
    .route({ method: "POST", path: "/dialogs/{id}/answer" })
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
  watch: oc
    .route({ method: "GET", path: "/agents/{agentId}/sessions/{sessionId}/events" })
    .input(sessionRef)
    .output(eventIterator(turnEventSchema)),
  /** Runs one turn (or a slash command) and streams it; the last event is `turn_ended` or `command`. */
  prompt: oc
    .route({ method: "POST", path: "/agents/{agentId}/prompt" })
    .input(agentRef.extend({ text: z.string().min(1).max(1_000_000), sessionId: z.string().optional() }))
    .output(eventIterator(turnEventSchema)),
  abort: oc
    .route({ method: "POST", path: "/agents/{agentId}/sessions/{sessionId}/abort" })
    .input(sessionRef)
    .output(done),
};
