import { PatchbayError } from "../../../contract/index.ts";

/** The failure to start a program, in words; anything else as it is. */
export function explainSpawn(error: unknown, binary: string): unknown {
  if (error instanceof PatchbayError || !(error instanceof Error) || !("code" in error)) return error;
  switch (error.code) {
    case "EACCES":
    case "EPERM":
      return new PatchbayError("PROGRAM_MISSING", `${binary} is not executable.`, {
        help: `Make it executable (chmod +x ${binary}), or install the plugin again.`,
        cause: error,
      });
    case "ENOENT":
      return new PatchbayError("PROGRAM_MISSING", `${binary}, or the program that runs it, is not there.`, {
        cause: error,
      });
    case "ENOEXEC":
      return new PatchbayError("PROGRAM_MISSING", `${binary} is no program that this system can run.`, {
        cause: error,
      });
    case "EMFILE":
    case "ENFILE":
    case "EAGAIN":
    case "ENOMEM":
      return new PatchbayError(
        "TOOL_FAILED",
        `${binary} could not be started, because the machine is out of processes, memory or open files.`,
        { cause: error },
      );
    default:
      return new PatchbayError("TOOL_FAILED", `${binary} could not be started: ${error.message}.`, {
        cause: error,
      });
  }
}
