import { type Declaration, PatchbayError } from "../../../../contract/index.ts";
import { isObject } from "../../../../contract/is-object.ts";
import { detailsOf } from "./details.ts";

type Described = Pick<Declaration, "configSchema" | "settingsRoot" | "secretKeys" | "details">;

interface Field {
  /** The field's path as the plugin wrote it, with dots. */
  path: string;
  message: string;
}

/**
 * Rewrites the error of a plugin's `parseConfig`, so that its field paths fit the stored settings and a form finds the
 * fields; the message names them by their labels. The paths of a plugin with flat settings start inside its section.
 * Any other error is returned unchanged.
 */
export function refusalOf(error: unknown, declaration: Described): unknown {
  if (!(error instanceof PatchbayError) || error.code !== "CONFIG_REFUSED") return error;
  const fields = fieldsOf(error.details);
  if (fields.length === 0) return error;
  const root = declaration.settingsRoot ?? [];
  const { flatConfig } = detailsOf(declaration.details);
  const told = fields.map(({ path, message }) => {
    const parts = path.split(".").filter((part) => part !== "");
    const hasRoot = !flatConfig && root.length > 0 && root.every((part, index) => parts[index] === part);
    const inner = hasRoot ? parts.slice(root.length) : parts;
    const whole = inner.length > 0 ? [...root, ...inner] : [];
    const secret = declaration.secretKeys.find((one) => written(one.path) === written(whole));
    const label = secret?.label ?? labelOf(inner, partAt(declaration.configSchema, root));
    return {
      field: { path: written(whole), message },
      sentence: label ? `${label}: ${message}` : message,
    };
  });
  const { help, details } = error;
  const message = `The plugin refused its settings: ${told.map(({ sentence }) => sentence).join("; ")}`;
  return new PatchbayError("CONFIG_REFUSED", message, {
    ...(help !== undefined && { help }),
    details: { ...details, fields: told.map(({ field }) => field) },
    cause: error,
  });
}

function fieldsOf(details: Record<string, unknown> | undefined): Field[] {
  const fields: unknown = details?.fields;
  if (!Array.isArray(fields)) return [];
  return fields.filter(
    (field): field is Field =>
      isObject(field) && typeof field.path === "string" && typeof field.message === "string",
  );
}

/** The path of a field in the labels of the form: `Hosts, entry 2, Port`. */
function labelOf(parts: readonly string[], schema: unknown): string {
  let here = schema;
  const words = parts.map((part) => {
    here = partAt(here, [part]);
    if (isIndex(part)) return `entry ${Number(part) + 1}`;
    return isObject(here) && typeof here.title === "string" ? here.title : readable(part);
  });
  return words.join(", ");
}

function partAt(schema: unknown, parts: readonly string[]): unknown {
  return parts.reduce<unknown>((here, part) => {
    if (!isObject(here)) return undefined;
    if (isIndex(part)) return here.items;
    return isObject(here.properties) ? here.properties[part] : undefined;
  }, schema);
}

function written(parts: readonly string[]): string {
  return parts.reduce((path, part) => {
    if (isIndex(part)) return `${path}[${part}]`;
    return path ? `${path}.${part}` : part;
  }, "");
}

function isIndex(part: string): boolean {
  return /^\d+$/.test(part);
}

/** A name of a field as words: `maxAgeDays` and `max_age_days` become `Max age days`. */
function readable(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
