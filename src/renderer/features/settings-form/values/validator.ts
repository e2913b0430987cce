import { type OutputUnit, type Schema, type SchemaDraft, Validator } from "@cfworker/json-schema";
import {
  createErrorHandler,
  ErrorSchemaBuilder,
  type RJSFSchema,
  toErrorList,
  unwrapErrorHandler,
  type ValidatorType,
  validationDataMerge,
} from "@rjsf/utils";
import { isObject } from "../../../../contract/is-object.ts";
import { i18n } from "../../../base/i18n/index.ts";
import { ofChosenBranches } from "./chosen-branch.ts";
import { patternWords } from "./limits.ts";
import { isReference } from "./references.ts";
import { saidValue } from "./said-value.ts";

/** Keywords whose errors only repeat that something inside is wrong. */
const containers = new Set([
  "$ref",
  "properties",
  "patternProperties",
  "items",
  "prefixItems",
  "additionalItems",
  "allOf",
  "if",
  "dependentSchemas",
  "additionalProperties",
]);

/** Validates without generating code, which the content security policy forbids, and explains errors in plain words. */
export const validator: ValidatorType = {
  validateFormData(formData, schema, customValidate, _transform, uiSchema) {
    const builder = new ErrorSchemaBuilder();
    for (const { path, message } of findErrors(schema, formData)) builder.addErrors(message, path);
    const own = { errors: toErrorList(builder.ErrorSchema), errorSchema: builder.ErrorSchema };
    if (!customValidate) return own;
    const handler = customValidate(formData, createErrorHandler(formData), uiSchema);
    return validationDataMerge(own, unwrapErrorHandler(handler));
  },
  isValid(schema, formData, rootSchema) {
    return compile(withDefinitions(schema, rootSchema), true).validate(plain(formData) ?? null).valid;
  },
  rawValidation: () => ({ errors: [] }),
};

/**
 * The value without properties that are undefined, as it would be sent. The form leaves such properties behind, and
 * they cannot be validated.
 */
function plain(data: unknown): unknown {
  return data === undefined ? undefined : JSON.parse(JSON.stringify(data));
}

function compile(schema: RJSFSchema, shortCircuit: boolean): Validator {
  return new Validator(schema as Schema, draftOf(schema), shortCircuit);
}

function draftOf(schema: RJSFSchema): SchemaDraft {
  const said = String(schema.$schema ?? "");
  if (said.includes("draft-04")) return "4";
  if (said.includes("draft-06") || said.includes("draft-07")) return "7";
  return said.includes("2019-09") ? "2019-09" : "2020-12";
}

function withDefinitions(schema: RJSFSchema, root: RJSFSchema): RJSFSchema {
  const { $defs, definitions } = root;
  return { ...schema, ...($defs && { $defs }), ...(definitions && { definitions }) };
}

export interface FoundError {
  path: string[];
  message: string;
  /** Nothing is there yet: it is to be filled in, and not to be changed. */
  missing?: boolean;
}

/** How limits are named: as the form shows values ("1 second"), or as they are written ("1000"). */
type LimitWords = "shown" | "written";

/** Everything in `data` that does not fit, at the field where a person can correct it. */
export function findErrors(schema: RJSFSchema, data: unknown, limits: LimitWords = "shown"): FoundError[] {
  const sent = plain(data) ?? {};
  const { valid, errors } = compile(schema, false).validate(sent);
  if (valid) return [];
  return ofChosenBranches(errors)
    .filter((unit) => !containers.has(unit.keyword))
    .flatMap((unit) => explain(unit, schema, sent, limits))
    .filter(({ path }) => !isReference(valueAt(sent, path)));
}

