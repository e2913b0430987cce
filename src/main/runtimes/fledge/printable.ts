import { HIDDEN, isNamedLikeSecret } from "../../base/private-names.ts";
import { cleanText } from "./run/output/clean-text.ts";

/** More than what is hidden of a question: nobody has to decide by a log. */
const PRIVATE = /token|secret|password|passwd|key|bearer|credential|auth/i;
const LONGEST = 300;

/** An argument as it is written to a log: quoted where needed, cut, and not at all when its name says that it is private. */
export function printable(text: string, name: string | undefined): string {
  if (name !== undefined && (PRIVATE.test(name) || isNamedLikeSecret(name))) return HIDDEN;
  const clean = cleanText(text).replace(/\n/g, "\\n");
  const cut = clean.length > LONGEST ? `${clean.slice(0, LONGEST).toWellFormed()}…` : clean;
  return /^[\w@%+=:,./-]+$/.test(cut) ? cut : `'${cut.replaceAll("'", "'\\''")}'`;
}
