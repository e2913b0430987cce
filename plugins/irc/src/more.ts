import type { ChannelAgent, ChannelAnswer } from "@patchbay/plugin-sdk";
import { countLines } from "./formatting.ts";

/** Most conversations whose remaining lines are kept; the oldest goes first. */
const MOST_RESTS = 200;

/**
 * An agent whose answers are cut after `mostLines` lines of `bytes` bytes, because a whole channel has to read them.
 * The message "more" brings the next part without asking the agent.
 */
export function inParts(agent: ChannelAgent, mostLines: number, bytes: number): ChannelAgent {
  const rests = new Map<string, string>();
  const cut = (conversation: string, answer: ChannelAnswer): ChannelAnswer => {
    const { shown, rest } = firstLines(answer.text, mostLines, bytes);
    rests.delete(conversation);
    if (rest === "") return answer;
    rests.set(conversation, rest);
    const [oldest] = rests.keys();
    if (rests.size > MOST_RESTS && oldest !== undefined) rests.delete(oldest);
    return { ...answer, text: `${shown}\n(${countLines(rest, bytes)} more lines; say "more" to see them)` };
  };
  return {
    ...agent,
    prompt: async (input) => {
      const rest = rests.get(input.conversation);
      if (rest !== undefined && /^more[.!]?$/i.test(input.text.trim())) {
        return cut(input.conversation, { sessionId: "", text: rest });
      }
      return cut(input.conversation, await agent.prompt(input));
    },
  };
}

function firstLines(text: string, most: number, bytes: number): { shown: string; rest: string } {
  const lines = text.split("\n");
  let used = 0;
  for (const [index, line] of lines.entries()) {
    const count = countLines(line, bytes);
    // A single line that alone exceeds the limit is shown whole: otherwise nothing would ever be shown.
    if (used + count > most && used > 0) {
      return { shown: lines.slice(0, index).join("\n"), rest: lines.slice(index).join("\n") };
    }
    used += count;
  }
  return { shown: text, rest: "" };
}
