import { Parser } from "../../reader/parser.ts";
import { Abstract, type AbstractType } from "../../values/abstract.ts";
import type { Native } from "../../values/functions.ts";
import { Kw } from "../../values/names.ts";

/** Filled by the parser library: the functions of a parser as its methods. */
export const parserMethods = new Map<Kw, Native>();

export const parserType: AbstractType<Parser> = {
  name: "core/parser",
  get: (_parser, key) => (key instanceof Kw ? parserMethods.get(key) : undefined),
  next(_parser, key) {
    const keys = [...parserMethods.keys()];
    return keys[key === null ? 0 : keys.indexOf(key as Kw) + 1] ?? null;
  },
};

export function newParser(parser = new Parser()): Abstract<Parser> {
  return new Abstract(parserType, parser);
}
