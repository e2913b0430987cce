/** Characters of a token, about, in what models are sent. */
const charactersOfOne = 4;
/** Characters for which a picture counts. */
const ofPicture = 4_800;

/** Whole numbers in the proportion of the weights that together are the total; the largest rests get what is left over. */
export function shareOut(weights: readonly number[], total: number): number[] {
  const sum = weights.reduce((all, one) => all + one, 0);
  if (sum === 0) return weights.map(() => 0);
  const exact = weights.map((weight) => (weight / sum) * total);
  const shares = exact.map(Math.floor);
  let left = total - shares.reduce((all, one) => all + one, 0);
  const byRest = exact.map((value, index) => [value - Math.floor(value), index] as const);
  byRest.sort(([one], [other]) => other - one);
  for (const [, index] of byRest) {
    if (left <= 0) break;
    shares[index] = (shares[index] ?? 0) + 1;
    left -= 1;
  }
  return shares;
}

export function weightOf(part: { characters: number; pictures: number }): number {
  return part.characters + part.pictures * ofPicture;
}

/** About how many tokens so many characters are. */
export function estimate(characters: number): number {
  return Math.ceil(characters / charactersOfOne);
}
