import { Lexer } from "yaml";
import { PyError } from "./values.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what YAML 1.1 refuses
const UNACCEPTABLE = /[^\x09\x0a\x0d\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
/** What the lexer puts in front of a scalar. */
const SCALAR = "\u001f";

/**
 * Refuses what PyYAML refuses and the reader of the syntax tree takes: characters that are not allowed, tabs outside
 * quotes, comments and literal blocks, and signs inside values of flow collections.
 * @throws PyError
 */
export function refuse(text: string): void {
  const bad = UNACCEPTABLE.exec(text);
  if (bad) {
    const code = (bad[0].codePointAt(0) ?? 0).toString(16).padStart(4, "0");
    fail(
      `unacceptable character #x${code}: special characters are not allowed\n  in "<unicode string>", position ${bad.index}`,
    );
  }
  let flow = 0;
  let header = false;
  let at = 0;
  let plain = false;
  for (const token of new Lexer().lex(text)) {
    if (token === SCALAR) {
      plain = true;
      continue;
    }
    if (plain) {
      if (!header) checkPlain(token, flow, () => place(text, at));
      header = false;
    } else if (/^[|>]/.test(token)) {
      header = true;
      if (token.includes("\t")) tab(text, at + token.indexOf("\t"));
    } else if (/^[ \t]+$/.test(token) && token.includes("\t")) tab(text, at + token.indexOf("\t"));
    else if (/^[&*]/.test(token) && !/^.[0-9A-Za-z_-]+$/.test(token))
      fail(
        `while scanning an ${token.startsWith("&") ? "anchor" : "alias"}\n${place(text, at)}\nexpected alphabetic or numeric character`,
      );
    else if (token === FLOW_ENDS) unclosed(text, at);
    else if (token === "[" || token === "{") flow += 1;
    else if (token === "]" || token === "}") flow -= 1;
    plain = false;
    if (!isMark(token)) at += token.length;
  }
  if (flow > 0) unclosed(text, at);
}

function unclosed(text: string, at: number): never {
  fail(
    `while parsing a flow collection\nexpected ',' or a closing bracket, but got '<stream end>'\n${place(text, at)}`,
  );
}

const QUOTED = /'(?:[^']|'')*'|"(?:[^"\\]|\\[\s\S])*"/y;
/** In larger files, which no manifest is, the lines must be indented. */
const MOST_SIZE = 65_536;
const MOST_ROUNDS = 100;
const FLOW_ENDS = "\u0018";
const BLANKS = " ".repeat(100);

/**
 * The same text with more blanks in front of the lines of quoted values and flow collections, where they mean nothing:
 * PyYAML lets such lines begin anywhere, the reader of the syntax tree does not.
 */
export function indented(text: string): string {
  let result = text;
  for (let round = 0; round < MOST_ROUNDS && text.length < MOST_SIZE; round += 1) {
    const found = tooFarLeft(result);
    if (found === null) return result;
    const { at, quote } = found;
    if (!quote) {
      result = result.slice(0, at) + BLANKS + result.slice(at);
      continue;
    }
    QUOTED.lastIndex = at;
    const whole = QUOTED.exec(result)?.[0];
    if (whole === undefined || /\n(?:---|\.\.\.)(?:\s|$)/.test(whole)) return result;
    result = result.slice(0, at) + whole.replaceAll("\n", `\n${BLANKS}`) + result.slice(at + whole.length);
  }
  return result;
}

/** Where the first quoted value begins, or flow collection goes on, of which the lexer sees no end. */
function tooFarLeft(text: string): { at: number; quote: boolean } | null {
  let at = 0;
  let plain = false;
  for (const token of new Lexer().lex(text)) {
    if (!plain && /^['"]/.test(token)) {
      QUOTED.lastIndex = 0;
      if (QUOTED.exec(token)?.[0] !== token) return { at, quote: true };
    }
    if (token === FLOW_ENDS && at < text.length && !/^(?:---|\.\.\.)/.test(text.slice(at, at + 3)))
      return { at, quote: false };
    plain = token === SCALAR;
    if (!isMark(token)) at += token.length;
  }
  return null;
}

/** Signs of the lexer that stand for nothing in the text. */
const isMark = (token: string): boolean => token === "\u0002" || token === FLOW_ENDS || token === SCALAR;

function checkPlain(token: string, flow: number, where: () => string): void {
  if (token.includes("\t"))
    fail(`while scanning for the next token\nfound character '\\t' that cannot start any token\n${where()}`);
  if (flow > 0 && (token.includes("?") || /^[:-]/.test(token)))
    fail(`while parsing a flow collection\nexpected ',' or a closing bracket, but got '?'\n${where()}`);
}

function tab(text: string, at: number): never {
  fail(
    `while scanning for the next token\nfound character '\\t' that cannot start any token\n${place(text, at)}`,
  );
}

function place(text: string, at: number): string {
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  return `  in "<unicode string>", line ${line}, column ${at - before.lastIndexOf("\n")}`;
}

function fail(text: string): never {
  throw new PyError("YAMLError", text);
}
