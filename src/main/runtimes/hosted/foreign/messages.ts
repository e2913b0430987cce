import type { AgentMessage } from "@patchbay/plugin-sdk";
import { z } from "zod";

/** Messages as hooks of foreign systems see them: the form of the chat API of OpenAI. The arguments of a tool call are JSON text there. */
export function toTheirs(messages: readonly AgentMessage[]): unknown[] {
  return messages.map(({ role, text, toolCalls, toolCallId }) => ({
    role,
    content: text,
    ...(toolCalls && {
      tool_calls: toolCalls.map(({ id, name, arguments: args }) => ({
        id,
        type: "function",
        function: { name, arguments: JSON.stringify(args) },
      })),
    }),
    ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
  }));
}

const callSchema = z.object({
  id: z.string(),
  function: z.object({
    name: z.string(),
    arguments: z.union([z.string(), z.record(z.string(), z.unknown())]),
  }),
});
const messageSchema = z.object({
  role: z.enum(["user", "assistant", "tool"]),
  content: z
    .union([z.string(), z.null(), z.array(z.object({ text: z.string().optional() }))])
    .optional()
    .transform((content) =>
      typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join(""),
    ),
  tool_calls: z.array(callSchema).optional(),
  tool_call_id: z.string().optional(),
});

/** What a hook left of them; null when that are no messages. A system message that a hook put in has no place here and is left out. */
export function toOurs(theirs: unknown): AgentMessage[] | null {
  if (!Array.isArray(theirs)) return null;
  const spoken = theirs.filter((message) => !isSystem(message));
  const read = z.array(messageSchema).min(1).safeParse(spoken);
  if (!read.success) return null;
  return read.data.map(({ role, content, tool_calls, tool_call_id }) => ({
    role,
    text: content,
    ...(tool_calls && {
      toolCalls: tool_calls.map(({ id, function: { name, arguments: args } }) => ({
        id,
        name,
        arguments: typeof args === "string" ? parsed(args) : args,
      })),
    }),
    ...(tool_call_id !== undefined && { toolCallId: tool_call_id }),
  }));
}

function isSystem(message: unknown): boolean {
  return typeof message === "object" && message !== null && "role" in message && message.role === "system";
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}
