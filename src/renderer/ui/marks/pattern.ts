/** The mark of a plugin that has no drawing of its own. */
export interface Pattern {
  /** In degrees of the colour circle. */
  hue: number;
  /** The jacks that the cable joins, in its order: 0 to 8, row by row. */
  cable: number[];
}

const jacks = 9;
const hues = 40;

/** The same for the same key, and quite another one for a key that differs in a single letter. */
export function patternOf(key: string): Pattern {
  const draw = drawsFrom(key);
  const hue = (draw() % hues) * (360 / hues);
  const length = 4 + (draw() % 2);
  const left = Array.from({ length: jacks }, (_, jack) => jack);
  const cable: number[] = [];
  while (cable.length < length) cable.push(...left.splice(draw() % left.length, 1));
  return { hue, cable };
}

/** Numbers that are mixed from all letters of the key. */
function drawsFrom(key: string): () => number {
  let state = 0x811c9dc5;
  for (const letter of key) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
}
