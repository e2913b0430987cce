import type { SecretKey } from "../../../contract/index.ts";
import { isObject } from "../../../contract/is-object.ts";
import { cleanLine } from "../../../contract/shown/clean-text.ts";
import type { ServerInput } from "./server/server-file.ts";

/** The settings of a server as a JSON Schema; null when it has none. They lie under their names, as the server calls them. */
export function settingsSchemaOf(inputs: readonly ServerInput[]): Record<string, unknown> | null {
  if (inputs.length === 0) return null;
  const required = inputs.filter((input) => input.required && !input.secret).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(inputs.map((input) => [input.name, fieldOf(input)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Defaults for the fields that have one; null where none has. */
export function defaultsOf(inputs: readonly ServerInput[]): Record<string, unknown> | null {
  const given = inputs.flatMap((input) => {
    const value = presetOf(input);
    return value === undefined || input.secret ? [] : [[input.name, value] as const];
  });
  return given.length > 0 ? Object.fromEntries(given) : null;
}

export function secretKeysOf(inputs: readonly ServerInput[]): SecretKey[] {
  return inputs
    .filter(({ secret }) => secret)
    .map(({ name, title, description, required }) => ({
      key: secretNameOf(name),
      label: cleanLine(title ?? name),
      path: [name],
      ...(!required && { optional: true }),
      ...(description && { help: cleanLine(description).slice(0, 500) }),
    }));
}

/** A name that the vault takes: letters, digits and underscores. */
function secretNameOf(name: string): string {
  const plain = name
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toUpperCase();
  return /^[A-Z_]/.test(plain) ? plain : `KEY_${plain}`;
}

function fieldOf(input: ServerInput): Record<string, unknown> {
  const { name, title, description, placeholder, secret } = input;
  const value = presetOf(input);
  const one = typeOf(input);
  const hints = isObject(one["x-patchbay"]) ? one["x-patchbay"] : {};
  return {
    ...(input.multiple
      ? { type: "array", items: one, ...(one.enum !== undefined && { uniqueItems: true }) }
      : one),
    title: cleanLine(title ?? name),
    ...(description && { description: cleanLine(description).slice(0, 500) }),
    ...(value !== undefined && !secret && { default: value }),
    ...(placeholder &&
      !input.multiple && { "x-patchbay": { ...hints, placeholder: cleanLine(placeholder) } }),
  };
}

/** Its default in the form of its value; undefined where it has none, or one that it does not offer itself. */
function presetOf({ multiple, choices, default: value }: ServerInput): ServerInput["default"] {
  if (value === undefined) return undefined;
  const values = [value].flat();
  if (choices && choices.length > 0 && !values.every((each) => choices.includes(String(each))))
    return undefined;
  return multiple ? values.map(String) : value;
}

function typeOf({ type, choices, min, max }: ServerInput): Record<string, unknown> {
  switch (type) {
    case "string":
      return { type: "string", ...(choices && choices.length > 0 && { enum: [...new Set(choices)] }) };
    case "file":
      return { type: "string", "x-patchbay": { kind: "file" } };
    case "directory":
      return { type: "string", "x-patchbay": { kind: "folder" } };
    case "number":
      return {
        type: "number",
        ...(min !== undefined && { minimum: min }),
        ...(max !== undefined && { maximum: max }),
      };
    case "boolean":
      return { type: "boolean" };
  }
}
