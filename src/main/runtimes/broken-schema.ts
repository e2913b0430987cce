import { Ajv, type ErrorObject } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isObject } from "../../contract/is-object.ts";

type JsonSchema = Record<string, unknown>;

let older: Ajv | undefined;
let newer: Ajv2020 | undefined;

/**
 * Why a tool's schema cannot be used to check arguments, as half a sentence; null when it can. Found when the tool is
 * offered, and not at its first call. Takes time that grows with the schema alone: it is held against the schema of
 * schemas, and its references, patterns and the like are looked at, but no validator is made of it.
 */
export function brokenSchema(schema: JsonSchema): string | null {
  if (schema.$async === true) return "it must not be asynchronous";
  const { $schema, ...content } = schema;
  const isNewer = typeof $schema === "string" && $schema.includes("2020-12");
  if (isNewer) newer ??= new Ajv2020({ strict: false, logger: false });
  else older ??= new Ajv({ strict: false, logger: false });
  const ajv = (isNewer ? newer : older) as Ajv;
  if (ajv.validateSchema(content) !== true) return inWords(ajv.errors?.[0]);
  return brokenPart(content);
}

function inWords(error: ErrorObject | undefined): string {
  if (!error) return "it is no JSON Schema";
  const path = error.instancePath.slice(1).replaceAll("/", ".");
  return `${path ? `\`${path}\`` : "it"} ${error.message ?? "is not right"}`;
}

/** Data, in which nothing is a keyword. */
const data = new Set(["const", "enum", "default", "examples"]);

function brokenPart(root: JsonSchema): string | null {
  const names = new Set<string>();
  const references = new Set<string>();
  let hasOwnIds = false;
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const part = pending.pop();
    if (Array.isArray(part)) pending.push(...part);
    if (!isObject(part)) continue;
    const { $ref, pattern, nullable, type, $anchor, $id } = part;
    if (typeof $ref === "string") references.add($ref);
    if (typeof $anchor === "string") names.add(`#${$anchor}`);
    if (typeof $id === "string") {
      if ($id.startsWith("#")) names.add($id);
      else hasOwnIds ||= part !== root;
    }
    if (typeof pattern === "string" && !isPattern(pattern))
      return `\`${pattern.slice(0, 80)}\` is no pattern`;
    if (typeof nullable === "boolean" && type === undefined) return "`nullable` stands without a `type`";
    for (const [name, inner] of Object.entries(part)) {
      if (name === "patternProperties" && isObject(inner)) {
        const wrong = Object.keys(inner).find((each) => !isPattern(each));
        if (wrong !== undefined) return `\`${wrong.slice(0, 80)}\` is no pattern`;
      }
      if (!data.has(name)) pending.push(inner);
    }
  }
  // Parts with addresses of their own may be meant by references in many ways: then the first call tells.
  if (hasOwnIds) return null;
  const lost = [...references].find((reference) => !leadsSomewhere(reference, root, names));
  return lost === undefined ? null : `\`${lost.slice(0, 80)}\` in it refers to nothing`;
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source, "u");
    return true;
  } catch {
    return false;
  }
}

function leadsSomewhere(reference: string, root: JsonSchema, names: ReadonlySet<string>): boolean {
  if (reference === "#" || names.has(reference)) return true;
  if (/^https?:\/\/json-schema\.org\//.test(reference)) return true;
  if (!reference.startsWith("#/")) return false;
  let here: unknown = root;
  for (const step of reference.slice(2).split("/")) {
    const name = unescaped(step);
    if (!isObject(here) && !Array.isArray(here)) return false;
    here = Object.hasOwn(here, name) ? (here as Record<string, unknown>)[name] : undefined;
  }
  return isObject(here) || typeof here === "boolean";
}

function unescaped(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return step;
  }
}
