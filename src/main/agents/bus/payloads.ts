import type { AgentEventName, AgentEventPayloads } from "@patchbay/plugin-sdk";
import { z } from "zod";
import { contentPartSchema } from "../../../contract/index.ts";
import { issueWords } from "../../../contract/shown/issue-words.ts";

const text = z.string().max(1_000_000);
const argumentsSchema = z.record(z.string(), z.unknown());

const agentMessageSchema = z.object({
  role: z.enum(["user", "assistant", "tool"]),
  text,
  toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: argumentsSchema })).optional(),
  toolCallId: z.string().optional(),
});

/** The fields of each payload that a hook may change. Other fields in its answer are ignored. */
const mutable: { [E in AgentEventName]?: z.ZodType<Partial<AgentEventPayloads[E]>> } = {
  "session.message.received@v1": z.object({ text }),
  "prompt.assemble@v1": z.object({ sections: z.array(z.object({ key: z.string(), content: text })) }),
  "model.before@v1": z.object({ messages: z.array(agentMessageSchema).min(1) }),
  "message.final@v1": z.object({ text }),
  "tool.before@v1": z.object({ args: argumentsSchema }),
  "tool.result@v1": z
    .object({ content: z.array(contentPartSchema), isError: z.boolean() })
    .partial()
    .refine((value) => value.content !== undefined || value.isError !== undefined),
  "compact.summary@v1": z.object({ summary: text }),
  "channel.message.in@v1": z.object({ text, metadata: argumentsSchema.optional() }),
  "channel.message.out@v1": z.object({ text, metadata: argumentsSchema.optional() }),
  "schedule.fired@v1": z.object({ prompt: text }),
};

/** The fields of a payload that may be changed; none for an event that is only told. */
export function fieldsOf(event: AgentEventName): string[] {
  const schema = mutable[event];
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** The payload with what the person made of it; other fields than those that hooks may change stay. A text: what does not fit. */
export function withChange<E extends AgentEventName>(
  event: E,
  payload: AgentEventPayloads[E],
  changed: object,
): AgentEventPayloads[E] | string {
  const taken = takeOver(event, payload, changed);
  if (taken.kind === "nonsense") return taken.why;
  return taken.kind === "changed" ? taken.payload : payload;
}

export type Judgement<P> =
  | { kind: "unchanged" }
  | { kind: "changed"; payload: P }
  /** `reason`: empty when it gave none. */
  | { kind: "dropped"; reason: string }
  | { kind: "denied"; reason: string }
  | { kind: "nonsense"; why: string };

/** Events whose message a hook may drop. */
const droppable = new Set<AgentEventName>(["channel.message.in@v1", "session.message.received@v1"]);

/** The reason in an answer; empty when it has none. */
function reasonIn(returned: object): string {
  const given = "reason" in returned && typeof returned.reason === "string" ? returned.reason.trim() : "";
  return given.slice(0, 2_000).toWellFormed();
}

/** Checks what a transform hook returned. `undefined` or null leaves the payload unchanged. */
export function judgeTransform<E extends AgentEventName>(
  event: E,
  payload: AgentEventPayloads[E],
  returned: unknown,
): Judgement<AgentEventPayloads[E]> {
  if (returned === undefined || returned === null) return { kind: "unchanged" };
  if (typeof returned !== "object") return { kind: "nonsense", why: `it returned a ${typeof returned}` };
  if (droppable.has(event) && "drop" in returned && returned.drop === true) {
    return { kind: "dropped", reason: reasonIn(returned) };
  }
  return takeOver(event, payload, returned);
}

/** Checks what a veto hook returned. Anything but a clear permission counts as a refusal. */
export function judgeVeto<E extends AgentEventName>(
  event: E,
  payload: AgentEventPayloads[E],
  returned: unknown,
): Judgement<AgentEventPayloads[E]> {
  if (typeof returned !== "object" || returned === null || !("allow" in returned)) {
    return { kind: "nonsense", why: "it did not say whether it allows the call" };
  }
  if (returned.allow === false) {
    return { kind: "denied", reason: reasonIn(returned) || "it gave no reason" };
  }
  if (returned.allow !== true) return { kind: "nonsense", why: "it did not say whether it allows the call" };
  if (!("payload" in returned) || returned.payload === undefined) return { kind: "unchanged" };
  if (typeof returned.payload !== "object" || returned.payload === null) {
    return { kind: "nonsense", why: "the arguments it returned are not an object" };
  }
  return takeOver(event, payload, returned.payload);
}

/**
 * Checks what a veto hook returned about the final payload. A change counts as a refusal: the hooks that have agreed
 * would not have seen it.
 */
export function judgeFinal<E extends AgentEventName>(
  event: E,
  payload: AgentEventPayloads[E],
  returned: unknown,
): Judgement<AgentEventPayloads[E]> {
  const judged = judgeVeto(event, payload, returned);
  if (judged.kind !== "changed") return judged;
  return {
    kind: "denied",
    reason: "it wants to change the arguments again after another plugin, or you, changed them",
  };
}

function takeOver<E extends AgentEventName>(
  event: E,
  payload: AgentEventPayloads[E],
  returned: object,
): Judgement<AgentEventPayloads[E]> {
  const schema = mutable[event];
  if (!schema) return { kind: "unchanged" };
  const parsed = schema.safeParse(returned);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return {
      kind: "nonsense",
      why: `${issue?.path.join(".") || "its answer"} ${issue ? issueWords({ ...issue }) : "is not accepted"}`,
    };
  }
  const next = { ...payload, ...parsed.data };
  return same(payload, next) ? { kind: "unchanged" } : { kind: "changed", payload: next };
}

function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
