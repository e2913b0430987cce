import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { PatchbayError } from "../../../contract/index.ts";
import { briefly, mayTakeLong, TookTooLong } from "../../base/briefly.ts";
import { schemaWords } from "../../runtimes/schema-words.ts";

/** Checks arguments against the schemas of tools. Nothing is coerced, filled in or removed. */
export class ArgumentChecker {
  private readonly draft7 = prepare(new Ajv({ allErrors: true, strict: false, validateFormats: true }));
  private readonly draft2020 = prepare(
    new Ajv2020({ allErrors: true, strict: false, validateFormats: true }),
  );
  private readonly compiled = new WeakMap<object, Checked>();

  /** @throws PatchbayError ARGUMENTS_INVALID with `details.problems`, or TOOL_FAILED when the schema itself is broken */
  check(tool: string, schema: Record<string, unknown>, input: Record<string, unknown>): void {
    const checked = this.compiled.get(schema) ?? this.compile(tool, schema);
    const problems = problemsOf(checked, input);
    if (problems.length === 0) return;
    throw new PatchbayError(
      "ARGUMENTS_INVALID",
      `The arguments for ${tool} are not right: ${problems
        .slice(0, 5)
        .map((one) => `${one.field} ${one.message}`)
        .join("; ")}.`,
      { details: { problems } },
    );
  }

  private compile(tool: string, schema: Record<string, unknown>): Checked {
    const { $id: _id, ...anonymous } = schema;
    const modern = typeof schema.$schema === "string" && schema.$schema.includes("2020-12");
    try {
      const validate = (modern ? this.draft2020 : this.draft7).compile(
        modern ? anonymous : withoutDialect(anonymous),
      );
      const checked = { validate, slow: mayTakeLong(schema) };
      this.compiled.set(schema, checked);
      return checked;
    } catch (error) {
      throw new PatchbayError("TOOL_FAILED", `The schema of the tool ${tool} is broken: ${String(error)}.`, {
        help: "Its author must correct the schema.",
      });
    }
  }
}

interface Checked {
  validate: ValidateFunction;
  /** The schema may take long: it has patterns, or refers to its own parts. Then the check has a limit. */
  slow: boolean;
}

/** Milliseconds that the check of one call's arguments may take. A plugin's schema must not hold the core up. */
const CHECK_MS = 250;

function problemsOf({ validate, slow }: Checked, input: object): { field: string; message: string }[] {
  try {
    if (slow ? briefly(CHECK_MS, () => validate(input), 4) : validate(input)) return [];
    return telling(validate.errors ?? []).map(explain);
  } catch (error) {
    // A schema that refers to itself without end, or that needs longer than any honest one.
    if (error instanceof TookTooLong || error instanceof RangeError) return [tooLong];
    throw error;
  }
}

const tooLong = { field: "the whole", message: "cannot be checked: the tool's schema takes too long on it" };

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
    default:
      return { field: path || "the whole", message: schemaWords(error) };
  }
}

/** Without errors of `anyOf` and the like where another one says what is wrong. */
function telling(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const specific = errors.filter(({ keyword }) => !["anyOf", "oneOf", "if"].includes(keyword));
  // Each branch of a choice says something else of the same value; together they say nothing.
  const choices = errors.filter((error) => !specific.includes(error));
  const outside = specific.filter(({ schemaPath }) =>
    choices.every((choice) => !schemaPath.startsWith(`${choice.schemaPath}/`)),
  );
  return [...outside, ...choices.filter(({ keyword }) => keyword !== "if")];
}
