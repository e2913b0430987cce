import {
  Ajv,
  type AnySchema,
  type Format,
  type FormatDefinition,
  type Options,
  type ValidateFunction,
} from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { briefly, mayTakeLong, TookTooLong } from "../base/briefly.ts";
import { hasReference } from "../secrets/references.ts";

type JsonSchema = Record<string, unknown>;

const compiled = new WeakMap<JsonSchema, ValidateFunction>();

/**
 * Compiles a plugin's settings schema; the result is kept for each schema object. In the compiled schema a text that
 * refers to a secret (`${NAME}`) fits every pattern and format, because its value is not known yet.
 *
 * @throws Error when it is not a JSON Schema (draft 2020-12, or draft 7 when its `$schema` says so)
 */
export function compileSchema(schema: JsonSchema): ValidateFunction {
  const known = compiled.get(schema);
  if (known) return known;
  if (schema.$async === true) throw new Error("it must not be asynchronous");
  const { $schema, ...content } = schema;
  const older = typeof $schema === "string" && /draft-0[4-7]/.test($schema);
  const ajv = older ? draft7() : draft2020();
  const made = ajv.compile(content satisfies AnySchema);
  ajv.removeSchema(content);
  const validate = mayTakeLong(content) ? withLimit(made) : made;
  compiled.set(schema, validate);
  return validate;
}

let newest: Ajv2020 | undefined;
let older: Ajv | undefined;

function draft2020(): Ajv2020 {
  newest ??= lenientWithReferences(new Ajv2020(options));
  return newest;
}

function draft7(): Ajv {
  older ??= lenientWithReferences(new Ajv(options));
  return older;
}

/** Milliseconds that the check of all settings may take. */
const CHECK_MS = 1_000;

/** Compiles a `pattern` of the schema. Its time is limited with that of the whole check. */
function lenientPattern(source: string): { test(text: string): boolean; toString(): string } {
  const pattern = compilePattern(source);
  return {
    // Ajv shares code between patterns whose texts are equal, and asks for the text here.
    toString: () => pattern.toString(),
    test: (text) => hasReference(text) || pattern.test(text),
  };
}

/**
 * The same check, which ends after a second and then says that the settings do not fit: a regular expression may take for ever on
 * some texts, a schema may have many of them, and may refer to its own parts again and again.
 */
function withLimit(validate: ValidateFunction): ValidateFunction {
  const limited: ValidateFunction = Object.assign(
    (data: unknown) => {
      try {
        const fits = briefly(CHECK_MS, () => validate(data), 2) === true;
        limited.errors = validate.errors ?? null;
        return fits;
      } catch (error) {
        if (!(error instanceof TookTooLong || error instanceof RangeError)) throw error;
        limited.errors = [tooLong];
        return false;
      }
    },
    { schema: validate.schema, schemaEnv: validate.schemaEnv },
  ) as ValidateFunction;
  return limited;
}

const tooLong = {
  keyword: "time",
  instancePath: "",
  schemaPath: "#",
  params: {},
  message: "cannot be checked: the plugin's schema takes too long on them",
};

function compilePattern(source: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch {
    return new RegExp(source);
  }
}

const options: Options = {
  strict: false,
  allErrors: true,
  verbose: true,
  logger: false,
  addUsedSchema: false,
  code: { regExp: Object.assign(lenientPattern, { code: "new RegExp" }) },
};

function lenientWithReferences<A extends Ajv | Ajv2020>(ajv: A): A {
  for (const [name, format] of Object.entries(fullFormats)) ajv.addFormat(name, lenientFormat(format));
  replaceKeyword(ajv, "minLength", "number", (text, limit) => [...text].length >= Number(limit));
  replaceKeyword(ajv, "maxLength", "number", (text, limit) => [...text].length <= Number(limit));
  return ajv;
}

function lenientFormat(format: Format): Format {
  if (format instanceof RegExp) return (text: string) => hasReference(text) || format.test(text);
  if (typeof format === "function") return (text: string) => hasReference(text) || format(text);
  if (!isTextFormat(format)) return format;
  const { validate, compare } = format;
  if (typeof validate === "string") return format;
  const test = validate instanceof RegExp ? (text: string) => validate.test(text) : validate;
  return { validate: (text: string) => hasReference(text) || test(text), compare };
}

function isTextFormat(format: Format): format is FormatDefinition<string> {
  return (
    typeof format === "object" && !(format instanceof RegExp) && format.type !== "number" && !format.async
  );
}

function replaceKeyword(
  ajv: Ajv | Ajv2020,
  keyword: string,
  schemaType: "number",
  satisfies: (text: string, wanted: unknown) => boolean,
): void {
  ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword,
    type: "string",
    schemaType,
    errors: false,
    validate: (wanted: unknown, text: string) => hasReference(text) || satisfies(text, wanted),
  });
}
