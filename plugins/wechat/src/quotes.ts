import { createHash } from "node:crypto";
import type { PluginStorage } from "@patchbay/plugin-sdk";
import { z } from "zod";

/** Most messages that are remembered, and most characters of one: about 150 kB on disk at the most. */
const MOST_SAID = 200;
/** Most of one conversation, so that nobody who writes much makes the bot forget the others. */
const MOST_OF_ONE = 40;
const LONGEST = 600;
/** Messages after which what is remembered is stored; it is stored as well when the channel stops. */
const STORED_EVERY = 10;

const saidSchema = z.array(z.tuple([z.string(), z.string(), z.string()]));

/**
 * What was lately said to and by the bot, by the ids of the messages: newer phones name a quoted message by its id
 * alone. Each person's messages are found only in their own conversation.
 */
export class Said {
  readonly #storage: PluginStorage;
  readonly #key: string;
  readonly #texts = new Map<string, { conversation: string; text: string }>();
  #unstored = 0;
  #loaded: Promise<void> | null = null;

  constructor(storage: PluginStorage, key: string) {
    this.#storage = storage;
    this.#key = key;
  }

  /** Reads what an earlier process remembered. What cannot be read is forgotten. */
  load(): Promise<void> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  /** It can be found at once; the promise is for what is stored. Call `load` before. */
  async remember(conversation: string, id: string, text: string): Promise<void> {
    if (text === "") return;
    this.#texts.delete(id);
    this.#texts.set(id, { conversation, text: text.slice(0, LONGEST).toWellFormed() });
    this.#forgetOldest(conversation);
    this.#unstored += 1;
    if (this.#unstored >= STORED_EVERY) await this.store();
  }

  async store(): Promise<void> {
    if (this.#unstored === 0) return;
    this.#unstored = 0;
    const said = Array.from(this.#texts, ([id, { conversation, text }]) => [id, conversation, text]);
    await this.#storage.set(this.#key, said);
  }

  find(conversation: string, id: string): string | null {
    const found = this.#texts.get(id);
    return found?.conversation === conversation ? found.text : null;
  }

  async #load(): Promise<void> {
    const { data = [] } = saidSchema.safeParse(await this.#storage.get(this.#key));
    for (const [id, conversation, text] of data) this.#texts.set(id, { conversation, text });
    this.#forgetOldest();
  }

  #forgetOldest(conversation?: string): void {
    const own = [...this.#texts].filter(([, said]) => said.conversation === conversation);
    for (const [id] of own.slice(0, Math.max(0, own.length - MOST_OF_ONE))) this.#texts.delete(id);
    for (const oldest of this.#texts.keys()) {
      if (this.#texts.size <= MOST_SAID) break;
      this.#texts.delete(oldest);
    }
  }
}

/** The part of a message that somebody marked before they answered it. */
const partSchema = z.object({
  start: z.string().min(1),
  end: z.string().min(1),
  /** Which occurrence of `start` is meant, from 0; likewise for `end`. */
  startindex: z.number().int().nonnegative(),
  endindex: z.number().int().nonnegative(),
  quotemd5: z.string().nullish(),
});

/**
 * The marked part of a quoted text; null when it cannot be told. Some phones count the occurrences of the end from the
 * beginning of the text, others from the end of the start: a checksum tells which, where it is given.
 */
export function markedPart(whole: string, part: unknown): string | null {
  const { data } = partSchema.safeParse(part);
  if (!data) return null;
  const { start, end, startindex, endindex, quotemd5 } = data;
  const from = occurrence(whole, start, startindex, 0);
  if (from < 0) return null;
  const until = [
    occurrence(whole, end, endindex, 0),
    occurrence(whole, end, endindex, from + start.length),
  ].filter((at) => at >= from);
  const marked = until.map((at) => whole.slice(from, at + end.length));
  if (!quotemd5) return marked[0] ?? null;
  return marked.find((text) => md5(text) === quotemd5.toLowerCase()) ?? null;
}

function occurrence(text: string, part: string, index: number, begin: number): number {
  let at = text.indexOf(part, begin);
  for (let seen = 0; seen < index && at >= 0; seen += 1) at = text.indexOf(part, at + part.length);
  return at;
}

const md5 = (text: string) => createHash("md5").update(text, "utf8").digest("hex");
