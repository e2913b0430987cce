import type { TFunction } from "i18next";
import type { Caller } from "../../../../../contract/agent.ts";
import { cleanLine } from "../../../../../contract/shown/clean-text.ts";

/** By whom, and through what, a call outside of turns was made. */
export function callerWords(caller: Caller, t: TFunction): string {
  if (caller.kind === "channel") return t("outside.byChat", { channel: caller.channel });
  if (caller.program === undefined) return t("outside.byYou");
  return t("outside.byProgram", { program: cleanLine(caller.program) });
}
