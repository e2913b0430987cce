import type { ErrorObject } from "ajv";
import { type Declaration, PatchbayError } from "../../contract/index.ts";
import { compileSchema } from "../runtimes/config-schema.ts";
import { schemaWords } from "../runtimes/schema-words.ts";
import { hasReference } from "../secrets/references.ts";

type Config = Record<string, unknown>;

export interface ConfigFieldError {
  /** From the root of the settings: `allow[0].host`; empty for the settings as a whole. */
  path: string;
  message: string;
}

/**
 * Checks settings against the schema that the plugin declared. A text that refers to a secret (`${NAME}`) counts as
 * valid wherever the schema asks for a text, and at the place of every declared secret. Does nothing when the plugin
 * declares no schema.
 *
 * @throws PatchbayError CONFIG_INVALID with `details.fields` ({path, message}) and the first one as the message
 */
export function validateConfig(declaration: Declaration, config: Record<string, unknown>): void {
  const { configSchema, secretKeys, settingsRoot = [] } = declaration;
  if (!configSchema) return;
  const validate = compileSchema(configSchema);
  if (validate(withRoot(configSchema, settingsRoot, config))) return;
  const secrets = new Set(secretKeys.map(({ path }) => pointerTo(path)));
  const errors = (validate.errors ?? []).filter((error) => !isExcused(error, secrets));
  const fields = fieldErrors(errors, settingsRoot);
  const [first] = fields;
  if (!first) return;
  throw new PatchbayError("CONFIG_INVALID", first.message, { details: { fields } });
}

/**
 * The settings with an empty object in the place of a required part that is missing. Without it the only error would be
 * that the part is missing; with it each missing field of the part is named, as the person sees it in the form.
 */
function withRoot(schema: Config, root: readonly string[], config: Config): Config {
  const [part, deeper] = root;
  const isNeeded = Array.isArray(schema.required) && schema.required.includes(part);
  if (part === undefined || deeper !== undefined || !isNeeded || config[part] !== undefined) return config;
  return { ...config, [part]: {} };
}

function pointerTo(path: readonly string[]): string {
  return path.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

// Keywords of JSON Schema that judge the content of a text; a reference cannot be judged by them.
const OF_TEXTS = new Set(["enum", "const", "pattern", "format"]);

/**
 * Whether an error is due only to a reference that stands where a secret's value will be. Whether the value itself fits
 * is not known yet.
 */
function isExcused(error: ErrorObject, secrets: ReadonlySet<string>): boolean {
  if (typeof error.data !== "string" || !hasReference(error.data)) return false;
  if (secrets.has(error.instancePath)) return true;
  if (error.keyword === "enum") return wantsText(error.params.allowedValues);
  if (error.keyword === "const") return wantsText([error.params.allowedValue]);
  if (error.keyword === "oneOf" || error.keyword === "anyOf") return branchesWantText(error.schema);
  return OF_TEXTS.has(error.keyword);
}

function wantsText(allowed: unknown): boolean {
  return Array.isArray(allowed) && allowed.some((value) => typeof value === "string");
}

function branchesWantText(branches: unknown): boolean {
  if (!Array.isArray(branches)) return false;
  return branches.some((branch: unknown) => {
    if (typeof branch !== "object" || branch === null) return false;
    if ("type" in branch) return branch.type === "string";
    if ("const" in branch) return typeof branch.const === "string";
    return "enum" in branch && wantsText(branch.enum);
  });
}

const MOST_FIELDS = 50;

/**
 * One error for each place in the settings, at most 50. An error of `anyOf`, `oneOf` or `if` is reported only when
 * there is no more specific one.
 */
function fieldErrors(errors: ErrorObject[], root: readonly string[]): ConfigFieldError[] {
  const isChoice = ({ keyword }: ErrorObject) => ["anyOf", "oneOf", "if"].includes(keyword);
  const specific = errors.filter((error) => !isChoice(error));
  const byPath = new Map<string, ConfigFieldError>();
  for (const error of specific.length > 0 ? specific : errors) {
    const parts = partsOf(error);
    const path = written(parts);
    if (byPath.has(path)) continue;
    const isInside = parts.length > root.length && root.every((part, index) => parts[index] === part);
    byPath.set(path, { path, message: sentence(isInside ? written(parts.slice(root.length)) : path, error) });
  }
  return [...byPath.values()].slice(0, MOST_FIELDS);
}

function partsOf({ instancePath, keyword, params }: ErrorObject): string[] {
  const parts = instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (keyword === "required") parts.push(String(params.missingProperty));
  if (keyword === "additionalProperties") parts.push(String(params.additionalProperty));
  if (keyword === "unevaluatedProperties") parts.push(String(params.unevaluatedProperty));
  return parts;
}

function written(parts: readonly string[]): string {
  return parts.reduce(
    (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part),
    "",
  );
}

function sentence(path: string, error: ErrorObject): string {
  const field = path ? `\`${path}\`` : "The settings";
  switch (error.keyword) {
    case "additionalProperties":
    case "unevaluatedProperties":
      return `${field} is not a setting of this plugin.`;
    default:
      return `${field} ${schemaWords(error)}.`;
  }
}
