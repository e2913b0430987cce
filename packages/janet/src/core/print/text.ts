import { show, textOfAll } from "../../print/describe.ts";
import { formatArgs } from "../../print/format.ts";
import { kw, sym } from "../../values/names.ts";
import { cstringAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";

const MANY = Number.POSITIVE_INFINITY;

/** Functions that make text and names of values. */
export function install(core: Registrar): void {
  core.cfun(
    "string",
    0,
    MANY,
    "(string & xs)",
    "Makes one string of values as `print` would print them.",
    textOfAll,
  );
  core.cfun("symbol", 0, MANY, "(symbol & xs)", "Makes a symbol whose name is the text of values.", (args) =>
    sym(textOfAll(args)),
  );
  core.cfun(
    "keyword",
    0,
    MANY,
    "(keyword & xs)",
    "Makes a keyword whose name is the text of values.",
    (args) => kw(textOfAll(args)),
  );
  core.cfun(
    "describe",
    0,
    MANY,
    "(describe & xs)",
    "Makes a string that shows values for a human, strings in quotes and collections by address.",
    (args) => args.map(show).join(""),
  );
  core.cfun(
    "string/format",
    1,
    MANY,
    "(string/format fmt & xs)",
    "Fills the conversions of a format, such as %d, %s or %q, with values.",
    (args, vm) => formatArgs(cstringAt(args, 0), args, 1, vm),
  );
}
