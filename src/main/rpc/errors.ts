import { mapEventIterator, ORPCError } from "@orpc/client";
import {
  type ErrorCode,
  errorCatalogue,
  PatchbayError,
  type Problem,
  toProblem,
  type WireErrorData,
} from "../../contract/index.ts";
import { type Issue, issueSentence, issueWords, pathOf } from "../../contract/shown/issue-words.ts";

export type WireError = ORPCError<ErrorCode, WireErrorData>;

/** A failure of ours as what oRPC carries over every transport. */
function wireError(problem: Problem): WireError {
  return new ORPCError(problem.code, {
    status: errorCatalogue[problem.code].status,
    message: problem.message,
    data: { help: problem.help, details: problem.details },
  });
}

/**
 * Any thrown value as a wire error. oRPC's own complaints get our codes and sentences; what is unknown becomes `INTERNAL`
 * with the message kept under details, so that a screen can fold it away.
 */
function toWireError(error: unknown): WireError {
  if (error instanceof PatchbayError) return wireError(error.toProblem());
  if (error instanceof ORPCError) return fromLibrary(error);
  if (error instanceof Error && error.name === "AbortError")
    return wireError(new PatchbayError("ABORTED", "The request was stopped.").toProblem());
  const problem = toProblem(error);
  return wireError({
    code: "INTERNAL",
    message: "Something went wrong inside Patchbay.",
    help: errorCatalogue.INTERNAL.help,
    details: { ...problem.details, cause: problem.message },
  });
}

/**
 * The wire error for a request that did not reach its procedure. Errors of procedures are wire errors already; any
 * other error here means that the body could not be read.
 */
export function requestError(error: unknown): WireError {
  if (error instanceof ORPCError) return fromLibrary(error);
  return wireError(unreadable.toProblem());
}

const unreadable = new PatchbayError(
  "BAD_INPUT",
  "The request cannot be read: its body is not the JSON that was expected.",
);

/** Runs a procedure, input validation included; whatever it or its stream throws leaves as a wire error. */
export async function withWireErrors<Result extends { output: unknown }>(
  next: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    const result = await next();
    if (!isAsyncIterator(result.output)) return result;
    const output = mapEventIterator(result.output, {
      value: async (value) => value,
      error: async (error) => toWireError(error),
    });
    return { ...result, output };
  } catch (error) {
    throw toWireError(error);
  }
}

function isAsyncIterator(value: unknown): value is AsyncIterator<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value && "next" in value;
}

function fromLibrary(error: ORPCError<string, unknown>): WireError {
  if (Object.hasOwn(errorCatalogue, error.code)) return error as WireError;
  const issues = issuesOf(error.data);
  if (issues) return wireError(badInput(issues));
  if (error.status === 404)
    return wireError(new PatchbayError("NOT_FOUND", "There is no procedure at that address.").toProblem());
  if (error.status >= 400 && error.status < 500) {
    return wireError(
      new PatchbayError(
        "BAD_INPUT",
        "The request could not be read: its body is not valid JSON.",
      ).toProblem(),
    );
  }
  return wireError({
    code: "INTERNAL",
    message: "Something went wrong inside Patchbay.",
    help: errorCatalogue.INTERNAL.help,
    details: { cause: error.cause instanceof Error ? error.cause.message : error.message },
  });
}

function badInput(issues: Issue[]): Problem {
  // The path of a field is for programs: it stands in the details alone.
  const fields = issues.map((issue) => ({ field: pathOf(issue).join("."), message: issueWords(issue) }));
  return new PatchbayError("BAD_INPUT", issues.map(issueSentence).join(" "), {
    details: { issues: fields },
  }).toProblem();
}

function issuesOf(data: unknown): Issue[] | undefined {
  if (typeof data !== "object" || data === null || !("issues" in data) || !Array.isArray(data.issues))
    return undefined;
  return data.issues as Issue[];
}
