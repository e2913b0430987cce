import { show } from "../print/describe.ts";
import { Kw, Sym } from "../values/names.ts";
import { JArray, JBuffer, Tuple } from "../values/sequences.ts";
import { type Dictionary, Struct, Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import { panic } from "../vm/janet-error.ts";
import type { Vm } from "../vm/vm.ts";

/** How deep values may be nested. */
export const DEPTH = 1_024;

/**
 * A value as JSON, in bytes. nil and `:null` are null; strings, symbols, other keywords and buffers are strings. `tab` and `newline`
 * lay it out over lines when they are not empty.
 * @throws JanetError for functions, fibers, abstract values, infinite numbers and keys that are no strings
 */
export function encode(vm: Vm, value: Value, tab: string, newline: string): string {
  const write = (item: Value, depth: number): string => {
    vm.spend(1);
    if (depth > DEPTH) panic("recursed too deeply");
    if (item === null) return "null";
    if (typeof item === "boolean") return String(item);
    if (typeof item === "number") return Number.isFinite(item) ? String(item) : panic("number is not finite");
    if (item instanceof Kw && item.name === "null") return "null";
    const text = bytesOf(item);
    if (text !== null) return quoted(text);
    if (item instanceof JArray || item instanceof Tuple) {
      return framed(
        "[",
        "]",
        item.items.map((each) => write(each, depth + 1)),
        depth,
      );
    }
    if (item instanceof Table || item instanceof Struct) {
      return framed(
        "{",
        "}",
        pairs(item).map(([key, each]) => `${keyText(key)}:${tab === "" ? "" : " "}${write(each, depth + 1)}`),
        depth,
      );
    }
    return panic(`type not supported: ${show(item)}`);
  };
  const framed = (open: string, close: string, parts: string[], depth: number): string => {
    if (parts.length === 0) return open + close;
    const inner = newline + tab.repeat(depth + 1);
    return open + inner + parts.join(`,${inner}`) + newline + tab.repeat(depth) + close;
  };
  return write(value, 0);
}

function pairs(dictionary: Dictionary): [Value, Value][] {
  const found: [Value, Value][] = [];
  for (let slot = 0; slot < dictionary.slots; slot++)
    if (dictionary.liveAt(slot)) found.push([dictionary.keyAt(slot), dictionary.valueAt(slot)]);
  return found;
}

function keyText(key: Value): string {
  const text = bytesOf(key);
  return text === null ? panic(`object key must be a byte sequence, got ${show(key)}`) : quoted(text);
}

function bytesOf(value: Value): string | null {
  if (typeof value === "string") return value;
  if (value instanceof Kw || value instanceof Sym) return value.name;
  return value instanceof JBuffer ? value.text() : null;
}

const escapes: Record<string, string> = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function quoted(bytes: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes exactly these
  const inner = bytes.replace(/["\\\0-\x1f\x7f]/g, (char) => {
    return escapes[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `"${inner}"`;
}
