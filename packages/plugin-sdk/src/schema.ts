import type { JsonSchema } from "./manifest.ts";

/** A Standard Schema (standardschema.dev, version 1) that can also describe itself as JSON Schema, as zod 4 can. */
export interface DescribedSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly jsonSchema: {
      readonly input: (options: { target: "draft-07" }) => Record<string, unknown>;
    };
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}
type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };
interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
export type OutputOf<S> = S extends DescribedSchema<infer _Input, infer Output> ? Output : never;

/**
 * JSON Schema (draft-07) of what a schema accepts: fields with a default are optional and carry it, titles and
 * descriptions are kept.
 */
export function schemaOf(schema: DescribedSchema): JsonSchema {
  return schema["~standard"].jsonSchema.input({ target: "draft-07" });
}

/**
 * A `parseConfig` from a schema: returns the parsed value, defaults filled in. The error's message has one line for
 * each wrong field, for example `tools.maxBytes: Too small: expected number to be >=1`.
 */
export function parserOf<Output>(schema: DescribedSchema<unknown, Output>): (input: unknown) => Output {
  return (input) => {
    const result = schema["~standard"].validate(input);
    if (result instanceof Promise) {
      throw new TypeError("A configuration is parsed at once; its schema must not be asynchronous.");
    }
    if (result.issues) throw new Error(result.issues.map(sentence).join("\n"));
    return result.value;
  };
}

function sentence(issue: SchemaIssue): string {
  const path = (issue.path ?? []).map((part) => String(typeof part === "object" ? part.key : part));
  return path.length === 0 ? issue.message : `${path.join(".")}: ${issue.message}`;
}
