import type { SecretKey } from "../../../contract/index.ts";
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
  const given = inputs.flatMap(({ name, default: value, secret }) =>
    value === undefined || secret ? [] : [[name, value] as const],
  );
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
  const { name, title, description, default: value, secret } = input;
  const one = typeOf(input);
  return {
    ...(input.multiple ? { type: "array", items: one } : one),
    title: cleanLine(title ?? name),
    ...(description && { description: cleanLine(description).slice(0, 500) }),
    ...(value !== undefined && !secret && { default: value }),
  };
}

function typeOf({ type, choices, min, max }: ServerInput): Record<string, unknown> {
  switch (type) {
    case "string":
    case "file":
    case "directory":
      return { type: "string", ...(choices && choices.length > 0 && { enum: choices }) };
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
