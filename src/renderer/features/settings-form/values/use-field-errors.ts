import { type ErrorSchema, ErrorSchemaBuilder } from "@rjsf/utils";
import { useMemo } from "react";
import { fieldErrors, type ShownProblem } from "../../../base/client/problem.ts";
import type { FoundError } from "./validator.ts";

/** Errors that the core or the plugin found, at the fields that they name. */
export function useFieldErrors(problem: ShownProblem | null, prefix: string[]) {
  return useMemo(() => {
    const builder = new ErrorSchemaBuilder();
    const byKey: Record<string, string> = {};
    const list: FoundError[] = [];
    for (const { path, message } of problem ? fieldErrors(problem) : []) {
      const parts = path.split(/[.[\]]+/).filter(Boolean);
      const inner = prefix.every((part, index) => parts[index] === part) ? parts.slice(prefix.length) : parts;
      builder.addErrors(message, inner);
      list.push({ path: [...prefix, ...inner], message });
      const last = parts.at(-1);
      if (last) byKey[last] = message;
    }
    return { schema: builder.ErrorSchema as ErrorSchema, byKey, list };
  }, [problem, prefix]);
}
