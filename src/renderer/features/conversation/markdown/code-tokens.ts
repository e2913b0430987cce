/** What a piece of code is, as far as its letters tell. */
export type TokenKind = "plain" | "comment" | "string" | "number" | "word";

export interface Token {
  kind: TokenKind;
  text: string;
}

/** Longer code is shown in one colour, in characters. */
const longest = 50_000;

interface Language {
  /** Names by which Markdown calls it. */
  names: string;
  line?: string;
  block?: [open: string, close: string];
  /** The quotes that begin a string; longer ones first. */
  quotes: readonly string[];
  words: string;
}

const cLike = { line: "//", block: ["/*", "*/"] as [string, string] };
const plainQuotes = ['"', "'"];

const languages: readonly Language[] = [
  {
    names: "js javascript mjs cjs jsx ts typescript tsx",
    ...cLike,
    quotes: [...plainQuotes, "`"],
    words:
      "as async await break case catch class const continue debugger default delete do else enum export extends false finally for from function get if implements import in instanceof interface let new null of private protected public readonly return satisfies set static super switch this throw true try type typeof undefined var void while with yield",
  },
  {
    names: "py python python3",
    line: "#",
    quotes: ['"""', "'''", ...plainQuotes],
    words:
      "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield",
  },
  {
    names: "sh bash zsh shell console fish",
    line: "#",
    quotes: plainQuotes,
    words:
      "case do done elif else esac exit export fi for function if in local read return set shift source then unset until while echo cd sudo",
  },
  { names: "json jsonc json5", ...cLike, quotes: plainQuotes, words: "true false null" },
  { names: "yaml yml toml ini", line: "#", quotes: plainQuotes, words: "true false null yes no on off" },
  {
    names: "c h cpp c++ cc hpp java kotlin kt cs csharp swift go golang rust rs dart scala php",
    ...cLike,
    quotes: plainQuotes,
    words:
      "abstract as auto async await bool boolean break byte case catch chan char class const continue default defer do double else enum export extends extern false final finally float fn for foreach fun func function go goto guard if impl implements import in int interface internal is let long loop map match mod move mut namespace new nil null object override package private protected pub public range ref return select self short signed sizeof static string struct super switch template this throw throws trait true try type typedef union unsafe unsigned use using val var virtual void volatile when where while yield",
  },
  {
    names: "sql postgres postgresql mysql sqlite",
    line: "--",
    block: ["/*", "*/"],
    quotes: plainQuotes,
    words:
      "add all alter and as asc begin between by case check column commit constraint create cross default delete desc distinct drop else end exists false foreign from full group having in index inner insert into is join key left like limit not null offset on or order outer primary references returning right rollback select set table then true union unique update using values view when where with",
  },
  { names: "html xml svg", block: ["<!--", "-->"], quotes: plainQuotes, words: "" },
  { names: "css scss less", block: ["/*", "*/"], quotes: plainQuotes, words: "" },
  {
    names: "ruby rb",
    line: "#",
    quotes: plainQuotes,
    words:
      "and begin break case class def do else elsif end ensure false for if in module next nil not or redo require rescue retry return self super then true undef unless until when while yield",
  },
];

const byName = new Map(
  languages.flatMap((language) => language.names.split(" ").map((name) => [name, language] as const)),
);

/** Cuts code into pieces of one kind; undefined where the language is not known or the code is very long. */
export function tokensOf(code: string, name: string | null): Token[] | undefined {
  const language = byName.get(name?.toLowerCase() ?? "");
  if (!language || code.length > longest) return undefined;
  const { line, block, quotes } = language;
  const words = new Set(language.words.split(" "));
  const isSql = line === "--";
  const tokens: Token[] = [];
  const add = (kind: TokenKind, text: string) => {
    const last = tokens.at(-1);
    if (last?.kind === kind) last.text += text;
    else tokens.push({ kind, text });
  };
  let at = 0;
  const take = (kind: TokenKind, end: number) => {
    add(kind, code.slice(at, end));
    at = end;
  };
  while (at < code.length) {
    const begins = (sign: string) => code.startsWith(sign, at);
    // In a shell `#` begins a comment only after a space: `$#` and `a#b` are none.
    const isFree = at === 0 || /\s/.test(code[at - 1] ?? "");
    const quote = quotes.find(begins);
    if (block && begins(block[0])) take("comment", endOf(code, block[1], at + block[0].length));
    else if (line && begins(line) && (line !== "#" || isFree)) take("comment", endOfLine(code, at));
    else if (quote) take("string", endOfString(code, at, quote));
    else {
      const word = /[\p{L}_$][\p{L}\p{N}_$]*|\d[\w.]*|\s+|./suy;
      word.lastIndex = at;
      const text = word.exec(code)?.[0] ?? code.slice(at, at + 1);
      // What stands after a point is somebody's own name.
      const isWord = code[at - 1] !== "." && words.has(isSql ? text.toLowerCase() : text);
      take(isWord ? "word" : /^\d/.test(text) ? "number" : "plain", at + text.length);
    }
  }
  return tokens;
}

function endOf(code: string, sign: string, from: number): number {
  const found = code.indexOf(sign, from);
  return found === -1 ? code.length : found + sign.length;
}

function endOfLine(code: string, from: number): number {
  const found = code.indexOf("\n", from);
  return found === -1 ? code.length : found;
}

/** One that is not closed ends with its line, so that a lone apostrophe colours no more than that. */
function endOfString(code: string, from: number, quote: string): number {
  const isLong = quote.length > 1 || quote === "`";
  for (let at = from + quote.length; at < code.length; at += 1) {
    if (code[at] === "\\") at += 1;
    else if (code.startsWith(quote, at)) return at + quote.length;
    else if (code[at] === "\n" && !isLong) return at;
  }
  return code.length;
}
