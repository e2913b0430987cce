import { isObject } from "../is-object.ts";
import { stepsBetween } from "./sequence.ts";

interface Place {
  /** How deep it lies; the value itself is at 0. */
  depth: number;
  /** The field in which it stands; null in a list and for the value itself. */
  name: string | null;
  /** Where it lies: `content[0].text`; empty for the value itself. */
  path: string;
}

/** One line of two JSON values put over each other. */
export type DiffLine = Place &
  (
    | { kind: "same"; value: unknown }
    | { kind: "removed"; value: unknown }
    | { kind: "added"; value: unknown }
    | { kind: "changed"; before: unknown; after: unknown }
    /** An object or a list that is in both and in which something differs; its lines follow. */
    | { kind: "open" | "close"; bracket: "{" | "[" }
  );

/** What lies deeper is compared as a whole. */
const DEEPEST = 60;

/** Two JSON values line by line. What is the same in both is one line, however large it is. */
export function diffJson(before: unknown, after: unknown): DiffLine[] {
  const lines: DiffLine[] = [];
  compare(before, after, { depth: 0, name: null, path: "" }, lines);
  return lines;
}

/** Whether two JSON values say the same; the order of fields does not count. */
export function isSameJson(before: unknown, after: unknown): boolean {
  if (Object.is(before, after)) return true;
  if (Array.isArray(before) && Array.isArray(after))
    return before.length === after.length && before.every((item, index) => isSameJson(item, after[index]));
  if (!isObject(before) || !isObject(after)) return false;
  const names = Object.keys(before);
  return (
    names.length === Object.keys(after).length &&
    names.every((name) => Object.hasOwn(after, name) && isSameJson(before[name], after[name]))
  );
}

function compare(before: unknown, after: unknown, place: Place, lines: DiffLine[]): void {
  const isDeep = place.depth >= DEEPEST;
  if (isSameJson(before, after)) lines.push({ ...place, kind: "same", value: after });
  else if (!isDeep && isObject(before) && isObject(after))
    within("{", place, lines, () => fields(before, after, place, lines));
  else if (!isDeep && Array.isArray(before) && Array.isArray(after))
    within("[", place, lines, () => items(before, after, place, lines));
  else lines.push({ ...place, kind: "changed", before, after });
}

function within(bracket: "{" | "[", place: Place, lines: DiffLine[], inside: () => void): void {
  lines.push({ ...place, kind: "open", bracket });
  inside();
  lines.push({ ...place, kind: "close", bracket });
}

type Fields = Record<string, unknown>;

function fields(before: Fields, after: Fields, around: Place, lines: DiffLine[]): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const path = around.path === "" ? name : `${around.path}.${name}`;
    const place = { depth: around.depth + 1, name, path };
    if (!Object.hasOwn(after, name)) lines.push({ ...place, kind: "removed", value: before[name] });
    else if (!Object.hasOwn(before, name)) lines.push({ ...place, kind: "added", value: after[name] });
    else compare(before[name], after[name], place, lines);
  }
}

/** An item that was replaced by one of the same shape is compared with it, so that only what differs inside is marked. */
function items(before: unknown[], after: unknown[], around: Place, lines: DiffLine[]): void {
  const removed: unknown[] = [];
  const added: unknown[] = [];
  let index = 0;
  const flush = () => {
    const pairs = Math.min(removed.length, added.length);
    for (let pair = 0; pair < Math.max(removed.length, added.length); pair += 1) {
      const place = { depth: around.depth + 1, name: null, path: `${around.path}[${index}]` };
      if (pair < pairs) compare(removed[pair], added[pair], place, lines);
      else if (pair < removed.length) lines.push({ ...place, kind: "removed", value: removed[pair] });
      else lines.push({ ...place, kind: "added", value: added[pair] });
      if (pair < added.length) index += 1;
    }
    removed.length = 0;
    added.length = 0;
  };
  for (const step of stepsBetween(before, after, isSameJson)) {
    if (step.sign === "removed") removed.push(step.before);
    else if (step.sign === "added") added.push(step.after);
    else {
      flush();
      const place = { depth: around.depth + 1, name: null, path: `${around.path}[${index}]` };
      lines.push({ ...place, kind: "same", value: step.after });
      index += 1;
    }
  }
  flush();
}
