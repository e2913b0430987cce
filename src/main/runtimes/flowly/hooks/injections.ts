import type { AgentMessage } from "@patchbay/plugin-sdk";

/** Most turns of one agent whose contexts are remembered. */
const MOST = 64;

/**
 * What the plugins of Flowly of one agent put before the person's message, turn by turn. Flowly joins the texts of all
 * plugins in one block; each of ours has a process of its own, so the block is opened again for the next one. It stands
 * there once in each model call: Flowly lets it pile up with each call of a turn (specs/flowly.md, 3.3).
 */
export class Injections {
  readonly #texts = new Map<string, string[]>();

  /** The messages as they were before plugins of Flowly put anything into them. */
  without(turnId: string, messages: readonly AgentMessage[]): AgentMessage[] {
    const texts = this.#texts.get(turnId);
    if (texts === undefined) return [...messages];
    const block = blockOf(texts);
    return changeLastUser(messages, (text) => (text.startsWith(block) ? text.slice(block.length) : null));
  }

  /**
   * The messages with what was there already and these texts in one block before the person's last message.
   * @param before the messages that were given to {@link without}
   * @param messages what a plugin left of the messages without the block
   */
  with(
    turnId: string,
    before: readonly AgentMessage[],
    messages: readonly AgentMessage[],
    texts: readonly string[],
  ): AgentMessage[] {
    const known = this.#texts.get(turnId) ?? [];
    const isThere = known.length > 0 && lastUserText(before)?.startsWith(blockOf(known)) === true;
    const all = [...(isThere ? known : []), ...texts.filter((text) => text !== "")];
    this.#remember(turnId, all);
    if (all.length === 0) return [...messages];
    return changeLastUser(messages, (text) => blockOf(all) + text);
  }

  #remember(turnId: string, texts: string[]): void {
    this.#texts.delete(turnId);
    if (texts.length > 0) this.#texts.set(turnId, texts);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > MOST && oldest !== undefined) this.#texts.delete(oldest);
  }
}

function blockOf(texts: readonly string[]): string {
  return `<plugin_context>\n${texts.join("\n\n")}\n</plugin_context>\n\n`;
}

/** The text of the person's last message; undefined when there is none. */
export function lastUserText(messages: readonly AgentMessage[]): string | undefined {
  return messages.findLast(({ role }) => role === "user")?.text;
}

/** The messages with the last one of the person changed; as they are when `change` returns null. */
function changeLastUser(
  messages: readonly AgentMessage[],
  change: (text: string) => string | null,
): AgentMessage[] {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const message = messages[at];
  const text = message && change(message.text);
  if (!message || text === null || text === undefined) return [...messages];
  return messages.with(at, { ...message, text });
}
