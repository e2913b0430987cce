import type { ChannelAgent, ChannelAnswer } from "@patchbay/plugin-sdk";
import { toLines } from "./formatting.ts";
import { toIrc } from "./markdown.ts";

/** Most conversations whose remaining lines are kept; the oldest goes first. */
const MOST_RESTS = 200;

/**
 * An agent whose answers are written as IRC shows them, and cut after `mostLines` lines of `bytes` bytes, the last of which
 * says that there are more: a whole channel has to read them. The message "more" brings the next part without asking
 * the agent.
 */
export function inParts(agent: ChannelAgent, mostLines: number, bytes: number): ChannelAgent {
  const rests = new Map<string, string[]>();
  const cut = (conversation: string, answer: ChannelAnswer, lines: string[]): ChannelAnswer => {
    rests.delete(conversation);
    if (lines.length <= mostLines) return { ...answer, text: lines.join("\n") };
    const shown = lines.slice(0, Math.max(1, mostLines - 1));
    const rest = lines.slice(shown.length);
    rests.set(conversation, rest);
    const [oldest] = rests.keys();
    if (rests.size > MOST_RESTS && oldest !== undefined) rests.delete(oldest);
    const note = `(${rest.length} more ${rest.length === 1 ? "line" : "lines"}; say "more" to see ${rest.length === 1 ? "it" : "them"})`;
    return { ...answer, text: [...shown, ...(mostLines > 1 ? [note] : [])].join("\n") };
  };
  return {
    ...agent,
    prompt: async (input) => {
      const rest = rests.get(input.conversation);
      if (rest !== undefined && /^more[.!]?$/i.test(input.text.trim())) {
        return cut(input.conversation, { sessionId: "", text: "" }, rest);
      }
      const answer = await agent.prompt(input);
      return cut(input.conversation, answer, toLines(toIrc(answer.text), bytes));
    },
  };
}
