import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kitWordsDe } from "../../../contract/shown/kit-words-de.ts";
import { germanErrors } from "./de/errors.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";

const root = join(import.meta.dirname, "../../../..");
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), "utf8"));

/** Every pair of English and German that a person reads on a screen. */
function pairs(): { where: string; english: string; german: string }[] {
  const screens = Object.entries(de).map(([key, german]) => ({
    where: key,
    english: en[key as keyof typeof en],
    german,
  }));
  const errors = Object.entries(germanErrors).flatMap(([code, words]) =>
    Object.values(words).map((german) => ({ where: code, english: "", german: String(german) })),
  );
  const own = (where: string, words: object) =>
    Object.entries(words).map(([english, german]) => ({ where, english, german: String(german) }));
  const plugins = readdirSync(join(root, "plugins")).flatMap((plugin) =>
    own(plugin, read(`plugins/${plugin}/locales/de.json`) as object),
  );
  const { plugins: listed } = read("resources/catalog.json") as { plugins: { words: { de: object } }[] };
  const catalogue = listed.flatMap(({ words }) => own("catalog.json", words.de));
  return [...screens, ...errors, ...plugins, ...catalogue, ...own("kit", kitWordsDe)];
}

const all = pairs();
const where = (found: typeof all) => found.map((pair) => `${pair.where}: ${pair.german}`);

test("the texts of all parts are read", () => expect(all.length).toBeGreaterThan(1_500));

/** What an agent or a bot says in a chat speaks as people do there. */
const inChats = /^(\(\d*|\(\{count\}|.*\bI cannot read encrypted)/;

test("the person is spoken to with Sie", () => {
  const familiar =
    /\b(du|dir|dich|dein(e[mnrs]?)?)\b|(^|[.:!?] )(Öffne|Wähle|Gib|Lass|Schreib|Versuche?|Kopiere|Sende|Füge|Drücke|Scanne|Zeig) /i;
  expect(where(all.filter(({ english, german }) => familiar.test(german) && !inChats.test(english)))).toEqual(
    [],
  );
});

/** The German of each term, held everywhere: in place of it, nothing else. */
const never: [RegExp, string][] = [
  [/\bHaken\b/, "Hook"],
  [/\bPlug-?In\b|\bPlug-in/, "Plugin"],
  [/\bTools?\b/, "Werkzeug"],
  [/\bChannels?\b/, "Kanal"],
  [/\bSettings?\b/, "Einstellungen"],
  [/\bVault\b/, "Tresor"],
  [/\bRegistry\b/, "Verzeichnis"],
  [/\bSkills?\b/, "Fertigkeit"],
];

test.each(never)("%s is not said: %s is", (word) => {
  expect(where(all.filter(({ german }) => word.test(german)))).toEqual([]);
});

/** A term of the screens is the same German word each time. */
const terms: [RegExp, RegExp][] = [
  [/\bhooks?\b/i, /Hook/],
  [/\bplugins?\b/i, /[Pp]lugin/],
  [/\btools?\b/i, /[Ww]erkzeug/],
  [/\bchannels?\b/i, /[Kk]anal|[Kk]anäl/],
  [/\bvault\b(?!\.)/i, /Tresor/],
  [/\bsettings?\b(?! .*up\b)/i, /[Ee]instell|[Gg]esetzt/],
  [/\bconversations?\b/i, /Unterhaltung/],
  [/\bskills?\b/i, /Fertigkeit/],
  [/\bsource\b/i, /Quelle/],
];

test.each(terms)("%s is %s", (english, german) => {
  const screens = all.filter((pair) => Object.hasOwn(de, pair.where));
  expect(
    where(
      screens.filter(
        (pair) => english.test(pair.english.replace(/\{\{.*?\}\}/g, "")) && !german.test(pair.german),
      ),
    ),
  ).toEqual([]);
});
