/** Most comparisons that are made for one pair of lists; beyond it everything between is removed and added. */
const MOST_COMPARED = 2_000_000;

export type Step<T> =
  | { sign: "same"; before: T; after: T }
  | { sign: "removed"; before: T }
  | { sign: "added"; after: T };

/** How one list becomes another with the fewest steps: what was removed stands before what was added. */
export function stepsBetween<T>(
  before: readonly T[],
  after: readonly T[],
  isSame: (before: T, after: T) => boolean = Object.is,
): Step<T>[] {
  const shorter = Math.min(before.length, after.length);
  const same = (left: number, right: number) => isSame(before[left] as T, after[right] as T);
  let head = 0;
  while (head < shorter && same(head, head)) head += 1;
  let tail = 0;
  while (tail < shorter - head && same(before.length - 1 - tail, after.length - 1 - tail)) tail += 1;

  const kept = (index: number, shift: number): Step<T> => ({
    sign: "same",
    before: before[index] as T,
    after: after[index + shift] as T,
  });
  const ends = { before: before.length - tail, after: after.length - tail };
  const steps = Array.from({ length: head }, (_, index) => kept(index, 0));
  steps.push(...middle(before.slice(head, ends.before), after.slice(head, ends.after), isSame));
  for (let index = ends.before; index < before.length; index += 1)
    steps.push(kept(index, ends.after - ends.before));
  return steps;
}

function middle<T>(before: T[], after: T[], isSame: (before: T, after: T) => boolean): Step<T>[] {
  const removed = (item: T): Step<T> => ({ sign: "removed", before: item });
  const added = (item: T): Step<T> => ({ sign: "added", after: item });
  const isTooMuch = before.length * after.length > MOST_COMPARED;
  if (before.length === 0 || after.length === 0 || isTooMuch)
    return [...before.map(removed), ...after.map(added)];

  // `longest[i * width + j]`: how much `before` from i on and `after` from j on have in common.
  const width = after.length + 1;
  const longest = new Uint32Array((before.length + 1) * width);
  const common = (left: number, right: number) => longest[left * width + right] as number;
  for (let left = before.length - 1; left >= 0; left -= 1) {
    for (let right = after.length - 1; right >= 0; right -= 1) {
      longest[left * width + right] = isSame(before[left] as T, after[right] as T)
        ? common(left + 1, right + 1) + 1
        : Math.max(common(left + 1, right), common(left, right + 1));
    }
  }
  const steps: Step<T>[] = [];
  let left = 0;
  let right = 0;
  while (left < before.length || right < after.length) {
    const was = before[left] as T;
    const is = after[right] as T;
    if (left < before.length && right < after.length && isSame(was, is)) {
      steps.push({ sign: "same", before: was, after: is });
      left += 1;
      right += 1;
    } else if (
      right >= after.length ||
      (left < before.length && common(left + 1, right) >= common(left, right + 1))
    ) {
      steps.push(removed(was));
      left += 1;
    } else {
      steps.push(added(is));
      right += 1;
    }
  }
  return steps;
}
