import type { ChannelAgent, ChannelAnswer } from "@patchbay/plugin-sdk";
import { toLines } from "./formatting.ts";
import { toIrc } from "./markdown.ts";

/** Most conversations whose remaining lines are kept; the oldest goes first. */
const MOST_RESTS = 200;

/** What leads to the list of commands, or to what is said about the list. */
const help = /^\/(?:help|hilfe)(?:\s+[/!]?(?:help|hilfe))?$/i;
const helpOnMore = /^\/(?:help|hilfe)\s+[/!]?(?:more|mehr)$/i;
const ABOUT_MORE = '"more" shows the next lines of a long answer.';
/** Stands in the answer to `help`, because IRC programs keep what begins with a slash for themselves. */
const ABOUT_COMMANDS = 'Here commands begin with "!", too, as in "!new".';

/**
 * An agent whose answers are written as IRC shows them, and cut after `mostLines` lines of `bytes` bytes, the last of which
 * says that there are more: a whole channel has to read them. The message "more" (or "mehr") brings the next part
 * without asking the agent.
 *
 * @param say a sentence in the language of the chats
 */
export function inParts(
  agent: ChannelAgent,
  mostLines: number,
  bytes: number,
  say: (sentence: string) => string,
): ChannelAgent {
  const rests = new Map<string, string[]>();
  const cut = (conversation: string, answer: ChannelAnswer, lines: string[]): ChannelAnswer => {
    rests.delete(conversation);
    if (lines.length <= mostLines) return { ...answer, text: lines.join("\n") };
    const shown = lines.slice(0, Math.max(1, mostLines - 1));
    const rest = lines.slice(shown.length);
    rests.set(conversation, rest);
    const [oldest] = rests.keys();
    if (rests.size > MOST_RESTS && oldest !== undefined) rests.delete(oldest);
    const { length } = rest;
    const note =
      length === 1 ? '(1 more line; say "more" to see it)' : `(${length} more lines; say "more" to see them)`;
    return { ...answer, text: [...shown, ...(mostLines > 1 ? [say(note)] : [])].join("\n") };
  };
  return {
    ...agent,
    prompt: async (input) => {
      const rest = rests.get(input.conversation);
      const said = input.text.trim();
      if (rest !== undefined && /^[/!]?(more|mehr)[.!]?$/i.test(said)) {
        return cut(input.conversation, { sessionId: "", text: "" }, rest);
      }
      if (helpOnMore.test(said)) return { sessionId: "", text: say(ABOUT_MORE) };
      const answer = await agent.prompt(input);
      const lines = toLines(toIrc(answer.text), bytes);
      if (help.test(said))
        lines.splice(0, 1, ...toLines(`${lines[0] ?? ""} ${say(ABOUT_COMMANDS)} ${say(ABOUT_MORE)}`, bytes));
      return cut(input.conversation, answer, lines);
    },
  };
}
