/** A piece of Python source. `text` of a string is its value as far as it is plain text. */
export interface Token {
  kind: "name" | "text" | "sign" | "newline";
  text: string;
  /** For a text: whether it is known in full, so no f-string. */
  whole: boolean;
}

const STRING = /([A-Za-z]{0,2})("""|'''|"|')/y;
const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
const SKIPPED = /(?:[ \t\f]|\\\n|#[^\n]*)+/y;
const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "\n": "",
};

/** Splits Python source roughly: enough to tell calls, names and texts from what only looks like them. */
export function* tokens(source: string): Generator<Token> {
  let at = 0;
  while (at < source.length) {
    const skipped = matched(SKIPPED, source, at);
    if (skipped) {
      at += skipped[0].length;
      continue;
    }
    const opening = matched(STRING, source, at);
    if (opening) {
      const [whole, prefix = "", quote = ""] = opening;
      const { value, end } = stringAt(source, at + whole.length, quote, /r/i.test(prefix));
      at = end;
      yield { kind: "text", text: value, whole: !/[ftb]/i.test(prefix) };
      continue;
    }
    const name = matched(NAME, source, at);
    if (name) {
      at += name[0].length;
      yield { kind: "name", text: name[0], whole: true };
      continue;
    }
    const sign = source[at] ?? "";
    at += 1;
    yield { kind: sign === "\n" ? "newline" : "sign", text: sign, whole: true };
  }
}

function matched(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

function stringAt(source: string, from: number, quote: string, raw: boolean): { value: string; end: number } {
  let value = "";
  let at = from;
  while (at < source.length && !source.startsWith(quote, at)) {
    const character = source[at] ?? "";
    if (character === "\n" && quote.length === 1) return { value, end: at };
    if (character === "\\") {
      const next = source[at + 1] ?? "";
      value += raw ? character + next : (ESCAPES[next] ?? character + next);
      at += 2;
      continue;
    }
    value += character;
    at += 1;
  }
  return { value, end: at + quote.length };
}
