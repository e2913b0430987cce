import { basename, dirname, extname, join } from "node:path";
import { PatchbayError, type Problem } from "../../../contract/errors.ts";

/** The path under which a file is kept that is not used as it is. */
export function pathAside(path: string, word: string): string {
  const stamp = new Date().toISOString().replace(/[:.]/g, "-");
  const extension = extname(path);
  return join(dirname(path), `${basename(path, extension)}.${word}-${stamp}${extension}`);
}

/** @returns STATE_FILE_NEWER */
export function newerError(path: string, found: number, known: number): PatchbayError {
  return new PatchbayError(
    "STATE_FILE_NEWER",
    `${basename(path)} was written by a newer Patchbay (format ${found}; this one knows ${known}).`,
    { details: { path, found, known } },
  );
}

/** The notice for a file that was damaged or gone. `reason`: why it cannot be read; undefined when it was gone. */
export function damagedProblem(
  path: string,
  reason: string | undefined,
  aside: string | null,
  copy: string | null,
): Problem {
  const name = basename(path);
  const happened = reason !== undefined ? `${name} was damaged` : `${name} was gone`;
  const used = copy ? "the newest good copy is used" : "no good copy was left, so it starts empty";
  const kept = aside ? ` The damaged file was kept as ${basename(aside)}.` : "";
  return {
    code: "STATE_FILE_DAMAGED",
    message: `${happened}; ${used}.${kept}`,
    help: "Check your last changes.",
    details: {
      path,
      damaged: aside,
      copy,
      ...(reason !== undefined && { reason }),
    },
  };
}
