import type { ChannelAgent } from "../../channel-agent.ts";
import { chatLanguage } from "./words.ts";

/** The plugin's own files of texts, by language: what stands in `locales/de.json` at `de`. */
export type OwnTexts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Longest sentence in which something may be put in, in characters: a longer one is only looked up whole. */
const LONGEST = 2_000;
const place = /\{([A-Za-z]\w*)(\*?)\}/g;

/**
 * Says sentences of the plugin in the language that the person chose for chats, as its files of texts have them; a
 * sentence that they do not have stays as it is. A sentence with something put in finds the text with `{name}` in that
 * place (what stands at `{name*}` is looked up itself); of several the one that says most itself.
 */
export function chatSayer(agent: ChannelAgent, texts: OwnTexts): (sentence: string) => string {
  const language = chatLanguage(agent);
  return (sentence) => {
    const all = Object.hasOwn(texts, language()) ? texts[language()] : undefined;
    return all === undefined ? sentence : said(sentence, all);
  };
}

function said(sentence: string, texts: Readonly<Record<string, string>>): string {
  const whole = Object.hasOwn(texts, sentence) ? texts[sentence] : undefined;
  if (whole !== undefined || sentence.length > LONGEST) return whole ?? sentence;
  const sizeOf = (text: string) => text.replace(place, "").length;
  const patterns = Object.keys(texts).filter((text) => text.search(place) >= 0);
  for (const text of patterns.sort((a, b) => sizeOf(b) - sizeOf(a))) {
    const values = valuesIn(sentence, text);
    if (values === null) continue;
    return (texts[text] ?? text).replace(place, (_, name: string) => {
      const value = values.get(name) ?? "";
      return text.includes(`{${name}*}`) && value.length < sentence.length ? said(value, texts) : value;
    });
  }
  return sentence;
}

/** What stands at the names of a text; null when the sentence is another one. */
function valuesIn(sentence: string, text: string): Map<string, string> | null {
  const names = Array.from(text.matchAll(place), ([, name = ""]) => name);
  const parts = text.split(/\{[A-Za-z]\w*\*?\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const found = new RegExp(`^${parts.join("([^]+?)")}$`).exec(sentence);
  return found && new Map(names.map((name, index) => [name, found[index + 1] ?? ""]));
}
