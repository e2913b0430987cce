import { show } from "../../print/describe.ts";
import { Abstract } from "../../values/abstract.ts";
import { kw } from "../../values/names.ts";
import { Struct, Table } from "../../values/tables.ts";
import { isInt32, typeName } from "../../values/types.ts";
import type { Value } from "../../values/value.ts";
import { truthy } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Registrar } from "../registrar.ts";

const BYTES = ["string", "symbol", "keyword", "buffer"];
const INDEXED = ["array", "tuple"];
const DICTIONARIES = ["table", "struct"];
const LENGTHABLE = [...BYTES, ...INDEXED, ...DICTIONARIES];

/** `type` and the questions after a value's kind. */
export function install(core: Registrar): void {
  core.cfun("type", 1, 1, "(type x)", "The type of a value as a keyword.", ([x = null]) => kw(typeName(x)));
  const question = (name: string, doc: string, answer: (x: Value) => boolean) =>
    core.fun(name, 1, 1, `(${name} x)`, doc, (args) => answer(args[0] as Value));
  const cQuestion = (name: string, doc: string, answer: (x: Value) => boolean) =>
    core.cfun(name, 1, 1, `(${name} x)`, doc, (args) => answer(args[0] as Value));

  for (const name of [
    "number",
    "fiber",
    "string",
    "symbol",
    "keyword",
    "buffer",
    "function",
    "cfunction",
    "table",
    "struct",
    "array",
    "tuple",
    "boolean",
  ])
    question(`${name}?`, `Whether x is a ${name}.`, (x) => typeName(x) === name);
  question("nil?", "Whether x is nil.", (x) => x === null);
  question("true?", "Whether x is true itself.", (x) => x === true);
  question("false?", "Whether x is false itself.", (x) => x === false);
  question("truthy?", "Whether x is neither nil nor false.", truthy);
  question("nan?", "Whether x is the number that equals nothing.", (x) => Number.isNaN(x));

  cQuestion("abstract?", "Whether x is an abstract value.", (x) => x instanceof Abstract);
  cQuestion("int?", "Whether x is a whole number of 32 bits.", isInt32);
  cQuestion("nat?", "Whether x is a whole number of 32 bits and not negative.", (x) => isInt32(x) && x >= 0);
  cQuestion("bytes?", "Whether x is a string, symbol, keyword or buffer.", (x) =>
    BYTES.includes(typeName(x)),
  );
  cQuestion("indexed?", "Whether x is an array or tuple.", (x) => INDEXED.includes(typeName(x)));
  cQuestion("dictionary?", "Whether x is a table or struct.", (x) => DICTIONARIES.includes(typeName(x)));
  cQuestion("lengthable?", "Whether x is a byte sequence, an array, tuple, table or struct.", (x) =>
    LENGTHABLE.includes(typeName(x)),
  );
  cQuestion("not", "Whether x is nil or false.", (x) => !truthy(x));
  core.cfun("getproto", 1, 1, "(getproto x)", "The prototype of a table or struct, or nil.", ([x = null]) =>
    x instanceof Table || x instanceof Struct ? x.proto : panic(`expected struct or table, got ${show(x)}`),
  );
}
