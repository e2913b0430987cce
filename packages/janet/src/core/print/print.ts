import { textOfAll } from "../../print/describe.ts";
import { formatArgs } from "../../print/format.ts";
import { Abstract } from "../../values/abstract.ts";
import type { Call } from "../../values/functions.ts";
import type { Value } from "../../values/value.ts";
import type { Vm } from "../../vm/vm.ts";
import { cstringAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";
import { type Channel, checkTarget, writeOut, writeTo } from "./output.ts";

const MANY = Number.POSITIVE_INFINITY;

/** `print` and its kin: to `:out`, to `:err`, to a given place; with values or a format; with a line's end or without. */
export function install(core: Registrar): void {
  channel(core, "", "out", "standard output");
  channel(core, "e", "err", "standard error");
  core.cgen(
    "xprint",
    1,
    MANY,
    "(xprint to & xs)",
    "Prints values and a newline to a buffer, file or function.",
    (args, vm) => writeTo(vm, args[0] as Value, `${textOfAll(args.slice(1))}\n`),
  );
  core.cgen(
    "xprin",
    1,
    MANY,
    "(xprin to & xs)",
    "Prints values to a buffer, file or function, without a newline.",
    (args, vm) => writeTo(vm, args[0] as Value, textOfAll(args.slice(1))),
  );
  core.cgen(
    "xprintf",
    2,
    MANY,
    "(xprintf to fmt & xs)",
    "Prints a filled format and a newline to a buffer, file or function.",
    (args, vm) => printFormat(vm, args, "\n"),
  );
  core.cgen(
    "xprinf",
    2,
    MANY,
    "(xprinf to fmt & xs)",
    "Prints a filled format to a buffer, file or function, without a newline.",
    (args, vm) => printFormat(vm, args, ""),
  );
  core.gen(
    "pp",
    1,
    1,
    "(pp x)",
    "Prints a value and all that it holds, in the format that `*pretty-format*` is bound to.",
    prettyPrint,
  );
}

/** The four functions of one channel. */
function channel(core: Registrar, prefix: string, to: Channel, place: string): void {
  core.cgen(
    `${prefix}print`,
    0,
    MANY,
    `(${prefix}print & xs)`,
    `Prints values and a newline to ${place}, or to what :${to} is bound to.`,
    (args, vm) => writeOut(vm, to, `${textOfAll(args)}\n`),
  );
  core.cgen(
    `${prefix}prin`,
    0,
    MANY,
    `(${prefix}prin & xs)`,
    `Prints values to ${place}, or to what :${to} is bound to, without a newline.`,
    (args, vm) => writeOut(vm, to, textOfAll(args)),
  );
  core.cgen(
    `${prefix}printf`,
    1,
    MANY,
    `(${prefix}printf fmt & xs)`,
    `Prints a filled format and a newline to ${place}, or to what :${to} is bound to.`,
    (args, vm) => writeOut(vm, to, `${formatArgs(cstringAt(args, 0), args, 1, vm)}\n`),
  );
  core.cgen(
    `${prefix}prinf`,
    1,
    MANY,
    `(${prefix}prinf fmt & xs)`,
    `Prints a filled format to ${place}, or to what :${to} is bound to, without a newline.`,
    (args, vm) => writeOut(vm, to, formatArgs(cstringAt(args, 0), args, 1, vm)),
  );
  core.cfun(
    `${prefix}flush`,
    0,
    0,
    `(${prefix}flush)`,
    `Writes out what a file that :${to} is bound to still holds back.`,
    (_args, vm) => {
      const target = vm.dyn(to);
      if (target instanceof Abstract) target.type.flush?.(target.data);
      return null;
    },
  );
}

/** The target and the kind of the format are looked at before the values are. */
function printFormat(vm: Vm, args: Value[], end: string): Call {
  const format = cstringAt(args, 1);
  const target = args[0] as Value;
  checkTarget(target);
  return writeTo(vm, target, formatArgs(format, args, 2, vm) + end);
}

function* prettyPrint(args: Value[], vm: Vm): Call {
  const format = cstringAt([vm.dyn("pretty-format") ?? "%q"], 0);
  return yield* writeOut(vm, "out", `${formatArgs(format, args, 0, vm)}\n`);
}
