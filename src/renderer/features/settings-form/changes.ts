import { isObject } from "../../../contract/is-object.ts";

/** One value that saving changes. `undefined` means that there was, or will be, no value. */
export interface Change {
  path: string[];
  before: unknown;
  after: unknown;
}

/**
 * All differences, value by value. A list counts as one value, unless its entries are groups: then they are compared place by
 * place. The order of names makes no difference.
 */
export function listChanges(before: unknown, after: unknown, path: string[] = []): Change[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => listChanges(before[name], after[name], [...path, name]));
  }
  if (same(before, after)) return [];
  const [one, other] = [groupsIn(before), groupsIn(after)];
  if (one && other && one.length + other.length > 0) {
    const places = Array.from({ length: Math.max(one.length, other.length) }, (_, place) => place);
    return places.flatMap((place) => listChanges(one[place], other[place], [...path, String(place)]));
  }
  // A group that is added or removed is listed by its values.
  if (isObject(after) && before === undefined && Object.keys(after).length > 0)
    return listChanges({}, after, path);
  if (isObject(before) && after === undefined && Object.keys(before).length > 0)
    return listChanges(before, {}, path);
  return [{ path, before, after }];
}

/** The entries of a list of groups; a list that is empty or absent may become one. Null for anything else. */
function groupsIn(value: unknown): unknown[] | null {
  if (value === undefined) return [];
  return Array.isArray(value) && value.every(isObject) ? value : null;
}

function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, place) => same(item, b[place]));
  if (isObject(a) && isObject(b)) return listChanges(a, b).length === 0;
  return a === b;
}
