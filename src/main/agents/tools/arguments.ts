import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { PatchbayError } from "../../../contract/index.ts";

/** Checks arguments against the schemas of tools. Nothing is coerced, filled in or removed. */
export class ArgumentChecker {
  private readonly draft7 = prepare(new Ajv({ allErrors: true, strict: false, validateFormats: true }));
  private readonly draft2020 = prepare(
    new Ajv2020({ allErrors: true, strict: false, validateFormats: true }),
  );
  private readonly compiled = new WeakMap<object, ValidateFunction>();

  /** @throws PatchbayError ARGUMENTS_INVALID with `details.problems`, or TOOL_FAILED when the schema itself is broken */
  check(tool: string, schema: Record<string, unknown>, input: Record<string, unknown>): void {
    const validate = this.compiled.get(schema) ?? this.compile(tool, schema);
    if (validate(input)) return;
    const problems = (validate.errors ?? []).map(explain);
    throw new PatchbayError(
      "ARGUMENTS_INVALID",
      `The arguments for ${tool} are not right: ${problems
        .slice(0, 5)
        .map((one) => `${one.field} ${one.message}`)
        .join("; ")}.`,
      { details: { problems } },
    );
  }

  private compile(tool: string, schema: Record<string, unknown>): ValidateFunction {
    const { $id: _id, ...anonymous } = schema;
    const modern = typeof schema.$schema === "string" && schema.$schema.includes("2020-12");
    try {
      const validate = (modern ? this.draft2020 : this.draft7).compile(
        modern ? anonymous : withoutDialect(anonymous),
      );
      this.compiled.set(schema, validate);
      return validate;
    } catch (error) {
      throw new PatchbayError("TOOL_FAILED", `The schema of the tool ${tool} is broken: ${String(error)}.`, {
        help: "Its author must correct the schema.",
      });
    }
  }
}

/** Dialects that Ajv does not know are read as draft 7, which is what tools use in practice. */
function withoutDialect({ $schema: _dialect, ...schema }: Record<string, unknown>): Record<string, unknown> {
  return schema;
}

function prepare<A extends Ajv>(ajv: A): A {
  formats.default(ajv);
  return ajv;
}

function explain(error: ErrorObject): { field: string; message: string } {
  const path = error.instancePath.slice(1).replaceAll("/", ".");
  switch (error.keyword) {
    case "required": {
      const missing = String(error.params.missingProperty);
      return { field: path ? `${path}.${missing}` : missing, message: "is missing" };
    }
    case "additionalProperties": {
      const extra = String(error.params.additionalProperty);
      return { field: path ? `${path}.${extra}` : extra, message: "is not known" };
    }
    case "enum":
      return { field: path, message: `must be one of ${JSON.stringify(error.params.allowedValues)}` };
    default:
      return { field: path || "the whole", message: error.message ?? "is not right" };
  }
}
