import { hash } from "node:crypto";
import { isObject, type SaidThing, type Words } from "../../../contract/index.ts";

/** Most characters of one text that are kept to be shown, and of the rest of what is said of a thing. */
const MOST_TEXT = 16_000;
const MOST_REST = 32_000;
/** What lies deeper is taken as it stands. */
const DEEPEST = 100;

/** SHA-256 in hex of all that is said of a thing; the order of fields does not count. */
export function fingerprintOf({ kind, name, words: { text, more } }: Omit<SaidThing, "title">): string {
  return hash("sha256", JSON.stringify(sorted({ kind, name, text, more }, 0)), "hex");
}

/** What an instance says, as it is looked up later: by the id of a thing the hash of what is said of it. */
export interface SaidNow {
  hashes: ReadonlyMap<string, string>;
}

export function saidNow(said: readonly SaidThing[]): SaidNow {
  return { hashes: new Map(said.map((thing) => [idOf(thing), fingerprintOf(thing)])) };
}

/** What a thing is found by. */
export function idOf({ kind, name }: Pick<SaidThing, "kind" | "name">): string {
  return `${kind} ${name}`;
}

/** The words as they are kept: not longer than a person can read. */
export function keptWords({ text, more }: Words): Words {
  const isLong = text.length > MOST_TEXT;
  const isMuch = JSON.stringify(more).length > MOST_REST;
  return {
    text: isLong ? text.slice(0, MOST_TEXT) : text,
    more: isMuch ? {} : more,
    ...((isLong || isMuch) && { cut: true as const }),
  };
}

/** The value with its fields in order. Objects are pairs, because a field may be called `__proto__`; a sign tells them from lists. */
function sorted(value: unknown, depth: number): unknown {
  if (depth > DEEPEST) return value;
  if (Array.isArray(value)) return ["[", ...value.map((item) => sorted(item, depth + 1))];
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return ["{", ...names.map((name) => [name, sorted(value[name], depth + 1)])];
}
