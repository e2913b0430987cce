import { show } from "../../print/describe.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import { bytesAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";

/** `os/perm-int` and `os/perm-string`. */
export function install(core: Registrar): void {
  core.cfun(
    "os/perm-int",
    1,
    1,
    "(os/perm-int bytes)",
    "The number of permissions written like rw-r--r--.",
    (args) => modeAt(args, 0),
  );
  core.cfun(
    "os/perm-string",
    1,
    1,
    "(os/perm-string int)",
    "Permissions, given as a number such as 8r644, written like rw-r--r--.",
    (args) => permissionText(modeAt(args, 0)),
  );
}

/** Permissions as a number (0 to 8r777) or in nine letters. */
export function modeAt(args: readonly Value[], at: number): number {
  const value = args[at] ?? null;
  if (typeof value === "number") {
    if (!Number.isInteger(value) || value < 0 || value > 0o777)
      panic(`bad slot #${at}, expected integer in range [0, 8r777], got ${show(value)}`);
    return value;
  }
  const text = bytesAt(args, at);
  if (text.length !== 9) panic(`bad slot #${at}: expected byte sequence of length 9, got ${show(value)}`);
  let mode = 0;
  for (let bit = 0; bit < 9; bit++) if (text[bit] === "rwx"[bit % 3]) mode |= 0o400 >> bit;
  return mode;
}

/** The lower nine bits in letters. */
export function permissionText(mode: number): string {
  let text = "";
  for (let bit = 0; bit < 9; bit++) text += mode & (0o400 >> bit) ? "rwx"[bit % 3] : "-";
  return text;
}
