import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import type { ProcedureMeta } from "../../access.ts";
import {
  breakpointInputSchema,
  breakpointSchema,
  pauseAnswerSchema,
  pauseSchema,
  pauseStateSchema,
  pauseViewSchema,
} from "../../pauses/pauses.ts";
import { agentRef, done, idRef, oc } from "../refs.ts";

/** What a turn is about, and what becomes of it, is for the person alone. Their screens show it. */
const persons = { personOnly: [{ act: "pause", of: "programs" }] } satisfies ProcedureMeta;

const breakpointRef = agentRef.extend(idRef.shape);

/** Places at which an agent's turns are stopped. They are kept until Patchbay is closed. */
export const breakpoints = {
  list: oc
    .route({ method: "GET", path: "/agents/{agentId}/breakpoints" })
    .meta(persons)
    .input(agentRef)
    .output(z.array(breakpointSchema)),
  add: oc
    .route({ method: "POST", path: "/agents/{agentId}/breakpoints" })
    .meta(persons)
    .input(agentRef.extend(breakpointInputSchema.shape))
    .output(breakpointSchema),
  /** Puts other words, filters or another condition into one; its hits are counted on. */
  change: oc
    .route({ method: "PUT", path: "/agents/{agentId}/breakpoints/{id}" })
    .meta(persons)
    .input(breakpointRef.extend(breakpointInputSchema.shape))
    .output(breakpointSchema),
  remove: oc
    .route({ method: "DELETE", path: "/agents/{agentId}/breakpoints/{id}" })
    .meta(persons)
    .input(breakpointRef)
    .output(done),
  /** Stops the agent's turns once at the next place that one of them reaches, or takes this back. */
  next: oc
    .route({ method: "PUT", path: "/agents/{agentId}/pause-next" })
    .meta(persons)
    .input(agentRef.extend({ on: z.boolean() }))
    .output(done),
};

export const pauses = {
  /** What stands still now, oldest first. */
  list: oc.route({ method: "GET", path: "/pauses" }).meta(persons).output(z.array(pauseSchema)),
  /**
   * The pauses and breakpoints of all agents, now and after each change. While nobody reads this, a pause goes on by itself
   * after ten minutes.
   */
  watch: oc
    .route({ method: "GET", path: "/pauses/watch" })
    .meta(persons)
    .output(eventIterator(pauseStateSchema)),
  /** What the turn is about that stands still. */
  look: oc.route({ method: "GET", path: "/pauses/{id}" }).meta(persons).input(idRef).output(pauseViewSchema),
  /** Lets it go on. What was changed has to fit: else it stands still. */
  resume: oc
    .route({ method: "POST", path: "/pauses/{id}/resume" })
    .meta(persons)
    .input(idRef.extend({ answer: pauseAnswerSchema }))
    .output(done),
};
