import { isObject } from "../../../contract/is-object.ts";

/** One value that saving changes. `undefined` means that there was, or will be, no value. */
export interface Change {
  path: string[];
  before: unknown;
  after: unknown;
}

/** All differences, value by value; a list counts as one value. The order of names makes no difference. */
export function listChanges(before: unknown, after: unknown, path: string[] = []): Change[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => listChanges(before[name], after[name], [...path, name]));
  }
  if (same(before, after)) return [];
  // A group that is added or removed is listed by its values.
  if (isObject(after) && before === undefined && Object.keys(after).length > 0)
    return listChanges({}, after, path);
  if (isObject(before) && after === undefined && Object.keys(before).length > 0)
    return listChanges(before, {}, path);
  return [{ path, before, after }];
}

function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, place) => same(item, b[place]));
  if (isObject(a) && isObject(b)) return listChanges(a, b).length === 0;
  return a === b;
}
