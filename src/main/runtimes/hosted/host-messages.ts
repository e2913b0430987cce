import { z } from "zod";
import {
  contentPartSchema,
  dialogQuestionSchema,
  hookInfoSchema,
  logLevelSchema,
  PatchbayError,
  type Problem,
  problemSchema,
  screenOffersSchema,
} from "../../../contract/index.ts";
import { cleanText } from "../../../contract/shown/clean-text.ts";
import { RefusedLine } from "../../platform/lines/line-process.ts";
import type { PromptOutput, ResourceOutput, ToolOutput, WebhookResponse } from "../plugin-call.ts";
import type { FromHost, ToHost } from "./protocol.ts";
import { answerTooLargeText, isWithin } from "./size.ts";

/** The error that takes the place of an answer that was too large. */
export function answerTooLarge(): PatchbayError {
  return new PatchbayError("TOOL_FAILED", answerTooLargeText);
}

/** Largest report of a plugin's state, roughly in bytes. */
const MAX_STATE = 256 * 1024;

const id = z.number().int();
const text = z.string().max(64 * 1024);
const name = z.string().min(1).max(128);

const contributions = z.object({
  namespace: z.string().nullable(),
  tools: z
    .array(
      z.object({
        name,
        label: text.optional(),
        description: text,
        parameters: z.record(z.string(), z.unknown()),
        readOnly: z.boolean(),
        prepares: z.boolean().optional(),
      }),
    )
    .max(64),
  toolsets: z.array(z.object({ id: text, description: text })).max(64),
  hooks: z.array(hookInfoSchema).max(1_000),
  commands: z.array(z.object({ name, description: text, argsHint: text.optional() })).max(1_000),
  skills: z.array(z.object({ name: text, description: text, path: text })).max(1_000),
  prompts: z
    .array(
      z.object({
        name,
        description: text,
        arguments: z.array(z.object({ name, description: text, required: z.boolean() })).max(100),
      }),
    )
    .max(1_000)
    .optional(),
  channel: z.object({ name: text, webhook: z.boolean(), outbound: z.boolean() }).nullable(),
  offers: screenOffersSchema.optional(),
  notes: z.array(text).max(200).optional(),
});

/** A message of a channel. Only its sizes are limited here; its content is checked by the code that uses it. */
const channelMessage = z.object({
  conversation: z.string().max(1_024),
  userId: z.string().max(1_024),
  userName: z.string().max(1_024).optional(),
  role: z.string().max(128).optional(),
  text: z.string().max(1_000_000),
  messageId: z.string().max(1_024).optional(),
  attachments: z
    .array(
      z.object({
        name: z.string().max(1_024),
        mimeType: z.string().max(256),
        data: z.string().max(64 * 1024 * 1024),
        voice: z.object({ seconds: z.number().min(0).max(1_000_000).optional() }).optional(),
      }),
    )
    .max(100)
    .optional(),
  group: z.boolean().optional(),
  room: z.string().min(1).max(1_024).optional(),
  spoken: z.boolean().optional(),
});

/** The name of something that a plugin keeps: words that can be shown, and no name that objects have already. */
const kept = (most: number) =>
  z
    .string()
    .max(most)
    .refine((key) => cleanText(key) === key && !["__proto__", "constructor", "prototype"].includes(key));

const request = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("storage.get"), key: kept(1_024) }),
  z.object({ kind: z.literal("storage.set"), key: kept(1_024), value: z.unknown().optional() }),
  z.object({ kind: z.literal("storage.delete"), key: kept(1_024) }),
  z.object({ kind: z.literal("credentials.get"), profile: kept(256) }),
  z.object({
    kind: z.literal("credentials.set"),
    profile: kept(256),
    values: z.record(kept(256), z.string().max(256 * 1024)).nullable(),
  }),
  z.object({ kind: z.literal("oauth.token"), refused: text.optional() }),
  z.object({ kind: z.literal("ask"), question: dialogQuestionSchema }),
  z.object({ kind: z.literal("code.has"), file: z.string().max(4_096).optional() }),
  z.object({
    kind: z.literal("code.ask"),
    operation: z.string().max(64),
    file: z.string().max(4_096),
    line: z.number().optional(),
    character: z.number().optional(),
    query: z.string().max(1_024).optional(),
  }),
  z.object({ kind: z.literal("prompt"), message: channelMessage, deltas: z.boolean() }),
  z.object({ kind: z.literal("append"), message: channelMessage }),
  z.object({ kind: z.literal("end"), conversation: z.string().max(1_024) }),
  z.object({ kind: z.literal("people.follow") }),
  z.object({ kind: z.literal("language.follow") }),
  z.object({
    kind: z.literal("introduce"),
    userId: z.string().min(1).max(1_024),
    userName: z.string().max(1_024).optional(),
    conversation: z.string().max(1_024),
  }),
  z.object({ kind: z.literal("pair"), code: z.string().max(128), userId: z.string().max(1_024) }),
  z.object({ kind: z.literal("approvals.follow"), characters: z.number().int().min(0).optional() }),
  z.object({
    kind: z.literal("review"),
    request: z.string().max(128),
    decision: z.enum(["allow", "refuse"]),
    userId: z.string().max(1_024),
    role: z.string().max(128).optional(),
  }),
]);

