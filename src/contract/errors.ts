import { callErrors } from "./errors/calls.ts";
import { installingErrors } from "./errors/installing.ts";
import { requestErrors } from "./errors/requests.ts";
import { runningErrors } from "./errors/running.ts";
import { setupErrors } from "./errors/setting-up.ts";
import { stateErrors } from "./errors/state.ts";

/**
 * Every error that may cross a wall, by code: its HTTP status, why it happens, and what to do next.
 * The sentence itself is written where the error is raised, because only that place knows the names in it.
 */
export const errorCatalogue = {
  ...requestErrors,
  ...installingErrors,
  ...runningErrors,
  ...setupErrors,
  ...callErrors,
  ...stateErrors,
} as const;

export type ErrorCode = keyof typeof errorCatalogue;
export const errorCodes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]];

/**
 * A failure as a value: it is sent between processes, stored as `lastError`, and shown on the screen. Its schema is in
 * `problem.ts`.
 */
export interface Problem {
  code: ErrorCode;
  /** One sentence in the person's words: what happened, with the names in it. */
  message: string;
  /** The next step, as a sentence. */
  help?: string | undefined;
  /** Technical details, folded away on the screen: stack, output, both values of a conflict. */
  details?: Record<string, unknown> | undefined;
}

/** A failure as an exception, inside one process. Before it is sent to another process it becomes a {@link Problem}. */
export class PatchbayError extends Error {
  readonly code: ErrorCode;
  readonly help: string;
  readonly details: Record<string, unknown> | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { help?: string; details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "PatchbayError";
    this.code = code;
    this.help = options.help ?? errorCatalogue[code].help;
    this.details = options.details;
  }

  toProblem(): Problem {
    return {
      code: this.code,
      message: this.message,
      help: this.help,
      ...(this.details && { details: this.details }),
    };
  }
}

/** Any thrown value as a {@link Problem}. `fallback` is the code for values that are no PatchbayError. */
export function toProblem(error: unknown, fallback: ErrorCode = "INTERNAL"): Problem {
  if (error instanceof PatchbayError) return error.toProblem();
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? error.stack : undefined;
  return {
    code: fallback,
    message,
    help: errorCatalogue[fallback].help,
    ...(stack && { details: { stack } }),
  };
}

export function fromProblem(problem: Problem): PatchbayError {
  return new PatchbayError(problem.code, problem.message, { help: problem.help, details: problem.details });
}
