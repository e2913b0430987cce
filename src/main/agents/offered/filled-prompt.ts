import type { ChannelAttachment } from "@patchbay/plugin-sdk";
import { type FilledPrompt, mostAttachments, PatchbayError } from "../../../contract/index.ts";
import { cleanText } from "../../../contract/shown/clean-text.ts";
import type { PromptOutput } from "../../runtimes/plugin-call.ts";

/** Most characters of all that a prompt says. */
const MOST = 1_000_000;

/** What a prompt says, as a message. `pictures`: go with it as files. */
export interface PromptMessage {
  text: string;
  pictures: ChannelAttachment[];
  prompt: FilledPrompt;
}

/**
 * What the person says at the end of a prompt is the message; all before it is told to the model first. A prompt that ends
 * with words of the agent is told whole, and the message is the command itself.
 *
 * @throws PatchbayError COMMAND_FAILED when it says nothing, or too much
 */
export function promptMessage({ messages }: PromptOutput, owner: string, line: string): PromptMessage {
  const pictures: ChannelAttachment[] = [];
  const said: { role: "user" | "assistant"; parts: string[] }[] = [];
  // The pictures of the message itself are named below it, as all files are.
  const lastSaid = messages.findLastIndex(({ role }) => role === "assistant");
  for (const [index, { role, content }] of messages.entries()) {
    const isBefore = index < lastSaid || role === "assistant";
    const parts = content.flatMap((part) => {
      if (part.type === "text") return [cleanText(part.text)];
      const mark = pictureIn(part, pictures);
      return isBefore ? [mark] : [];
    });
    const last = said.at(-1);
    if (last?.role === role) last.parts.push(parts.join("\n"));
    else said.push({ role, parts: [parts.join("\n")] });
  }
  const told = said
    .map(({ role, parts }) => ({ role, text: parts.filter((text) => text.trim() !== "").join("\n\n") }))
    .filter(({ text }) => text !== "");
  const letters = told.reduce((sum, { text }) => sum + text.length, 0);
  if (told.length === 0 && pictures.length === 0)
    throw new PatchbayError("COMMAND_FAILED", "It says nothing.");
  if (letters > MOST) throw new PatchbayError("COMMAND_FAILED", `It says more than ${MOST} characters.`);
  const message = told.at(-1)?.role === "assistant" ? undefined : told.pop();
  return {
    text: message?.text ?? (told.length > 0 ? line : ""),
    pictures,
    prompt: { owner, line, ...(told.length > 0 && { before: told }) },
  };
}

function pictureIn(part: { data: string; mimeType: string }, pictures: ChannelAttachment[]): string {
  if (pictures.length === mostAttachments) return "[A further picture is left out.]";
  const ending = /^image\/([a-z0-9]{1,8})/.exec(part.mimeType)?.[1] ?? "bin";
  const name = `picture-${pictures.length + 1}.${ending}`;
  pictures.push({ name, mimeType: part.mimeType, data: part.data });
  return `[${name}]`;
}
