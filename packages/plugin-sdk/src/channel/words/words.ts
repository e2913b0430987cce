import type { ChannelAgent } from "../../channel-agent.ts";
import { type ChatWords, english } from "./english.ts";
import { german } from "./german.ts";

/** The words of a channel in the language that the person chose for chats; English until that is known. */
export class Words {
  #now: ChatWords = english;
  #end: (() => void) | undefined;

  get now(): ChatWords {
    return this.#now;
  }

  /** Takes on the language that Patchbay tells, and each change of it. Ask before anything may have to be said. */
  follow(agent: ChannelAgent): void {
    this.#end = agent.followLanguage?.((language) => {
      this.#now = language === "de" ? german : english;
    });
  }

  stop(): void {
    this.#end?.();
  }

  /** Why something failed, for people in a chat. */
  reasonOf(error: unknown): string {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const said = Object.hasOwn(this.#now.problems, code) ? this.#now.problems[code] : undefined;
    return said ?? (error instanceof Error ? error.message : String(error));
  }
}

/**
 * The language that the person chose for what is said in chats, as a tag such as `de`, for sentences of a plugin's own;
 * `en` until Patchbay tells it. The returned function says it as it is at that moment.
 */
export function chatLanguage(agent: ChannelAgent): () => string {
  let now = "en";
  agent.followLanguage?.((language) => {
    now = language;
  });
  return () => now;
}