function explain(unit: OutputUnit, schema: RJSFSchema, data: unknown, words: LimitWords): FoundError[] {
  const path = pointerParts(unit.instanceLocation);
  const keyword = pointerParts(unit.keywordLocation);
  const limit = placeIn(schema, keyword);
  const holder = words === "shown" ? placeIn(schema, keyword.slice(0, -1)) : null;
  const said = () => saidValue(holder, limit) ?? Number(limit);
  const t = i18n.t;
  switch (unit.keyword) {
    case "required": {
      const present = valueAt(data, path);
      const wanted = Array.isArray(limit) ? limit.map(String) : [];
      const missing = wanted.find(
        (key) => unit.error.includes(`"${key}"`) && !(isObject(present) && Object.hasOwn(present, key)),
      );
      return missing === undefined
        ? []
        : [{ path: [...path, missing], message: t("field.needed"), missing: true }];
    }
    case "type":
      // An entry that was added and is still empty: nothing is wrong with it, it is not there yet.
      if (valueAt(data, path) === null) return [{ path, message: t("field.needed"), missing: true }];
      return [{ path, message: t("invalid.type", { type: typeName(limit) }) }];
    case "minLength":
      return valueAt(data, path) === ""
        ? [{ path, message: t("field.needed"), missing: true }]
        : [{ path, message: t("invalid.minLength", { limit: Number(limit) }) }];
    case "maxLength":
      return [{ path, message: t("invalid.maxLength", { limit: Number(limit) }) }];
    case "minimum":
      return [{ path, message: t("invalid.minimum", { limit: said() }) }];
    case "exclusiveMinimum":
      return [{ path, message: t("invalid.exclusiveMinimum", { limit: said() }) }];
    case "maximum":
      return [{ path, message: t("invalid.maximum", { limit: said() }) }];
    case "exclusiveMaximum":
      return [{ path, message: t("invalid.exclusiveMaximum", { limit: said() }) }];
    case "multipleOf":
      return [{ path, message: t("invalid.multipleOf", { limit: Number(limit) }) }];
    case "minItems":
      return [{ path, message: t("invalid.minItems", { count: Number(limit) }) }];
    case "maxItems":
      return [{ path, message: t("invalid.maxItems", { count: Number(limit) }) }];
    case "uniqueItems":
      return [{ path, message: t("invalid.uniqueItems") }];
    case "enum":
    case "const":
      return [{ path, message: t("invalid.enum") }];
    case "pattern":
      return [
        { path, message: patternWords(placeIn(schema, pointerParts(unit.keywordLocation).slice(0, -1))) },
      ];
    case "format":
      return [{ path, message: formatWords(String(limit)) }];
    case "oneOf":
    case "anyOf":
      return [{ path, message: t("invalid.choice") }];
    default:
      return [{ path, message: t("invalid.other") }];
  }
}

function formatWords(format: string): string {
  const known = new Set([
    "email",
    "uri",
    "url",
    "date",
    "time",
    "date-time",
    "ipv4",
    "ipv6",
    "hostname",
    "uuid",
  ]);
  return known.has(format) ? i18n.t(`format.${format as "email"}`) : i18n.t("invalid.form");
}

/** A kind of value in the person's words. */
export function typeName(type: unknown): string {
  const names = (Array.isArray(type) ? type : [type]).map(String);
  return names
    .map((name) => {
      switch (name) {
        case "integer":
          return i18n.t("type.integer");
        case "number":
          return i18n.t("type.number");
        case "boolean":
          return i18n.t("type.boolean");
        case "array":
          return i18n.t("type.array");
        case "object":
          return i18n.t("type.object");
        default:
          return i18n.t("type.string");
      }
    })
    .join(", ");
}

function pointerParts(pointer: string): string[] {
  return pointer
    .replace(/^#\/?/, "")
    .split("/")
    .filter((part) => part !== "")
    .map((part) => decodeURIComponent(part).replace(/~1/g, "/").replace(/~0/g, "~"));
}

/** What stands at a place of a schema; the way there may lead through references within it. */
function placeIn(schema: RJSFSchema, path: readonly string[]): unknown {
  let place: unknown = schema;
  for (const part of path) {
    place = valueAt(place, [part]);
    if (part === "$ref" && typeof place === "string") place = valueAt(schema, pointerParts(place));
  }
  return place;
}

export function valueAt(from: unknown, path: readonly string[]): unknown {
  let value = from;
  for (const part of path) {
    if (Array.isArray(value)) value = value[Number(part)];
    else value = isObject(value) ? value[part] : undefined;
  }
  return value;
}
