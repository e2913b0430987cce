/** What a condition compares: a field of what the turn is stopped at, or a value that stands in the condition. */
export type Operand =
  | { kind: "field"; path: readonly (string | number)[] }
  | { kind: "value"; value: string | number | boolean | null };

export type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** A condition of a breakpoint. It reads fields and does nothing else. */
export type Condition =
  | { kind: "and" | "or"; left: Condition; right: Condition }
  | { kind: "not"; of: Condition }
  /** The field is there, and is neither false, null, 0 nor empty. */
  | { kind: "is"; of: Operand }
  | { kind: "compare"; by: Comparison; left: Operand; right: Operand }
  /** A text that has another one in it, a list that has an element; of anything else its JSON. */
  | { kind: "contains"; whole: Operand; part: Operand }
  | { kind: "matches"; of: Operand; source: string; flags: string };

/** What is wrong with a condition; the screen has words for each. */
export const conditionFaults = [
  "unknown_sign",
  "open_text",
  "open_pattern",
  "bad_pattern",
  "value_missing",
  "pattern_missing",
  "closing_missing",
  "left_over",
  "too_deep",
  "too_long",
] as const;
export type ConditionFault = (typeof conditionFaults)[number];

/** `at`: the place in the text, in UTF-16 units, and how many of them are meant. */
export interface ConditionTrouble {
  fault: ConditionFault;
  at: number;
  length: number;
}

export type ParsedCondition = { ok: true; condition: Condition } | { ok: false; trouble: ConditionTrouble };

type Token =
  | { kind: "word" | "sign"; text: string; at: number }
  | { kind: "value"; value: string | number; at: number; length: number }
  | { kind: "pattern"; source: string; flags: string; at: number; length: number }
  | { kind: "end"; at: number };

const MOST_CHARACTERS = 2_000;
const MOST_DEPTH = 50;
const comparisons: readonly string[] = ["==", "!=", "<=", ">=", "<", ">", "="];
const joining = new Set(["and", "or", "not", "contains", "matches"]);

class Fault extends Error {
  readonly trouble: ConditionTrouble;
  constructor(fault: ConditionFault, at: number, length = 1) {
    super(fault);
    this.trouble = { fault, at, length };
  }
}

/**
 * Reads a condition: `args.command contains "rm" and not (plugin == "git" or args.path matches /^\/tmp/i)`. A field is a
 * name with dots, and numbers for elements of lists. Texts stand in quotation marks of either kind.
 */
export function parseCondition(text: string): ParsedCondition {
  try {
    if (text.length > MOST_CHARACTERS) throw new Fault("too_long", MOST_CHARACTERS, text.length);
    const reader = new Reader(tokensOf(text));
    const condition = reader.any(0);
    reader.expectEnd();
    return { ok: true, condition };
  } catch (error) {
    if (error instanceof Fault) return { ok: false, trouble: error.trouble };
    throw error;
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const next = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  while (at < text.length) {
    const space = next(/\s+/y);
    if (space) {
      at += space.length;
      continue;
    }
    const begin = at;
    const number = next(/-?\d+(?:\.\d+)?(?![\w.])/y);
    const word =
      number === undefined ? next(/[\p{L}_$][\p{L}\p{N}_$@-]*(?:\.[\p{L}\p{N}_$@-]+)*/uy) : undefined;
    const sign = next(/==|!=|<=|>=|[<>=()]/y);
    if (number !== undefined) {
      tokens.push({ kind: "value", value: Number(number), at, length: number.length });
      at += number.length;
    } else if (word !== undefined) {
      tokens.push({ kind: "word", text: word, at });
      at += word.length;
    } else if (sign !== undefined) {
      tokens.push({ kind: "sign", text: sign, at });
      at += sign.length;
    } else if (text[at] === '"' || text[at] === "'") {
      const quoted = next(text[at] === '"' ? /"(?:[^"\\]|\\[\s\S])*"/y : /'(?:[^'\\]|\\[\s\S])*'/y);
      if (quoted === undefined) throw new Fault("open_text", at, text.length - at);
      const value = quoted.slice(1, -1).replace(/\\([\s\S])/g, (_all, one: string) => escapes[one] ?? one);
      at += quoted.length;
      tokens.push({ kind: "value", value, at: begin, length: quoted.length });
    } else if (text[at] === "/") {
      const found = next(/\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y);
      if (found === undefined) throw new Fault("open_pattern", at, text.length - at);
      at += found.length;
      tokens.push({ kind: "pattern", ...patternOf(found, begin), at: begin, length: found.length });
    } else throw new Fault("unknown_sign", at);
  }
  tokens.push({ kind: "end", at: text.length });
  return tokens;
}

