import { z } from "zod";
import { callerSchema } from "../../agent.ts";
import { isObject } from "../../is-object.ts";
import {
  callWhySchema,
  explanationSchema,
  policyOverviewSchema,
  ruleDraftSchema,
  verdictChangeSchema,
} from "../../permissions/explanation.ts";
import { agentRef, oc } from "../refs.ts";
import { turnRef } from "./traces.ts";

/** A rule that refuses or asks may have held another one back. */
const allowsMore = (input: unknown) =>
  isObject(input) && isObject(input.rule) && input.rule.effect !== "allow";

/** Which tool may be used by whom, why, and what another rule would change. */
export const policies = {
  /** Every rule in the order in which it wins, and what holds for one conversation alone. */
  overview: oc
    .route({ method: "GET", path: "/agents/{agentId}/policies" })
    .input(agentRef)
    .output(policyOverviewSchema),
  /** What would happen if a caller asked for a tool. Nothing is run and no plugin is asked. */
  explain: oc
    .route({ method: "POST", path: "/agents/{agentId}/policies/explain" })
    .input(
      agentRef.extend({
        name: z.string().min(1),
        /** Without a role that of the channel's settings counts. */
        caller: callerSchema.default({ kind: "owner" }),
        sessionId: z.string().optional(),
        arguments: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .output(explanationSchema),
  /** Why a recorded call was allowed, asked about or refused. */
  call: oc
    .route({
      method: "GET",
      path: "/agents/{agentId}/sessions/{sessionId}/turns/{turnId}/calls/{toolCallId}/why",
    })
    .input(turnRef.extend({ toolCallId: z.string() }))
    .output(callWhySchema),
  /** What would change over all tools and callers with `rule` in the place of `replaces`. Nothing is stored. */
  preview: oc
    .route({ method: "POST", path: "/agents/{agentId}/policies/preview" })
    .input(
      agentRef.extend({
        /** Null: only without `replaces`. */
        rule: ruleDraftSchema.nullable(),
        replaces: ruleDraftSchema.nullable().default(null),
      }),
    )
    .output(
      z.object({
        /** At most 300. */
        changes: z.array(verdictChangeSchema),
        /** How many tools change for somebody. */
        tools: z.number().int(),
      }),
    ),
  /** Stores a rule, in the place of `replaces` where that is given and still there. */
  set: oc
    .route({ method: "PUT", path: "/agents/{agentId}/policies/rule" })
    .meta({ personOnly: [{ act: "policy" }] })
    .input(agentRef.extend({ rule: ruleDraftSchema, replaces: ruleDraftSchema.nullable().default(null) }))
    .output(policyOverviewSchema),
  remove: oc
    .route({ method: "POST", path: "/agents/{agentId}/policies/remove" })
    .meta({ personOnly: [{ act: "policy", when: allowsMore }] })
    .input(agentRef.extend({ rule: ruleDraftSchema }))
    .output(policyOverviewSchema),
  /** Ends what was allowed for the rest of a conversation: the next call asks again. */
  takeBack: oc
    .route({ method: "POST", path: "/agents/{agentId}/policies/take-back" })
    .input(agentRef.extend({ sessionId: z.string(), tool: z.string(), caller: callerSchema }))
    .output(policyOverviewSchema),
};
