import { languages, type PluginWords } from "../../contract/index.ts";
import { isObject } from "../../contract/is-object.ts";
import { cleanText } from "../../contract/shown/clean-text.ts";
import { placesIn } from "../../contract/shown/plugin-words.ts";
import { readPackageFile } from "./package-file.ts";

/** Folder beside the package's description in which a file for each language may lie: `locales/de.json`. */
const FOLDER = "locales";
/** What plugins write in, without any file. */
const ORIGINAL = "en";
const MAX_BYTES = 128 * 1024;
const MAX_TEXTS = 1_000;
/** Most texts in which something differs: each of them is compared with every text that is not found whole. */
const MAX_PATTERNS = 300;
const MAX_LENGTH = 4_000;
const MAX_PLACES = 6;
const MAX_LOOKED_UP = 2;

/** The texts of a plugin in further languages, and sentences about what of them cannot be used. */
export interface Locales {
  words: PluginWords;
  warnings: string[];
}

/**
 * Reads what a package brings of its texts in other languages: `locales/<language>.json`, an object of English texts and
 * what stands there instead. Nothing of it runs. A text that breaks a rule is left out, so that the English one is
 * shown: it must be plain and short, hold the same names as the English one, and no address that the English one does
 * not hold.
 *
 * @param dir folder of the package
 */
export async function readLocales(dir: string): Promise<Locales> {
  const words: PluginWords = {};
  const warnings: string[] = [];
  for (const language of languages) {
    if (language === ORIGINAL) continue;
    const file = `${FOLDER}/${language}.json`;
    const read = await readPackageFile(dir, file, MAX_BYTES).catch(() => "no-file" as const);
    if (read === "missing") continue;
    const texts = typeof read === "string" ? null : parsed(read);
    if (!texts) {
      warnings.push(
        `The file ${file} is left out: it must hold an object of texts, of at most ${MAX_BYTES / 1024} KiB.`,
      );
      continue;
    }
    const { translation, leftOut } = judgedWords(texts);
    if (Object.keys(translation).length > 0) words[language] = translation;
    if (leftOut === 1) warnings.push(`One text of ${file} cannot be used and stays in English.`);
    else if (leftOut > 1) warnings.push(`${leftOut} texts of ${file} cannot be used and stay in English.`);
  }
  return { words, warnings };
}

function parsed(bytes: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * Texts and what stands instead of them, without those that break a rule; `leftOut`: how many did.
 *
 * @param mostCharacters of a text
 */
export function judgedWords(
  texts: Record<string, unknown>,
  mostCharacters = MAX_LENGTH,
): { translation: Record<string, string>; leftOut: number } {
  const kept = new Map<string, string>();
  let patterns = 0;
  let leftOut = 0;
  for (const [text, value] of Object.entries(texts)) {
    const isPattern = placesIn(text).length > 0;
    const mayStay =
      kept.size < MAX_TEXTS &&
      !(isPattern && patterns === MAX_PATTERNS) &&
      typeof value === "string" &&
      says(text, value, mostCharacters);
    if (!mayStay) leftOut += 1;
    else {
      kept.set(text, value);
      if (isPattern) patterns += 1;
    }
  }
  return { translation: Object.fromEntries(kept), leftOut };
}

/** Whether one text may stand in the place of the other. */
function says(text: string, translation: string, mostCharacters: number): boolean {
  if (text.length > mostCharacters || translation.length > mostCharacters) return false;
  if (text.trim() === "" || translation.trim() === "") return false;
  if (cleanText(text) !== text || cleanText(translation) !== translation) return false;
  const names = placesIn(text);
  const lookedUp = text.match(/\{[A-Za-z]\w*\*\}/g) ?? [];
  if (names.length > MAX_PLACES || lookedUp.length > MAX_LOOKED_UP) return false;
  // Something between two names must say where the one ends; something at all must be the same in every such text.
  if (/\}\{/.test(text) || (names.length > 0 && !/\p{L}{2}/u.test(text.replace(/\{\w+\*?\}/g, ""))))
    return false;
  const sameNames = new Set(names);
  const said = new Set(placesIn(translation));
  if (sameNames.size !== said.size || [...said].some((name) => !sameNames.has(name))) return false;
  const addresses = addressesIn(text);
  return addressesIn(translation).every((address) => addresses.includes(address));
}

/** What a person could follow, write to or type: addresses of pages, names of hosts, accounts with an @. */
function addressesIn(text: string): string[] {
  return (
    text
      .match(
        /[a-z][a-z+.-]*:\/\/[^\s"“”„()]+|@[\w.-]{3,}|\b[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:\/[^\s"“”„()]*)?/gi,
      )
      ?.map((address) => address.replace(/[.,;:!?/]+$/, "").toLowerCase()) ?? []
  );
}
