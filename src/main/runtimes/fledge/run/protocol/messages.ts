import { z } from "zod";

const optional = <T extends z.ZodType>(type: T) => type.nullish();
const index = z.number().int().nonnegative();
const id = z.string();
const message = z.string();

/**
 * The messages from a plugin, read as fledge 1.7 reads them: unknown fields are ignored; a message with a wrong or
 * missing field is malformed.
 */
const outboundSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("prompt"),
    id,
    message,
    default: optional(z.string()),
    validate: optional(z.string()),
  }),
  z.object({ type: z.literal("confirm"), id, message, default: optional(z.boolean()) }),
  z.object({
    type: z.literal("select"),
    id,
    message,
    options: z.array(z.string()),
    default: optional(index),
  }),
  z.object({
    type: z.literal("multi_select"),
    id,
    message,
    options: z.array(z.string()),
    defaults: optional(z.array(index)),
  }),
  z.object({
    type: z.literal("progress"),
    message: optional(z.string()),
    current: optional(index),
    total: optional(index),
    done: optional(z.boolean()),
  }),
  z.object({ type: z.literal("log"), level: z.string(), message }),
  z.object({ type: z.literal("output"), text: z.string() }),
  z.object({ type: z.literal("store"), key: z.string(), value: z.string() }),
  z.object({ type: z.literal("load"), id, key: z.string() }),
  z.object({
    type: z.literal("exec"),
    id,
    command: z.string(),
    cwd: optional(z.string()),
    timeout: optional(index),
  }),
  z.object({ type: z.literal("metadata"), id, keys: z.array(z.string()) }),
]);
export type Outbound = z.infer<typeof outboundSchema>;
export type Question = Extract<Outbound, { type: "prompt" | "confirm" | "select" | "multi_select" }>;
export type ExecRequest = Extract<Outbound, { type: "exec" }>;

export type ReadLine =
  | { kind: "blank" }
  /**
   * `replyTo`: the id of a message that is no request but carries an id, so that the plugin may wait for an answer;
   * else null.
   */
  | { kind: "message"; message: Outbound; replyTo: string | null }
  /** Not JSON: something that the program printed. */
  | { kind: "raw"; text: string }
  | { kind: "malformed"; reason: string; replyTo: string | null };

/** Reads one line of a plugin's output. Never throws. */
export function readLine(text: string): ReadLine {
  if (text.trim() === "") return { kind: "blank" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "raw", text };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || !("type" in value)) {
    return { kind: "raw", text };
  }
  const ownId = "id" in value && typeof value.id === "string" ? value.id : null;
  const parsed = outboundSchema.safeParse(value);
  if (parsed.success) {
    return { kind: "message", message: parsed.data, replyTo: "id" in parsed.data ? null : ownId };
  }
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".") ?? "";
  const reason =
    field === "type" || field === ""
      ? `the message type ${JSON.stringify(value.type)} is unknown`
      : `the field “${field}” of a ${String(value.type)} message is missing or of the wrong type`;
  return { kind: "malformed", reason, replyTo: ownId };
}
