import type { ToolOutput } from "../../runtimes/plugin-call.ts";

/** Characters of text, or of an image's base64, that one part of a result may have. */
const PART_LIMIT = 1_000_000;
/** More than for text, because an image cannot be cut: one that is larger is left out. */
const IMAGE_LIMIT = 8_000_000;

/** A result that fits into a conversation: what is too long is cut, and says so. */
export function limitOutput(output: ToolOutput): ToolOutput {
  if (output.content.every((part) => sizeOf(part) <= limitOf(part))) return output;
  const content = output.content.map((part): typeof part => {
    if (sizeOf(part) <= limitOf(part)) return part;
    if (part.type === "image") return { type: "text", text: "[an image that is too large was left out]" };
    const left = part.text.length - PART_LIMIT;
    return {
      type: "text",
      text: `${part.text.slice(0, PART_LIMIT)}\n[${left} more characters were left out]`,
    };
  });
  return { ...output, content };
}

function sizeOf(part: ToolOutput["content"][number]): number {
  return part.type === "text" ? part.text.length : part.data.length;
}

function limitOf(part: ToolOutput["content"][number]): number {
  return part.type === "text" ? PART_LIMIT : IMAGE_LIMIT;
}
