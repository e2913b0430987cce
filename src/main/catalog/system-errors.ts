import { PatchbayError } from "../../contract/index.ts";

/** An error of the file system (no space, no permission) as a PatchbayError; null for other errors. */
export function problemOfSystemError(error: unknown): PatchbayError | null {
  const failure = error as NodeJS.ErrnoException;
  switch (failure?.code) {
    case "ENOSPC":
    case "EDQUOT":
      return new PatchbayError("DISK_FULL", "The disk is full. Nothing was installed.", {
        cause: error,
        details: pathOf(failure),
      });
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new PatchbayError(
        "WRITE_FAILED",
        failure.path ? `Patchbay may not use ${failure.path}.` : "Patchbay may not write its files.",
        { cause: error, details: pathOf(failure) },
      );
    default:
      return null;
  }
}

function pathOf(failure: NodeJS.ErrnoException): Record<string, unknown> {
  return { systemCode: failure.code, ...(failure.path && { path: failure.path }) };
}
