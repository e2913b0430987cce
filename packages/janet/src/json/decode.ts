import { toBytes } from "../values/bytes.ts";
import { kw } from "../values/names.ts";
import { JArray } from "../values/sequences.ts";
import { Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import { panic } from "../vm/janet-error.ts";
import type { Vm } from "../vm/vm.ts";
import { DEPTH } from "./encode.ts";

/**
 * The value of a JSON text in bytes: tables and arrays. `keywords`: keys become keywords. `nils`: null becomes nil, and so is left
 * out of objects; else it is `:null`.
 * @throws JanetError `decode error at position 3: …`
 */
export function decode(vm: Vm, source: string, keywords: boolean, nils: boolean): Value {
  let at = 0;
  const fail = (words: string): never => panic(`decode error at position ${at}: ${words}`);
  const blank = (): void => {
    while (at < source.length && " \t\r\n".includes(source[at] as string)) at++;
  };
  const expect = (char: string): void => {
    blank();
    if (source[at] !== char) fail(at < source.length ? `expected '${char}'` : "unexpected end of source");
    at++;
  };
  const ahead = (char: string): boolean => {
    blank();
    if (source[at] !== char) return false;
    at++;
    return true;
  };

  const string = (): string => {
    let text = "";
    for (;;) {
      const end = source.slice(at).search(/["\\]/);
      if (end < 0) {
        at = source.length;
        fail("unexpected end of source");
      }
      const part = source.slice(at, at + end);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON does not allow exactly these
      if (/[\0-\x1f]/.test(part)) fail("control character in string");
      text += part;
      at += end + 1;
      if (source[at - 1] === '"') return text;
      text += escaped();
    }
  };
  const escaped = (): string => {
    const char = source[at++] ?? "";
    const plain = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }[char];
    if (plain !== undefined) return plain;
    if (char !== "u") fail("bad escape in string");
    let unit = hex();
    if (unit >= 0xd800 && unit < 0xdc00 && source.startsWith("\\u", at)) {
      const back = at;
      at += 2;
      const low = hex();
      if (low >= 0xdc00 && low < 0xe000) unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
      else at = back;
    }
    return toBytes(String.fromCodePoint(unit >= 0xd800 && unit < 0xe000 ? 0xfffd : unit));
  };
  const hex = (): number => {
    const digits = source.slice(at, at + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) fail("bad unicode escape");
    at += 4;
    return Number.parseInt(digits, 16);
  };

  const value = (depth: number): Value => {
    vm.spend(1);
    if (depth > DEPTH) fail("recursed too deeply");
    blank();
    const char = source[at];
    if (char === undefined) return fail("unexpected end of source");
    if (ahead('"')) return string();
    if (ahead("[")) {
      const array = new JArray();
      if (ahead("]")) return array;
      do array.items.push(value(depth + 1));
      while (ahead(","));
      expect("]");
      return array;
    }
    if (ahead("{")) {
      const table = new Table();
      if (ahead("}")) return table;
      do {
        expect('"');
        const key = string();
        expect(":");
        table.put(keywords ? kw(key) : key, value(depth + 1));
      } while (ahead(","));
      expect("}");
      return table;
    }
    for (const [word, meant] of [
      ["true", true],
      ["false", false],
      ["null", nils ? null : kw("null")],
    ] as [string, Value][]) {
      if (source.startsWith(word, at)) {
        at += word.length;
        return meant;
      }
    }
    const digits = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/.exec(source.slice(at, at + 400))?.[0];
    if (digits === undefined) return fail("bad value");
    at += digits.length;
    return Number(digits);
  };

  const decoded = value(0);
  blank();
  if (at < source.length) fail("unexpected extra token");
  return decoded;
}
