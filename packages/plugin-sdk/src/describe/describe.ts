import {
  DESCRIPTION_VERSION,
  manifestShape,
  type PackageDescription,
  type Shape,
  startedCommands,
} from "./shape.ts";
import { unknownFields } from "./unknown-fields.ts";

/**
 * Describes a plugin's default export as JSON. Getters and schema converters of the plugin run here, so it belongs on
 * the machine of the plugin's author.
 *
 * @param manifest the default export
 * @throws TypeError when it is no object, or when its settings' schema cannot be written as JSON Schema
 */
export function describeManifest(manifest: unknown): PackageDescription {
  const plugin = manifestOf(manifest);
  if (!isRecord(plugin)) throw new TypeError("The default export of the package is not a plugin manifest.");
  const unknown = new Set(unknownFields(plugin).map(({ path }) => path));
  const described = write(plugin, manifestShape, "", unknown);
  return {
    patchbay: DESCRIPTION_VERSION,
    manifest: JSON.parse(JSON.stringify(described)) as Record<string, unknown>,
  };
}

/** @param unknown paths of fields that Patchbay ignores: their names are kept, so that the person can be told */
function write(value: unknown, shape: Shape, path: string, unknown: ReadonlySet<string>): unknown {
  if (value === undefined || value === null) return undefined;
  if (shape === "function") return typeof value === "function" ? true : undefined;
  if (shape === "schema") return jsonSchemaOf(value, path);
  if (shape === "value") return typeof value === "function" ? undefined : value;
  if (isList(shape)) {
    if (Array.isArray(value))
      return value.map((item, index) => write(item, shape[0], `${path}[${index}]`, unknown));
    return write(value, startedCommands, path, unknown);
  }
  if (!isRecord(value)) return value;
  const at = (name: string) => (path ? `${path}.${name}` : name);
  const fields = Object.entries(shape).map(([name, inner]) => [
    name,
    unknown.has(at(name)) ? undefined : write(value[name], inner, at(name), unknown),
  ]);
  const ignored = Object.keys(value).filter((name) => unknown.has(at(name)));
  return Object.fromEntries([
    ...fields.filter(([, written]) => written !== undefined),
    ...ignored.map((name) => [name, true]),
  ]);
}

/** Standard JSON Schema (`~standard.jsonSchema`), zod's own `toJSONSchema`, or a JSON Schema as it is. */
function jsonSchemaOf(schema: unknown, path: string): unknown {
  const carrier = schema as Record<string, unknown>;
  const standard = carrier["~standard"];
  if (!isRecord(standard)) return schema;
  if (isRecord(standard.jsonSchema) && typeof standard.jsonSchema.input === "function") {
    return standard.jsonSchema.input({ target: "draft-2020-12", libraryOptions: { unrepresentable: "any" } });
  }
  if (typeof carrier.toJSONSchema === "function") {
    return carrier.toJSONSchema({ io: "input", unrepresentable: "any" });
  }
  throw new TypeError(
    `\`${path}\` is a schema of ${String(standard.vendor)} that cannot be written as JSON Schema. Give a JSON Schema, or use zod 4.2 or newer.`,
  );
}

/** TypeScript compiled to CommonJS puts the default export one level deeper. */
export function manifestOf(value: unknown): unknown {
  return isRecord(value) && value.__esModule === true && "default" in value ? value.default : value;
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
