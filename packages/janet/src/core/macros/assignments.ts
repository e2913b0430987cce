import type { Registrar } from "../registrar.ts";
import { type CoreValue, list, S } from "./forms.ts";

const any = Number.POSITIVE_INFINITY;

/** Macros that change a variable or a place. */
export function installAssignments(core: Registrar, value: CoreValue): void {
  const change = (name: string, operator: string, words: string) =>
    core.macro(
      name,
      1,
      any,
      `(${name} x & ns)`,
      `Sets a variable to itself ${words} the given numbers.`,
      ([target = null, ...numbers]) => list(S.set, target, list(value(operator), target, ...numbers)),
    );
  change("+=", "+", "plus");
  change("-=", "-", "minus");
  change("*=", "*", "times");
  change("/=", "/", "divided by");
  change("%=", "%", "modulo");
  core.macro("++", 1, 1, "(++ x)", "Adds 1 to a variable.", ([target = null]) =>
    list(S.set, target, list(value("+"), target, 1)),
  );
  core.macro("--", 1, 1, "(-- x)", "Subtracts 1 from a variable.", ([target = null]) =>
    list(S.set, target, list(value("-"), target, 1)),
  );
  core.macro(
    "toggle",
    1,
    1,
    "(toggle value)",
    "Sets a variable to its logical opposite.",
    ([target = null]) => list(S.set, target, list(value("not"), target)),
  );
}
