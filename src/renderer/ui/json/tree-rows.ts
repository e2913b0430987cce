import { isObject } from "../../../contract/is-object.ts";
import { cleanJson, exactText } from "../../../contract/shown/clean-text.ts";

/** A line of a drawn JSON value. */
export interface TreeRow {
  /** Where it lies: `$.content[0].text`; `$` is the value itself. Rows that stand for more items end in `…`. */
  path: string;
  /** The field or the place in the list; null for the value itself. */
  name: string | null;
  level: number;
  kind: "object" | "list" | "text" | "plain" | "more";
  value: unknown;
  /** What stands there; of what is closed, a few words of what is in it. */
  text: string;
  /** Null: nothing to open. */
  isOpen: boolean | null;
  /** Its place among its neighbours, from 1, and how many these are. */
  place: number;
  of: number;
}

/** So many items of one list are shown; a row stands for the others until it is opened. */
const MOST_SHOWN = 100;
/** A longer text, in characters, is closed until it is opened. */
const LONG = 240;
/** So many rows are open at the beginning, and so deep. */
const FIRST_ROWS = 60;
const FIRST_DEPTH = 4;

/** What is open at the beginning: what lies near, as long as it is not much. */
export function firstOpen(value: unknown): ReadonlySet<string> {
  const open = new Set<string>();
  let rows = 1;
  let nodes = [{ value, path: "$" }];
  for (let depth = 0; depth < FIRST_DEPTH && nodes.length > 0; depth += 1) {
    const next: typeof nodes = [];
    for (const node of nodes) {
      const inside = childrenOf(node.value, node.path);
      const count = Math.min(inside.length, MOST_SHOWN);
      if (count === 0 || (depth > 0 && rows + count > FIRST_ROWS)) continue;
      rows += count;
      open.add(node.path);
      next.push(...inside.slice(0, MOST_SHOWN));
    }
    nodes = next;
  }
  return open;
}

/** The lines of a value in their order; what is inside of closed ones is left out. */
export function treeRows(value: unknown, open: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (
    item: unknown,
    path: string,
    name: string | null,
    level: number,
    place: number,
    of: number,
  ) => {
    const base = { path, name, level, value: item, place, of };
    const inside = childrenOf(item, path);
    const isOpen = open.has(path);
    if (isObject(item) || Array.isArray(item)) {
      const kind = Array.isArray(item) ? "list" : "object";
      rows.push({ ...base, kind, text: summary(item), isOpen: inside.length === 0 ? null : isOpen });
    } else if (typeof item === "string") {
      const text = cleanJson(JSON.stringify(item));
      const isLong = text.length > LONG || item.includes("\n");
      const shown =
        isLong && !isOpen ? `${text.slice(0, LONG).toWellFormed()}${text.length > LONG ? "…" : ""}` : text;
      rows.push({
        ...base,
        kind: "text",
        text: isLong && isOpen ? exactText(item) : shown,
        isOpen: isLong ? isOpen : null,
      });
    } else rows.push({ ...base, kind: "plain", text: JSON.stringify(item) ?? "undefined", isOpen: null });
    if (!isOpen || inside.length === 0) return;
    const more = `${path}…`;
    const isAll = inside.length <= MOST_SHOWN || open.has(more);
    const shown = isAll ? inside : inside.slice(0, MOST_SHOWN);
    const total = isAll ? inside.length : MOST_SHOWN + 1;
    shown.forEach((child, index) => {
      add(child.value, child.path, child.name, level + 1, index + 1, total);
    });
    if (!isAll)
      rows.push({
        path: more,
        name: null,
        level: level + 1,
        kind: "more",
        value: inside.length - MOST_SHOWN,
        text: "",
        isOpen: false,
        place: total,
        of: total,
      });
  };
  add(value, "$", null, 1, 1, 1);
  return rows;
}

interface Child {
  value: unknown;
  path: string;
  name: string;
}

function childrenOf(value: unknown, path: string): Child[] {
  if (Array.isArray(value))
    return value.map((item, index) => ({ value: item, path: `${path}[${index}]`, name: String(index) }));
  if (!isObject(value)) return [];
  return Object.entries(value).map(([name, item]) => ({
    value: item,
    path: /^[A-Za-z_$][\w$]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`,
    name: exactText(name),
  }));
}

/** Longest summary of what is closed, in characters. */
const LONGEST_SUMMARY = 80;

function summary(value: object): string {
  const text = cleanJson(JSON.stringify(value));
  return text.length <= LONGEST_SUMMARY ? text : `${text.slice(0, LONGEST_SUMMARY).toWellFormed()}…`;
}
