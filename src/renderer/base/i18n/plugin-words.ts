import type { PluginWords } from "../../../contract/plugin.ts";
import { asItIs, type Say, sayer, type Translation } from "../../../contract/shown/plugin-words.ts";
import { i18n } from "./index.ts";
import { kitWords } from "./kit-words.ts";

const nothing: Translation = {};
const known = new WeakMap<Translation, Say>();

/** Says the texts of a plugin in the language of the screens. The same function for the same words. */
export function sayOf(words: PluginWords | undefined): Say {
  const { language } = i18n;
  if (language !== "de") return asItIs;
  const own = words?.[language] ?? nothing;
  const before = known.get(own);
  if (before) return before;
  const say = sayer([own, kitWords()]);
  known.set(own, say);
  return say;
}

/** The description of something that a catalogue offers, in the language of the screens. */
export function descriptionOf({
  description,
  words,
}: {
  description: string;
  words?: PluginWords | undefined;
}): string {
  return sayOf(words)(description);
}
