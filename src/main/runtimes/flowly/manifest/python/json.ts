import { integerOf } from "./text.ts";
import { type Py, PyDict, PyError, PyList } from "./values.ts";

/** Deeper than this, Python gives up as well. */
const MOST_DEEP = 900;

const NUMBER = /(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const WORDS: readonly (readonly [string, Py])[] = [
  ["null", null],
  ["true", true],
  ["false", false],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
];
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** JSON as Python's `json.loads` reads a text. @throws PyError with the text of its `JSONDecodeError` */
export function readJson(text: string): Py {
  return new Reader(text).whole();
}

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Py {
    if (this.#text.startsWith("\ufeff")) this.#fail("Unexpected UTF-8 BOM (decode using utf-8-sig)", 0);
    this.#blanks();
    const value = this.#value();
    this.#blanks();
    if (this.#at < this.#text.length) this.#fail("Extra data", this.#at);
    return value;
  }

  #value(): Py {
    const next = this.#text[this.#at];
    if (next === '"') return this.#string();
    if (next === "{" || next === "[") {
      this.#depth += 1;
      if (this.#depth > MOST_DEEP)
        throw new PyError("RecursionError", "maximum recursion depth exceeded while decoding a JSON value");
      const value = next === "{" ? this.#object() : this.#array();
      this.#depth -= 1;
      return value;
    }
    for (const [word, value] of WORDS)
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    return this.#number();
  }

  #number(): Py {
    NUMBER.lastIndex = this.#at;
    const found = NUMBER.exec(this.#text);
    if (!found) return this.#fail("Expecting value", this.#at);
    const [whole, integer = "", fraction, exponent] = found;
    this.#at += whole.length;
    if (fraction !== undefined || exponent !== undefined) return Number(whole);
    return integer.startsWith("-") ? integerOf(integer.slice(1), -1n) : integerOf(integer);
  }

  #object(): PyDict {
    const dict = new PyDict();
    this.#at += 1;
    this.#blanks();
    if (this.#text[this.#at] === "}") {
      this.#at += 1;
      return dict;
    }
    for (;;) {
      if (this.#text[this.#at] !== '"')
        this.#fail("Expecting property name enclosed in double quotes", this.#at);
      const key = this.#string();
      this.#blanks();
      if (this.#text[this.#at] !== ":") this.#fail("Expecting ':' delimiter", this.#at);
      this.#at += 1;
      this.#blanks();
      dict.set(key, this.#value());
      if (this.#closed("}")) return dict;
      this.#blanks();
    }
  }

  #array(): PyList {
    const list = new PyList();
    this.#at += 1;
    this.#blanks();
    if (this.#text[this.#at] === "]") {
      this.#at += 1;
      return list;
    }
    for (;;) {
      list.items.push(this.#value());
      if (this.#closed("]")) return list;
      this.#blanks();
    }
  }

  /** Whether the bracket is closed here; otherwise it reads the comma. */
  #closed(bracket: string): boolean {
    this.#blanks();
    const next = this.#text[this.#at];
    if (next !== bracket && next !== ",") this.#fail("Expecting ',' delimiter", this.#at);
    this.#at += 1;
    return next === bracket;
  }

  #string(): string {
    const begin = this.#at;
    let value = "";
    this.#at += 1;
    for (;;) {
      const next = this.#text[this.#at];
      if (next === undefined) return this.#fail("Unterminated string starting at", begin);
      if (next === '"') {
        this.#at += 1;
        return value;
      }
      if (next < " ") return this.#fail("Invalid control character at", this.#at);
      this.#at += 1;
      value += next === "\\" ? this.#escape(begin) : next;
    }
  }

  #escape(begin: number): string {
    const next = this.#text[this.#at];
    if (next === undefined) return this.#fail("Unterminated string starting at", begin);
    if (next === "u") {
      const digits = this.#text.slice(this.#at + 1, this.#at + 5);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.#fail("Invalid \\uXXXX escape", this.#at);
      this.#at += 5;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const plain = ESCAPES[next];
    if (plain === undefined) return this.#fail("Invalid \\escape", this.#at - 1);
    this.#at += 1;
    return plain;
  }

  #blanks(): void {
    while (/[ \t\n\r]/.test(this.#text[this.#at] ?? "")) this.#at += 1;
  }

  /** Positions are counted in characters, as Python does. */
  #fail(what: string, at: number): never {
    const before = this.#text.slice(0, at);
    const line = before.split("\n").length;
    const column = Array.from(before.slice(before.lastIndexOf("\n") + 1)).length + 1;
    throw new PyError(
      "JSONDecodeError",
      `${what}: line ${line} column ${column} (char ${Array.from(before).length})`,
    );
  }
}
