import { equals } from "../values/equality.ts";
import { kw } from "../values/names.ts";
import { JArray, Tuple } from "../values/sequences.ts";
import { type Dictionary, Table } from "../values/tables.ts";
import { typeName } from "../values/types.ts";
import type { Value } from "../values/value.ts";
import { show } from "./describe.ts";
import { bytesOf, isCollection, sortedPairs } from "./key-order.ts";

export interface PrettyOptions {
  /** How many levels are shown; what is deeper is `...`. */
  readonly depth?: number;
  /** Breaks what does not fit into this many columns into lines; absent: one line. */
  readonly width?: number;
  readonly color?: boolean;
  /** Shows long collections in full. */
  readonly full?: boolean;
}

/** A value with all that it holds, as `%q`, `%p` and their kin print it. */
export function pretty(value: Value, options: PrettyOptions = {}): string {
  return new Printer(options).print(value, 0);
}

const ITEMS_SHOWN = 160;
const PAIRS_SHOWN = 30;
const DEEPEST = 1_024;

const CYCLE_COLOR = "36";
const CLASS_COLOR = "34";
const colors: Record<string, string> = {
  number: "32",
  keyword: "33",
  symbol: "34",
  string: "35",
  buffer: "35",
};

const nameKey = kw("_name");

class Printer {
  private readonly around: Value[] = [];
  private readonly options: PrettyOptions;
  private depth: number;

  constructor(options: PrettyOptions) {
    this.options = options;
    this.depth = options.depth ?? DEEPEST;
  }

  /** @param column where the text begins, from 0 */
  print(value: Value, column: number): string {
    if (!isCollection(value)) return this.paint(show(value), colors[typeName(value)] ?? "36");
    const cycle = this.around.findIndex((outer) => equals(outer, value));
    if (cycle >= 0) return this.paint(`<cycle ${cycle}>`, CYCLE_COLOR);
    this.around.push(value);
    this.depth--;
    const text =
      value instanceof JArray || value instanceof Tuple
        ? this.items(value, column)
        : this.pairs(value, column);
    this.depth++;
    this.around.pop();
    return text;
  }

  private items(value: JArray | Tuple, column: number): string {
    const { items } = value;
    const [open, close] = value instanceof JArray ? ["@[", "]"] : value.bracketed ? ["[", "]"] : ["(", ")"];
    if (this.depth === 0) return `${open}...${close}`;
    const inner = column + open.length;
    let parts: string[];
    if (items.length > ITEMS_SHOWN && !this.options.full) {
      const each = (item: Value) => this.print(item, inner);
      parts = [...items.slice(0, 3).map(each), "...", ...items.slice(-3).map(each)];
    } else parts = items.map((item) => this.print(item, inner));
    return this.lay(open, parts, close, column, items.at(-1) ?? null);
  }

  private pairs(value: Dictionary, column: number): string {
    const open = `${this.opening(value)}{`;
    if (this.depth === 0) return `${open}...}`;
    const inner = column + visibleLength(open);
    const all = sortedPairs(value);
    const shown = all.length > PAIRS_SHOWN && !this.options.full ? all.slice(0, PAIRS_SHOWN) : all;
    const parts = shown.map(([key, of]) => {
      const text = this.print(key, inner);
      return `${text} ${this.print(of, inner + visibleLength(lastLine(text)) + 1)}`;
    });
    if (shown !== all) parts.push("...");
    return this.lay(open, parts, "}", column, shown === all ? (all.at(-1)?.[1] ?? null) : null);
  }

  /** What stands before the brace: the sign of a table and the name of its class. */
  private opening(value: Dictionary): string {
    const name = value.proto ? bytesOf(value.proto.get(nameKey)) : undefined;
    const sign = value instanceof Table ? "@" : "";
    return name === undefined ? sign : sign + this.paint(name, CLASS_COLOR);
  }

  /** One part a line when the last of them is a collection or all do not fit; else on one line. */
  private lay(open: string, parts: string[], close: string, column: number, last: Value): string {
    const flat = open + parts.map(unbroken).join(" ") + close;
    const { width } = this.options;
    if (width === undefined || parts.length < 2) return open + parts.join(" ") + close;
    if (!isCollection(last) && column + visibleLength(flat) <= width) return flat;
    const indent = " ".repeat(column + visibleLength(open));
    return open + parts.join(`\n${indent}`) + close;
  }

  private paint(text: string, color: string): string {
    return this.options.color ? `\x1b[${color}m${text}\x1b[0m` : text;
  }
}

function unbroken(text: string): string {
  return text.replace(/\n */g, " ");
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf("\n") + 1);
}

/** Without the signs of color. */
function visibleLength(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the signs of color begin with an escape
  return text.replace(/\x1b\[\d*m/g, "").length;
}
