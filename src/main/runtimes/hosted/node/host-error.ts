import type { ErrorCode, Problem } from "../../../../contract/index.ts";

/**
 * A failure with an error code, inside a host. PatchbayError is not used here, because importing it would bring the
 * schema library into the host's bundle.
 */
export class HostError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;
  /** The next step for the person, where the usual one of the code does not fit. */
  readonly help: string | undefined;

  constructor(code: ErrorCode, message: string, details?: Record<string, unknown>, help?: string) {
    super(message);
    this.name = "HostError";
    this.code = code;
    this.details = details;
    this.help = help;
  }
}

/** Any thrown value as a problem. `fallback`: the code for errors that are no HostError, which plugin code threw. */
export function problemOf(error: unknown, fallback: ErrorCode): Problem {
  if (error instanceof HostError) {
    const { code, message, details, help } = error;
    return { code, message, ...(help !== undefined && { help }), ...(details && { details }) };
  }
  const message = messageOf(error).slice(0, 4_000) || "It failed without saying why.";
  const host = fallback === "TOOL_FAILED" ? refusedHostOf(error) : undefined;
  if (host !== undefined) return { code: "HOST_NOT_ALLOWED", message, details: { host } };
  const stack = stackOf(error);
  return { code: fallback, message, ...(stack && { details: { stack } }) };
}

/** The host that a tool did not ask, by its own settings; the app judges whether that is so. */
function refusedHostOf(error: unknown): string | undefined {
  try {
    if (!(error instanceof Error && "code" in error && error.code === "HOST_NOT_ALLOWED")) return undefined;
    return "host" in error && typeof error.host === "string" ? error.host.slice(0, 300) : undefined;
  } catch {
    return undefined;
  }
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
