/**
 * Names that could be taken for others. Two names look alike when their skeletons are the same: without case, marks,
 * blanks and punctuation, and with letters that look like a Latin one replaced by that one. The table holds what Latin,
 * Cyrillic, Greek and Armenian have in common, and the digits that stand for letters; not all of Unicode.
 */

/** Each Latin letter, and what looks like it in lower case (a small capital of another script counts, too). */
const LIKE: Record<string, string> = {
  a: "аαɑᴀ4",
  b: "вβьʙ",
  c: "сϲᴄ",
  d: "ԁɗᴅ",
  e: "еєεҽᴇ3",
  f: "ғƒքſ",
  g: "ɡցԍ9",
  h: "һнհʜ",
  j: "јյᴊ",
  k: "кκᴋ",
  l: "іιıɩӏլӀiįɪ1|!",
  m: "мᴍ",
  n: "пոηɴ",
  o: "оοօσøᴏ0",
  p: "рρᴘ",
  q: "ԛզ",
  r: "гɾʀ",
  s: "ѕꜱ5$",
  t: "тτᴛ7",
  u: "цυսμᴜ",
  v: "ѵνᴠ",
  w: "ԝѡωᴡ",
  x: "хχ",
  y: "уүγʏ",
  z: "ᴢʐζ",
};
const LATIN: ReadonlyMap<string, string> = new Map(
  Object.entries(LIKE).flatMap(([latin, like]) => [...like].map((one) => [one, latin])),
);

/** What a name looks like at a glance. Empty when it has no letter and no digit. */
export function skeleton(name: string): string {
  const bare = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const latin = Array.from(bare, (letter) => LATIN.get(letter) ?? letter).join("");
  return latin
    .replace(/[^\p{L}\p{N}]/gu, "")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
}

/** The name without case, blanks and punctuation. */
function folded(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Names that are known, and how another one resembles them. */
export class KnownNames {
  readonly #folded: Map<string, string>;
  readonly #skeletons: Map<string, string>;
  readonly #longest: number;

  constructor(names: readonly string[]) {
    this.#folded = new Map(names.map((name) => [folded(name), name]));
    this.#skeletons = new Map(names.map((name) => [skeleton(name), name]));
    this.#longest = Math.max(...names.map(({ length }) => length));
  }

  /**
   * The known name that this one resembles. `same`: both are spelled alike, but for case and punctuation. `disguised`:
   * one only looks like the other.
   */
  find(name: string): { known: string; likeness: "same" | "disguised" } | undefined {
    // Four times: marks and blanks between the letters count, too.
    if (name.length > 4 * this.#longest) return undefined;
    const same = this.#folded.get(folded(name));
    if (same !== undefined) return { known: same, likeness: "same" };
    const known = this.#skeletons.get(skeleton(name));
    return known === undefined ? undefined : { known, likeness: "disguised" };
  }
}

/** A word with letters of several of these scripts, as no language writes it; undefined when there is none. */
export function mixedWord(name: string): string | undefined {
  const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u];
  const words = name.match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.find((word) => scripts.filter((script) => script.test(word)).length > 1);
}

/** What comes with Patchbay, and Patchbay itself. */
export const ownNames = new KnownNames(
  "Patchbay Guard HTTP Telegram Slack Discord IRC XMPP WeChat Signal".split(" "),
);

/** A package, and the name that its plugin is shown by. */
interface NamedPackage {
  displayName: string;
  packageName: string;
}

/** The packages of those who make Patchbay. */
const OWN_SCOPE = "@patchbay/";

/** Whether a package of somebody else goes by a name of something that comes with Patchbay. */
export function isNamesake({ displayName, packageName }: NamedPackage): boolean {
  return ownNames.find(displayName) !== undefined && !packageName.startsWith(OWN_SCOPE);
}

/** What tells such a package from the other, as an English sentence: one of its warnings. */
export function namesakeWarning({ displayName, packageName }: NamedPackage): string {
  return `It calls itself ${displayName}, as something that comes with Patchbay does. It is the package ${packageName}.`;
}

/** Patchbay's own tools, and itself. */
export const ownTools = new KnownNames("read_file list_files write_file shell send_file patchbay".split(" "));
/** The slash commands that are built in. */
export const ownCommands = new KnownNames("help new clear compact".split(" "));
