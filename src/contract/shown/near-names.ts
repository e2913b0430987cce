/** What something is called, in every language and spelling in which a person may type it. */
export interface Named {
  displayName: string;
  packageName: string;
  manifestKey?: string | undefined;
  words?: Partial<Record<string, Record<string, string>>> | undefined;
}

/** A shorter word is near to almost everything. */
const leastLetters = 3;

/**
 * The entries whose name is nearly what was typed, nearest first: one or two letters wrong, missing, too many or
 * swapped, in the whole name or in one word of it.
 */
export function nearNames<Entry extends Named>(query: string, entries: readonly Entry[], most = 3): Entry[] {
  const typed = plain(query);
  if (typed.length < leastLetters) return [];
  const near: { entry: Entry; far: number }[] = [];
  for (const entry of entries) {
    let far = Number.POSITIVE_INFINITY;
    for (const name of namesOf(entry)) far = Math.min(far, distance(typed, name, slips(typed, name)));
    if (far !== Number.POSITIVE_INFINITY) near.push({ entry, far });
  }
  const byName = ({ entry: a }: { entry: Entry }, { entry: b }: { entry: Entry }) =>
    a.displayName.localeCompare(b.displayName);
  return near
    .sort((a, b) => a.far - b.far || byName(a, b))
    .slice(0, most)
    .map(({ entry }) => entry);
}

/** How many slips are forgiven; a short word may not become quite another one. */
function slips(typed: string, name: string): number {
  const letters = Math.min(typed.length, name.length);
  return letters < 4 ? 0 : letters < 6 ? 1 : letters < 10 ? 2 : 3;
}

function namesOf({ displayName, packageName, manifestKey, words }: Named): Set<string> {
  const names = new Set<string>();
  const said = Object.values(words ?? {}).flatMap((language) => language?.[displayName] ?? []);
  for (const name of [displayName, manifestKey ?? "", packageName, ...said]) {
    names.add(plain(name));
    for (const word of name.split(/[^\p{L}\p{N}]+/u)) if (word.length > leastLetters) names.add(plain(word));
  }
  // These words are in the names of many packages and mean none of them.
  for (const word of ["", "patchbay", "plugin"]) names.delete(word);
  return names;
}

/** In lower case, without accents and without anything between letters. */
function plain(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/**
 * How many letters must be changed, added, removed or swapped with the next one; infinity when that is more than
 * `most`.
 */
function distance(a: string, b: string, most: number): number {
  if (a === b) return 0;
  if (most === 0 || Math.abs(a.length - b.length) > most) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        least = Math.min(least, (before[column - 2] ?? 0) + 1);
      line.push(least);
    }
    if (Math.min(...line) > most) return Number.POSITIVE_INFINITY;
    before = last;
    last = line;
  }
  const far = last[b.length] ?? most + 1;
  return far > most ? Number.POSITIVE_INFINITY : far;
}
