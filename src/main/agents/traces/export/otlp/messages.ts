import { isObject } from "../../../../../contract/index.ts";

/** A message in the form that the GenAI conventions give it. */
interface Message {
  role: string;
  parts: object[];
  finish_reason?: string;
}

/** What a model was sent, as JSON of the GenAI conventions. @param request as the record keeps it */
export function inputOf(request: unknown): { messages?: string; system?: string } {
  const sent = isObject(request) && Array.isArray(request.messages) ? request.messages.filter(isObject) : [];
  const system = sent.filter(({ role }) => role === "system").flatMap(({ content }) => partsOf(content));
  const messages = sent.filter(({ role }) => role !== "system").map(messageOf);
  return {
    ...(messages.length > 0 && { messages: JSON.stringify(messages) }),
    ...(system.length > 0 && { system: JSON.stringify(system) }),
  };
}

/** What a model answered. @param response as the record keeps it */
export function outputOf(response: unknown): string | undefined {
  if (!isObject(response) || !Array.isArray(response.content)) return undefined;
  const { stopReason } = response;
  const message: Message = { role: "assistant", parts: partsOf(response.content) };
  if (typeof stopReason === "string") message.finish_reason = stopReason;
  return JSON.stringify([message]);
}

export function saidBy(role: string, text: string): string {
  return JSON.stringify([{ role, parts: [{ type: "text", content: text }] } satisfies Message]);
}

function messageOf(message: Record<string, unknown>): Message {
  const { role, content, toolCallId } = message;
  if (role !== "toolResult") return { role: String(role), parts: partsOf(content) };
  return {
    role: "tool",
    parts: [{ type: "tool_call_response", id: toolCallId, response: partsOf(content) }],
  };
}

function partsOf(content: unknown): object[] {
  if (typeof content === "string") return [{ type: "text", content }];
  if (!Array.isArray(content)) return [];
  return content.filter(isObject).map((part) => {
    switch (part.type) {
      case "text":
        return { type: "text", content: part.text };
      case "thinking":
        return { type: "reasoning", content: part.thinking };
      case "toolCall":
        return { type: "tool_call", id: part.id, name: part.name, arguments: part.arguments };
      case "image":
        // The picture itself would be larger than all else together.
        return { type: "picture", mime_type: part.mimeType };
      default:
        return { type: String(part.type) };
    }
  });
}
