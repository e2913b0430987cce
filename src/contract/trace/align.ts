/** What stands in line with what; null where one side has nothing. */
export type Pair<T> = { left: T; right: T } | { left: T; right: null } | { left: null; right: T };

/**
 * Puts two lists in line so that as many as possible stand beside their like. `like` says how much two have in common:
 * 0 for nothing; the sum of all pairs is the largest that keeps both orders. Of what stands alone the left comes first.
 */
export function align<T>(
  left: readonly T[],
  right: readonly T[],
  like: (left: T, right: T) => number,
  most: number,
): Pair<T>[] {
  let begin = 0;
  while (begin < left.length && begin < right.length && like(left[begin] as T, right[begin] as T) === most)
    begin += 1;
  let end = 0;
  while (
    end < left.length - begin &&
    end < right.length - begin &&
    like(left[left.length - 1 - end] as T, right[right.length - 1 - end] as T) === most
  )
    end += 1;
  const both = (one: T, index: number): Pair<T> => ({ left: one, right: right[index] as T });
  return [
    ...left.slice(0, begin).map(both),
    ...between(left.slice(begin, left.length - end), right.slice(begin, right.length - end), like),
    ...left.slice(left.length - end).map((one, index) => both(one, right.length - end + index)),
  ];
}

function between<T>(left: readonly T[], right: readonly T[], like: (left: T, right: T) => number): Pair<T>[] {
  if (left.length * right.length > mostCells) return oneByOne(left, right, like);
  const width = right.length + 1;
  /** The best sum of what is left from a place on. */
  const best = new Uint32Array((left.length + 1) * width);
  const at = (row: number, column: number) => best[row * width + column] as number;
  for (let row = left.length - 1; row >= 0; row -= 1)
    for (let column = right.length - 1; column >= 0; column -= 1) {
      const common = like(left[row] as T, right[column] as T);
      const paired = common > 0 ? common + at(row + 1, column + 1) : 0;
      best[row * width + column] = Math.max(paired, at(row + 1, column), at(row, column + 1));
    }
  const pairs: Pair<T>[] = [];
  let row = 0;
  let column = 0;
  while (row < left.length && column < right.length) {
    const common = like(left[row] as T, right[column] as T);
    if (common > 0 && at(row, column) === common + at(row + 1, column + 1)) {
      pairs.push({ left: left[row] as T, right: right[column] as T });
      row += 1;
      column += 1;
    } else if (at(row, column) === at(row + 1, column)) {
      pairs.push({ left: left[row] as T, right: null });
      row += 1;
    } else {
      pairs.push({ left: null, right: right[column] as T });
      column += 1;
    }
  }
  for (; row < left.length; row += 1) pairs.push({ left: left[row] as T, right: null });
  for (; column < right.length; column += 1) pairs.push({ left: null, right: right[column] as T });
  return pairs;
}

/** Above this many comparisons, each is put beside the next one like it. */
const mostCells = 4_000_000;

function oneByOne<T>(
  left: readonly T[],
  right: readonly T[],
  like: (left: T, right: T) => number,
): Pair<T>[] {
  const pairs: Pair<T>[] = [];
  let next = 0;
  for (const one of left) {
    const found = right.findIndex((other, index) => index >= next && like(one, other) > 0);
    if (found < 0) {
      pairs.push({ left: one, right: null });
      continue;
    }
    for (; next < found; next += 1) pairs.push({ left: null, right: right[next] as T });
    pairs.push({ left: one, right: right[found] as T });
    next = found + 1;
  }
  for (const one of right.slice(next)) pairs.push({ left: null, right: one });
  return pairs;
}
