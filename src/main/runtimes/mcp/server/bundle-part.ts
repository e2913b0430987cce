import type { Part, Place } from "./server-file.ts";

const places: Readonly<Record<string, Place | undefined>> = {
  __dirname: "plugin",
  HOME: "home",
  DESKTOP: "desktop",
  DOCUMENTS: "documents",
  DOWNLOADS: "downloads",
};

/**
 * A text of a bundle with its `${…}` as parts: places, path separators and the person's settings. What Patchbay does not know
 * stays as it is written.
 *
 * @param known the names of the bundle's settings
 */
export function bundlePart(text: string, known: ReadonlySet<string>): Part {
  const pieces: Part[] = [];
  let from = 0;
  for (const found of text.matchAll(/\$\{([^{}]+)\}/g)) {
    const part = meant(found[1] ?? "", known);
    if (part === null) continue;
    if (found.index > from) pieces.push(text.slice(from, found.index));
    pieces.push(part);
    from = found.index + found[0].length;
  }
  if (from < text.length) pieces.push(text.slice(from));
  const [only] = pieces;
  if (only === undefined) return "";
  return pieces.length === 1 ? only : { join: pieces };
}

function meant(name: string, known: ReadonlySet<string>): Part | null {
  const place = places[name];
  if (place) return { place };
  if (name === "/" || name === "pathSeparator") return "/";
  const setting = /^user_config\.(.+)$/.exec(name)?.[1];
  return setting !== undefined && known.has(setting) ? { input: setting } : null;
}
