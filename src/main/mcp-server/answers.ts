import type { CallToolResult } from "@modelcontextprotocol/server";
import { type ContentPart, isObject, problemFromWire } from "../../contract/index.ts";

/** The answer of a tool. What it says beside its text is structured content, where that is an object. */
export function resultOf(answer: { content: readonly ContentPart[]; details?: unknown }): CallToolResult {
  return {
    content: answer.content.map((part) =>
      part.type === "text" ? { type: "text" as const, text: part.text } : { ...part },
    ),
    ...(isObject(answer.details) && { structuredContent: answer.details }),
  };
}

/** A call that failed or was refused: for the model to read, with what to do about it. */
export function failureOf(error: unknown): CallToolResult {
  const { message, help } = isLost(error) ? lost : problemFromWire(error);
  return { isError: true, content: [{ type: "text", text: help ? `${message} ${help}` : message }] };
}

const lost = {
  message: "Patchbay was closed while the call ran, so whether it was done is not known.",
  help: "Look before it is called again.",
};

/** What `fetch` throws when the running Patchbay is gone. */
function isLost(error: unknown): boolean {
  return error instanceof TypeError && ["fetch failed", "terminated"].includes(error.message);
}
