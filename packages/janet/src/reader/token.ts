import { type Kw, kw, type Sym, sym } from "../values/names.ts";
import type { Value } from "../values/value.ts";
import { isUtf8 } from "./chars.ts";
import { scanNumber } from "./numbers.ts";

/** The value of a token: number, keyword, nil, true, false or symbol. Else the words of an error. */
export function tokenValue(text: string): { readonly value: Value } | { readonly error: string } {
  const first = text.charCodeAt(0);
  if (first === 58) {
    if (!isUtf8(text)) return { error: "invalid utf-8 in keyword" };
    return { value: kw(text.slice(1)) };
  }
  const digit = first >= 48 && first <= 57;
  // + - .
  if (digit || first === 43 || first === 45 || first === 46) {
    const number = scanNumber(text);
    if (number !== undefined) return { value: number };
    if (digit) return { error: "symbol literal cannot start with a digit" };
  }
  if (text === "nil") return { value: null };
  if (text === "true") return { value: true };
  if (text === "false") return { value: false };
  if (!isUtf8(text)) return { error: "invalid utf-8 in symbol" };
  return { value: sym(text) };
}

/** Whether the reader gives this very name back when it reads the name as it is printed. */
export function isPlainName(name: Sym | Kw): boolean {
  const text = name === kw(name.name) ? `:${name.name}` : name.name;
  if (!/^[-\w!$%&*+./:<=>?@^\x80-\xff]+$/.test(text)) return false;
  const token = tokenValue(text);
  return "value" in token && token.value === name;
}
