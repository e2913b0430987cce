import { ORPCError } from "@orpc/client";
import type { ErrorCode } from "../../../contract/errors.ts";
import { isObject } from "../../../contract/is-object.ts";
import { i18n } from "../i18n/index.ts";
import type { ShownProblem } from "../i18n/problem-words.ts";
import { DisconnectedError } from "./rpc.ts";

export type { ShownProblem };

/** Any failure of a call as something a person can read. */
export function problemOf(error: unknown): ShownProblem {
  if (error instanceof ORPCError) return problemOfOrpc(error);
  if (error instanceof DisconnectedError || isTransportLoss(error))
    return {
      code: "DISCONNECTED",
      message: i18n.t("connection.callLost"),
      help: i18n.t("connection.callLostHelp"),
    };
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? error.stack : undefined;
  return { code: "INTERNAL", message, ...(stack && { details: { stack } }) };
}

function problemOfOrpc(error: ORPCError<string, unknown>): ShownProblem {
  const data = isObject(error.data) ? error.data : {};
  return {
    code: error.code as ErrorCode,
    message: error.message,
    ...(typeof data.help === "string" && { help: data.help }),
    ...(isObject(data.details) && { details: data.details }),
  };
}

function isTransportLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "AbortError" || /not open|closed|aborted/i.test(error.message);
}

/** Messages for single fields, by their path with dots, from a refused or invalid config. */
export function fieldErrors(problem: ShownProblem): { path: string; message: string }[] {
  const fields = problem.details?.fields ?? problem.details?.problems;
  if (Array.isArray(fields))
    return fields.flatMap((entry: unknown) => {
      if (!isObject(entry) || typeof entry.message !== "string") return [];
      const path = entry.path ?? entry.field ?? "";
      return [{ path: Array.isArray(path) ? path.join(".") : String(path), message: entry.message }];
    });
  if (isObject(fields))
    return Object.entries(fields).map(([path, message]) => ({ path, message: String(message) }));
  return [];
}