const fromHost = z.discriminatedUnion("t", [
  z.object({ t: z.literal("inspected"), facts: z.unknown() }),
  z.object({ t: z.literal("started"), contributions }),
  z.object({ t: z.literal("setupReady"), submits: z.boolean() }),
  z.object({ t: z.literal("failed"), problem: problemSchema }),
  z.object({
    t: z.literal("result"),
    id,
    value: z.unknown().optional(),
    effects: z.unknown().optional(),
  }),
  z.object({ t: z.literal("error"), id, problem: problemSchema, effects: z.unknown().optional() }),
  z.object({ t: z.literal("progress"), id, text }),
  z.object({ t: z.literal("request"), id, during: id.nullable(), request }),
  z.object({ t: z.literal("cancel"), id }),
  z.object({
    t: z.literal("log"),
    level: logLevelSchema,
    text,
    during: id.nullable().optional(),
    output: z.enum(["stdout", "stderr"]).optional(),
  }),
  z.object({
    t: z.literal("runtimeError"),
    message: text.nullable(),
    credentialsRefused: z.boolean().optional(),
  }),
  z.object({
    t: z.literal("runtimeState"),
    patch: z.record(z.string(), z.unknown()).refine((patch) => isWithin(patch, MAX_STATE)),
  }),
  z.object({ t: z.literal("contributions"), changed: contributions.partial() }),
  z.object({ t: z.literal("pong"), id, memoryBytes: z.number().nonnegative() }),
  z.object({ t: z.literal("stopped") }),
]);

/**
 * What a host posted, if it is one of its messages. The plugin shares the process with our code there and can post
 * anything; whatever does not fit is null.
 */
export function parseFromHost(message: unknown): FromHost | null {
  if (isResult(message)) return message;
  const parsed = fromHost.safeParse(message);
  return parsed.success ? parsed.data : null;
}

/** A fast check for results, in place of the schema: nearly every message is a result, and a call waits for each. */
function isResult(message: unknown): message is Extract<FromHost, { t: "result" }> {
  return (
    typeof message === "object" &&
    message !== null &&
    "t" in message &&
    message.t === "result" &&
    "id" in message &&
    Number.isSafeInteger(message.id)
  );
}

/** The problem for a message of a host that cannot be understood. */
export const notUnderstood: Problem = {
  code: "BAD_INPUT",
  message: "The plugin's process said something that Patchbay does not understand.",
};

const halfUnderstood = z.union([
  z.object({ t: z.enum(["inspected", "started", "setupReady", "failed"]) }),
  z.object({ t: z.enum(["error", "result", "request"]), id }),
]);

/**
 * What to do in place of a message that cannot be understood, so that neither side waits for ever. `toApp`: a failure
 * for the call that waits for this message. `toHost`: a refusal of the question that it was.
 */
export function failureInPlaceOf(message: unknown): { toApp?: FromHost; toHost?: ToHost } {
  const tooLong = message instanceof RefusedLine && message.reason === "too_long";
  const parsed = halfUnderstood.safeParse(message instanceof RefusedLine ? headOf(message) : message);
  if (!parsed.success) return {};
  const { data } = parsed;
  const problem = tooLong ? answerTooLarge().toProblem() : notUnderstood;
  switch (data.t) {
    case "request":
      return { toHost: { t: "refusal", id: data.id, problem } };
    case "error":
    case "result":
      return { toApp: { t: "error", id: data.id, problem } };
    default:
      return { toApp: { t: "failed", problem } };
  }
}

/**
 * The `t` and `id` of a message, read from the beginning of its line. Hosts write these two fields first for this
 * purpose.
 */
function headOf({ head }: RefusedLine): { t: string | undefined; id: number } {
  const [, t] = /"t"\s*:\s*"(\w+)"/.exec(head) ?? [];
  const [, number] = /"id"\s*:\s*(\d+)/.exec(head) ?? [];
  return { t, id: Number(number) };
}

const toolOutput = z.object({
  content: z.array(contentPartSchema).max(1_000),
  details: z.unknown().optional(),
});
const webhookResponse = z.object({
  status: z.number().int().min(100).max(599),
  body: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
});
const promptOutput = z.object({
  messages: z
    .array(z.object({ role: z.enum(["user", "assistant"]), content: z.array(contentPartSchema).max(1_000) }))
    .max(1_000),
});
const resourceOutput = z.object({
  contents: z
    .array(
      z
        .object({ uri: z.string(), mimeType: z.string().optional(), content: contentPartSchema })
        .transform(({ uri, mimeType, content }) =>
          content.type === "text"
            ? { uri, mimeType, text: content.text }
            : { uri, mimeType: content.mimeType, base64: content.data },
        ),
    )
    .max(1_000),
});
const sendResult = z.object({ success: z.boolean(), error: z.string().optional() });

/** The parsers of call results. Each throws a `ZodError` when the value is not what the call promises. */
export const parseToolOutput = (value: unknown): ToolOutput => plainText(value) ?? toolOutput.parse(value);
export const parseWebhookResponse = (value: unknown): WebhookResponse => webhookResponse.parse(value);
export const parseSendResult = (value: unknown): { success: boolean; error?: string } =>
  sendResult.parse(value);
export const parsePrompt = (value: unknown): PromptOutput => promptOutput.parse(value);
export const parseResource = (value: unknown): ResourceOutput => resourceOutput.parse(value);
export const parseText = (value: unknown): string => cleanText(z.string().parse(value));

/**
 * Reads the most common answer of a tool, a single text, with the same result as the schema but faster; undefined for
 * all other answers.
 */
function plainText(value: unknown): ToolOutput | undefined {
  if (typeof value !== "object" || value === null || "details" in value) return undefined;
  const content: unknown = "content" in value ? value.content : undefined;
  if (!Array.isArray(content) || content.length !== 1) return undefined;
  const part: unknown = content[0];
  if (typeof part !== "object" || part === null || !("type" in part) || !("text" in part)) return undefined;
  const { type, text } = part;
  return type === "text" && typeof text === "string" ? { content: [{ type, text }] } : undefined;
}
