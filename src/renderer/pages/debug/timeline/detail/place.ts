import type { Problem } from "../../../../../contract/errors.ts";

/** Where in a plugin's code something happened. */
export interface CodePlace {
  /** As short as the plugin's own folder allows: `src/index.js`. */
  file: string;
  line: number;
}

/** The ways in which runtimes say where something failed, the most telling first. */
const shapes = [
  // Node: "at name (file:///…/index.js:12:7)".
  /\bat (?:[^\n(]*\()?(?:file:\/\/)?(?<file>[^\s():]*(?:[a-zA-Z]:[^\s():]*)?\.[cm]?[jt]sx?):(?<line>\d+)(?::\d+)?\)?/g,
  // Python: 'File "…/plugin.py", line 12'.
  /File "(?<file>[^"\n]+\.py)", line (?<line>\d+)/g,
  // Janet: "in name [file.janet] on line 12" and "file.janet:12:3: …".
  /\[(?<file>[^\]\n]+\.janet)\][^\n]*? on line (?<line>\d+)/g,
  /(?<file>[^\s:()"']+\.janet):(?<line>\d+)/g,
];

/**
 * The first place in the plugin's own code that one of the texts names; null: they name none.
 * @param folder where the plugin lies; null: not known
 */
export function placeIn(texts: readonly string[], folder: string | null): CodePlace | null {
  for (const text of texts) {
    const place = placeInText(text, folder);
    if (place) return place;
  }
  return null;
}

/** What a failure says that may name the place at which it happened. */
export function textsOf({ message, details }: Problem): string[] {
  return [details?.stack, details?.error, details?.output, message].filter(
    (text) => typeof text === "string",
  );
}

function placeInText(text: string, folder: string | null): CodePlace | null {
  for (const shape of shapes) {
    const places = [...text.matchAll(shape)].flatMap(({ groups }) =>
      groups?.file && groups.line ? [{ file: groups.file, line: Number(groups.line) }] : [],
    );
    // A traceback of Python ends with the place, all others begin with it.
    if (shape.source.startsWith("File")) places.reverse();
    const own = places.filter(({ file }) => !isForeign(file));
    const inFolder = folder === null ? undefined : own.find(({ file }) => file.startsWith(folder));
    const place = inFolder ?? own[0];
    if (place) return { file: shortened(place.file, folder), line: place.line };
  }
  return null;
}

function isForeign(file: string): boolean {
  return /(^|[\\/])node_modules[\\/]|^node:|[\\/]python3[^\\/]*[\\/]/.test(file);
}

function shortened(file: string, folder: string | null): string {
  if (folder !== null && file.startsWith(folder)) return file.slice(folder.length).replace(/^[\\/]+/, "");
  return file.split(/[\\/]/).at(-1) ?? file;
}
