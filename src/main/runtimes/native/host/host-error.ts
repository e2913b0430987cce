import type { ErrorCode, Problem } from "../../../../contract/index.ts";

/**
 * A failure with an error code, inside a host. PatchbayError is not used here, because importing it would bring the
 * schema library into the host's bundle.
 */
export class HostError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, details?: Record<string, unknown>) {
    super(message);
    this.name = "HostError";
    this.code = code;
    this.details = details;
  }
}

/** Any thrown value as a problem. `fallback`: the code for errors that are no HostError, which plugin code threw. */
export function problemOf(error: unknown, fallback: ErrorCode): Problem {
  if (error instanceof HostError) {
    return { code: error.code, message: error.message, ...(error.details && { details: error.details }) };
  }
  const stack = stackOf(error);
  return {
    code: fallback,
    message: messageOf(error).slice(0, 4_000) || "It failed without saying why.",
    ...(stack && { details: { stack } }),
  };
}

/** The message of whatever was thrown. Never throws itself. */
export function messageOf(error: unknown): string {
  try {
    if (error instanceof Error) return String(error.message || error.name);
    if (typeof error === "object" && error !== null && "message" in error) return String(error.message);
    return String(error);
  } catch {
    return "It threw something that cannot be read.";
  }
}

export function stackOf(error: unknown): string | undefined {
  try {
    return error instanceof Error && typeof error.stack === "string"
      ? error.stack.slice(0, 16_000)
      : undefined;
  } catch {
    return undefined;
  }
}
