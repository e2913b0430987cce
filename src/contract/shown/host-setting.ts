import { isObject } from "../is-object.ts";

/** Deeper settings are not looked at. */
const deepest = 4;

/**
 * Where in the settings of a plugin the list lies that its schema marks as the hosts that it may ask (`hosts` beside the
 * property); null when there is none.
 */
export function hostSettingOf(schema: unknown, path: string[] = []): string[] | null {
  if (!isObject(schema) || path.length > deepest) return null;
  const hints = schema["x-patchbay"];
  const items = isObject(schema.items) ? schema.items : {};
  if (isObject(hints) && hints.hosts === true && schema.type === "array" && items.type === "string")
    return path;
  if (!isObject(schema.properties)) return null;
  for (const [name, property] of Object.entries(schema.properties)) {
    const found = hostSettingOf(property, [...path, name]);
    if (found) return found;
  }
  return null;
}

/** The list at a place of the settings: what is stored there, or else the schema's default. */
export function listAt(schema: unknown, config: unknown, path: readonly string[]): string[] {
  const [name, ...rest] = path;
  if (name === undefined) {
    const given = config ?? (isObject(schema) ? schema.default : undefined);
    return Array.isArray(given) ? given.filter((each) => typeof each === "string") : [];
  }
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  return listAt(properties[name], isObject(config) ? config[name] : undefined, rest);
}

/** The settings with another value at a place. */
export function withValueAt(config: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const before = isObject(config) ? config : {};
  return { ...before, [name]: withValueAt(before[name], rest, value) };
}
