import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import type { ProcedureMeta } from "../access.ts";
import { approvalSchema, policyRuleSchema } from "../agent.ts";
import { commandInfoSchema, hookInfoSchema } from "../agent-plugin.ts";
import { firedHookSchema, mostRepetitions, repeatedCallSchema } from "../by-hand/by-hand.ts";
import { toolRightsSchema } from "../permissions/tool-rights.ts";
import { askingProgramSchema } from "../programs/programs.ts";
import { toolInfoSchema } from "../tools/tool-info.ts";
import { contentPartSchema, toolTraceSchema } from "../turn.ts";
import { agentRef, has, oc } from "./refs.ts";

const toolCallMeta = {
  personOnly: [
    { act: "run", when: has("yes", true), of: "programs" },
    { act: "run", when: has("straight", true), of: "programs" },
  ],
} satisfies ProcedureMeta;

/**
 * No hook is asked or told, required ones neither; schema and policy hold. Whoever asks for it allows the call: it does not
 * wait for an approval.
 */
const straight = z.boolean().default(false);
const toolCallInput = agentRef.extend({
  name: z.string(),
  input: z.record(z.string(), z.unknown()).default({}),
  sessionId: z.string().optional(),
  /** The owner allows exactly this call in advance, so that it does not wait for an approval. */
  yes: z.boolean().default(false),
  straight,
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
   * is), the approval that it waits for and what became of it, and its answer as the last event. Who stops reading stops
   * the call.
   */
  run: oc
    .route({ method: "POST", path: "/agents/{agentId}/tools/{name}/run" })
    .meta(toolCallMeta)
    .input(toolCallInput.extend({ program: askingProgramSchema.optional() }))
    .output(
      eventIterator(
        z.discriminatedUnion("type", [
          z.object({ type: z.literal("progress"), text: z.string() }),
          z.object({ type: z.literal("approval"), approval: approvalSchema }),
          toolAnswerSchema.extend({ type: z.literal("done") }),
        ]),
      ),
    ),
  /**
   * The same call again and again, one after the other, told as each ends; the last event is that of the last call. A call
   * that would wait for an approval is refused, and is the last. Who stops reading stops it.
   */
  repeat: oc
    .route({ method: "POST", path: "/agents/{agentId}/tools/{name}/repeat" })
    .meta(toolCallMeta)
    .input(toolCallInput.omit({ yes: true }).extend({ times: z.number().int().min(1).max(mostRepetitions) }))
    .output(eventIterator(repeatedCallSchema)),
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
          /** That of its last 128 calls, as `p50Ms`. */
          p95Ms: z.number().nullable(),
        }),
      ),
    ),
  /**
   * Fires an event by hand. The hooks really run. When one blocks it that must agree, the error HOOK_BLOCKED has the same
   * `hooks` in its details.
   */
  fire: oc
    .route({ method: "POST", path: "/agents/{agentId}/hooks/{event}/fire" })
    .input(agentRef.extend({ event: z.string(), input: z.record(z.string(), z.unknown()).default({}) }))
    .output(
      z.object({
        /** The payload after all transforms. */
        payload: z.unknown(),
        denied: z.object({ owner: z.string(), reason: z.string() }).nullable(),
        hooks: z.array(firedHookSchema),
      }),
    ),
};

export const commands = {
  /** `wait`: until all plugins that are switched on have started, or failed to. */
  list: oc
    .route({ method: "GET", path: "/agents/{agentId}/commands" })
    .input(agentRef.extend({ wait: z.union([z.boolean(), z.stringbool()]).default(false) }))
    .output(z.array(commandInfoSchema)),
  run: oc
    .route({ method: "POST", path: "/agents/{agentId}/commands/run" })
    .input(agentRef.extend({ text: z.string().startsWith("/"), sessionId: z.string().optional() }))
    .output(z.object({ output: z.string() })),
};