const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r" };

function patternOf(text: string, at: number): { source: string; flags: string } {
  const end = text.lastIndexOf("/");
  const source = text.slice(1, end);
  const flags = text.slice(end + 1);
  try {
    if (!/^[imsu]*$/.test(flags)) throw new SyntaxError("flags");
    new RegExp(source, flags);
  } catch {
    throw new Fault("bad_pattern", at, text.length);
  }
  return { source, flags };
}

/** Reads tokens from left to right; "not" holds more tightly than "and", and that more than "or". */
class Reader {
  private readonly tokens: readonly Token[];
  private place = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  any(depth: number): Condition {
    let left = this.every(depth);
    while (this.take("word", "or")) left = { kind: "or", left, right: this.every(depth) };
    return left;
  }

  expectEnd(): void {
    const token = this.now;
    if (token.kind !== "end") throw new Fault("left_over", token.at, lengthOf(token));
  }

  private every(depth: number): Condition {
    let left = this.one(depth);
    while (this.take("word", "and")) left = { kind: "and", left, right: this.one(depth) };
    return left;
  }

  private one(depth: number): Condition {
    if (depth > MOST_DEPTH) throw new Fault("too_deep", this.now.at);
    if (this.take("word", "not")) return { kind: "not", of: this.one(depth + 1) };
    const opened = this.take("sign", "(");
    if (opened) {
      const inner = this.any(depth + 1);
      if (!this.take("sign", ")")) throw new Fault("closing_missing", opened.at);
      return inner;
    }
    const left = this.operand();
    if (this.take("word", "contains")) return { kind: "contains", whole: left, part: this.operand() };
    if (this.take("word", "matches")) {
      const pattern = this.now;
      if (pattern.kind !== "pattern") throw new Fault("pattern_missing", pattern.at, lengthOf(pattern));
      this.place += 1;
      return { kind: "matches", of: left, source: pattern.source, flags: pattern.flags };
    }
    const sign = this.now;
    if (sign.kind !== "sign" || !comparisons.includes(sign.text)) return { kind: "is", of: left };
    this.place += 1;
    const by = (sign.text === "=" ? "==" : sign.text) as Comparison;
    return { kind: "compare", by, left, right: this.operand() };
  }

  private operand(): Operand {
    const token = this.now;
    if (token.kind === "value") {
      this.place += 1;
      return { kind: "value", value: token.value };
    }
    if (token.kind !== "word" || joining.has(token.text))
      throw new Fault("value_missing", token.at, lengthOf(token));
    this.place += 1;
    const fixed = constants.get(token.text);
    if (fixed !== undefined) return { kind: "value", value: fixed };
    const path = token.text.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    return { kind: "field", path };
  }

  private take(kind: "word" | "sign", text: string): Token | undefined {
    const token = this.now;
    if (token.kind !== kind || token.text !== text) return undefined;
    this.place += 1;
    return token;
  }

  private get now(): Token {
    return this.tokens[this.place] ?? { kind: "end", at: 0 };
  }
}

const constants = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

function lengthOf(token: Token): number {
  switch (token.kind) {
    case "word":
    case "sign":
      return token.text.length;
    case "value":
    case "pattern":
      return token.length;
    case "end":
      return 1;
  }
}
