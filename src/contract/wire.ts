import { errorCatalogue, type Problem } from "./errors.ts";
import { problemSchema } from "./problem.ts";

/**
 * How a {@link Problem} travels over RPC: as an oRPC error with `code`, `message` and `data: {help?, details?}`.
 * REST answers the same as `{code, message, help?, details?}` with the status of the catalogue.
 */
export interface WireErrorData {
  help?: string;
  details?: Record<string, unknown>;
}

/**
 * The problem that a rejected RPC call stands for. An error that is not ours (a lost connection) becomes `INTERNAL`.
 */
export function problemFromWire(error: unknown): Problem {
  if (typeof error === "object" && error !== null && "code" in error) {
    const { code, message, data } = error as { code: unknown; message?: unknown; data?: unknown };
    const parsed = problemSchema.safeParse({
      code,
      message,
      ...(typeof data === "object" && data !== null ? data : {}),
    });
    if (parsed.success) return parsed.data;
  }
  return {
    code: "INTERNAL",
    message: error instanceof Error ? error.message : String(error),
    help: errorCatalogue.INTERNAL.help,
  };
}
