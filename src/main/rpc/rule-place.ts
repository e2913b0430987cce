import type { RuleOrigin } from "../../contract/index.ts";
import type { Caller } from "../authority/index.ts";

/** Where a rule comes from: a program is the terminal, whatever it says; a screen says which of its places it was. */
export function placeOf(caller: Caller, said: RuleOrigin["from"] = "screen"): RuleOrigin["from"] {
  const { kind } = caller.asker;
  return kind === "program" || kind === "here" ? "terminal" : said;
}

/** The origin of a rule that is stored now. */
export function originOf(caller: Caller, said?: RuleOrigin["from"]): RuleOrigin {
  return { at: new Date().toISOString(), from: placeOf(caller, said), answered: false };
}
