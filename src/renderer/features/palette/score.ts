/** What a text is worth for a query: higher fits better, 0 does not fit. The letters must occur in order. */
export function score(text: string, query: string): number {
  const within = fold(text);
  const wanted = fold(query).trim();
  if (wanted === "") return 1;
  const words = wanted.split(/\s+/);
  let total = 0;
  for (const word of words) {
    const worth = scoreWord(within, word);
    if (worth === 0) return 0;
    total += worth;
  }
  // Of two texts that fit equally well, the shorter one is nearer to what was typed.
  return total / words.length - Math.min(within.length, 100) / 1_000;
}

function scoreWord(within: string, word: string): number {
  if (within === word) return 100;
  const at = within.indexOf(word);
  if (at === 0) return 90;
  if (at > 0) return isWordStart(within, at) ? 80 : 60;
  return scoreLetters(within, word);
}

/** Counts letters that occur in order. Letters at the start of a word, and letters next to each other, count more. */
function scoreLetters(within: string, word: string): number {
  let place = -1;
  let worth = 0;
  for (const letter of word) {
    const next = within.indexOf(letter, place + 1);
    if (next === -1) return 0;
    if (isWordStart(within, next)) worth += 3;
    else if (next === place + 1) worth += 2;
    else worth += 0.5;
    place = next;
  }
  const share = worth / (word.length * 3);
  return share < 0.5 ? 0 : share * 50;
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "");
}

function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The fitting ones, best first; of equals, those used lately, then in the given order. At most `most`. */
export function rank<T extends { id: string; text: string; also?: string | undefined }>(
  entries: readonly T[],
  query: string,
  recent: readonly string[],
  most: number,
): T[] {
  return entries
    .map((entry, index) => {
      const own = score(entry.text, query);
      const fit = own || (entry.also ? score(entry.also, query) / 2 : 0);
      const used = recent.indexOf(entry.id);
      return { entry, index, fit: fit === 0 ? 0 : fit + (used === -1 ? 0 : 8 - used / 2) };
    })
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit || a.index - b.index)
    .slice(0, most)
    .map(({ entry }) => entry);
}
