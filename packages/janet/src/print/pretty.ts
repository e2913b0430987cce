import { kw } from "../values/names.ts";
import { JArray, Tuple } from "../values/sequences.ts";
import { type Dictionary, Table } from "../values/tables.ts";
import { bytesOf, typeName } from "../values/types.ts";
import type { Value } from "../values/value.ts";
import { show } from "./describe.ts";
import { type Effort, newEffort } from "./effort.ts";
import { isCollection, sortedPairs } from "./key-order.ts";

export interface PrettyOptions {
  /** How many levels are shown; what is deeper is `...`. */
  readonly depth?: number;
  /** Breaks what does not fit into this many columns into lines; absent: one line. */
  readonly width?: number;
  readonly color?: boolean;
  /** Shows long collections in full. */
  readonly full?: boolean;
  /** Counts what is printed. */
  readonly effort?: Effort;
}

/** A value with all that it holds, as `%q`, `%p` and their kin print it. */
export function pretty(value: Value, options: PrettyOptions = {}): string {
  return new Printer(options).print(value, 0).text;
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

/** A printed value: on one line, and as it is laid out. `leaf`: it is no collection. */
interface Printed {
  readonly flat: string;
  readonly text: string;
  readonly leaf: boolean;
}

class Printer {
  private readonly around: Value[] = [];
  private readonly options: PrettyOptions;
  private readonly effort: Effort;
  private depth: number;

  constructor(options: PrettyOptions) {
    this.options = options;
    this.depth = options.depth ?? DEEPEST;
    this.effort = options.effort ?? newEffort();
  }

  /** @param column where the text begins, from 0 */
  print(value: Value, column: number): Printed {
    this.effort(1);
    if (!isCollection(value)) return this.leaf(show(value), colors[typeName(value)] ?? "36");
    const cycle = this.around.indexOf(value);
    if (cycle >= 0) return this.leaf(`<cycle ${cycle}>`, CYCLE_COLOR);
    this.around.push(value);
    this.depth--;
    const printed =
      value instanceof JArray || value instanceof Tuple
        ? this.items(value, column)
        : this.pairs(value, column);
    this.depth++;
    this.around.pop();
    return printed;
  }

  private items(value: JArray | Tuple, column: number): Printed {
    const { items } = value;
    const [open, close] = value instanceof JArray ? ["@[", "]"] : value.bracketed ? ["[", "]"] : ["(", ")"];
    if (this.depth === 0) return collection(`${open}...${close}`);
    const inner = column + open.length;
    const each = (item: Value) => this.print(item, inner);
    const parts =
      items.length > ITEMS_SHOWN && !this.options.full
        ? [...items.slice(0, 3).map(each), ellipsis, ...items.slice(-3).map(each)]
        : items.map(each);
    return this.lay(open, parts, close, column);
  }

  private pairs(value: Dictionary, column: number): Printed {
    const open = `${this.opening(value)}{`;
    if (this.depth === 0) return collection(`${open}...}`);
    const inner = column + this.lengthOf(open);
    const all = sortedPairs(value);
    const shown = all.length > PAIRS_SHOWN && !this.options.full ? all.slice(0, PAIRS_SHOWN) : all;
    const parts = shown.map(([key, of]) => {
      const left = this.print(key, inner);
      const right = this.print(of, inner + this.lengthOf(lastLine(left.text)) + 1);
      return { flat: `${left.flat} ${right.flat}`, text: `${left.text} ${right.text}`, leaf: right.leaf };
    });
    if (shown !== all) parts.push({ ...ellipsis, leaf: parts.at(-1)?.leaf ?? true });
    return this.lay(open, parts, "}", column);
  }

  /** What stands before the brace: the sign of a table and the name of its class. */
  private opening(value: Dictionary): string {
    const name = value.proto ? bytesOf(value.proto.get(nameKey)) : undefined;
    const sign = value instanceof Table ? "@" : "";
    return name === undefined ? sign : sign + this.paint(name, CLASS_COLOR);
  }

  /** One part a line when the last of them is a collection or all do not fit; else on one line. */
  private lay(open: string, parts: readonly Printed[], close: string, column: number): Printed {
    const flat = open + parts.map((part) => part.flat).join(" ") + close;
    const { width } = this.options;
    if (width === undefined) return collection(flat);
    if (parts.at(-1)?.leaf !== false && column + this.lengthOf(flat) <= width) return collection(flat);
    const indent = " ".repeat(column + this.lengthOf(open));
    return collection(flat, open + parts.map((part) => part.text).join(`\n${indent}`) + close);
  }

  private lengthOf(text: string): number {
    return this.options.color ? visibleLength(text) : text.length;
  }

  private leaf(shown: string, color: string): Printed {
    const text = this.paint(shown, color);
    return { flat: text, text, leaf: true };
  }

  private paint(text: string, color: string): string {
    return this.options.color ? `\x1b[${color}m${text}\x1b[0m` : text;
  }
}

const ellipsis: Printed = { flat: "...", text: "...", leaf: true };

function collection(flat: string, text = flat): Printed {
  return { flat, text, leaf: false };
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf("\n") + 1);
}

/** Without the signs of color. */
function visibleLength(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the signs of color begin with an escape
  return text.replace(/\x1b\[\d*m/g, "").length;
}
