import { writeFileSync } from "node:fs";
import { PatchbayError } from "../../contract/index.ts";

/** Writes a file that was not there, for the person alone. @throws PatchbayError WRITE_FAILED */
export function writeNew(path: string, content: Uint8Array): void {
  try {
    writeFileSync(path, content, { mode: 0o600, flag: "wx" });
  } catch (cause) {
    const taken = cause instanceof Error && "code" in cause && cause.code === "EEXIST";
    throw new PatchbayError(
      "WRITE_FAILED",
      taken ? `${path} is there already.` : `${path} could not be written.`,
      { ...(taken && { help: "Give another name with --to." }), cause },
    );
  }
}
