import { isObject } from "../../../../contract/is-object.ts";
import type { Fact } from "../../manifest-fact.ts";

/**
 * What a plugin's default export looks like, as plain data. The throw-away host makes it with {@link describeExport};
 * the app judges it with `validateManifest` and never sees the export itself. Imports nothing, so that the host bundle
 * stays small.
 */

/** The JSON Schema behind `configSchema`, after conversion; or why there is none. */
export type SchemaFact =
  | { kind: "absent" }
  | { kind: "schema"; schema: Record<string, unknown> }
  /** A schema of a library that does not turn its schemas into JSON Schema. */
  | { kind: "foreign"; vendor: string }
  | { kind: "refused"; reason: string };

/** What the host process reports: the answer of {@link describeExport}, structured-cloneable and JSON-safe. */
export interface ExportFacts {
  defaultExport: Fact;
  configSchema: SchemaFact;
}

/** What the app reads from the package's `package.json` itself. */
export interface PackageFacts {
  name: string;
  version: string;
  license?: string;
  publisher?: string;
  homepage?: string;
  /** What it says that it needs to run. */
  engines?: { node?: string; patchbay?: string };
  /** The icon as a data URL of at most 64 KiB, when the manifest names a file inside the package. */
  icon?: string;
}

/** Everything that `validateManifest` judges. */
export interface ManifestFacts extends ExportFacts {
  package: PackageFacts;
}

const MAX_DEPTH = 24;
const MAX_VALUES = 20_000;
const MAX_TEXT = 512 * 1024;

/**
 * Describes the module of a plugin, in the process that imported it. Getters and converters of the plugin run here,
 * so call it only where its code may run. Never throws.
 *
 * @param module the module's namespace object, as `import()` gave it
 */
export function describeExport(module: { default?: unknown }): ExportFacts {
  const budget = { values: MAX_VALUES, text: MAX_TEXT };
  let manifest: unknown;
  try {
    manifest = unwrapCommonJs(module.default);
  } catch (error) {
    return { defaultExport: unreadable(error), configSchema: { kind: "absent" } };
  }
  const configSchema = describeSchema(manifest, budget);
  return { defaultExport: factOf(manifest, budget, 0, new Set(), true), configSchema };
}

/** The value behind a fact, functions and unreadable parts left out. */
export function plainValue(fact: Fact): unknown {
  switch (fact.kind) {
    case "absent":
    case "function":
    case "unreadable":
      return undefined;
    case "null":
      return null;
    case "text":
    case "number":
    case "flag":
      return fact.value;
    case "list":
      return fact.items.map(plainValue);
    case "object":
      return Object.fromEntries(
        Object.entries(fact.fields)
          .map(([key, value]): [string, unknown] => [key, plainValue(value)])
          .filter(([, value]) => value !== undefined),
      );
  }
}

/** The value behind a fact, with a stand-in for each function; null for what cannot be read. */
export function valueWithFunctions(fact: Fact): unknown {
  switch (fact.kind) {
    case "function":
      return standIn;
    case "unreadable":
      return null;
    case "list":
      return fact.items.map(valueWithFunctions);
    case "object":
      return Object.fromEntries(
        Object.entries(fact.fields).map(([key, value]) => [key, valueWithFunctions(value)]),
      );
    default:
      return plainValue(fact);
  }
}

/** Is never called. */
function standIn(): void {}

/** Whether what came from another process is a whole {@link Fact}: that process runs somebody else's code. */
export function isFact(value: unknown, depth = 0): value is Fact {
  if (!isObject(value) || depth > MAX_DEPTH + 1) return false;
  switch (value.kind) {
    case "absent":
    case "null":
    case "function":
      return true;
    case "text":
      return typeof value.value === "string";
    case "number":
      return typeof value.value === "number";
    case "flag":
      return typeof value.value === "boolean";
    case "unreadable":
      return typeof value.reason === "string";
    case "list":
      return Array.isArray(value.items) && value.items.every((item) => isFact(item, depth + 1));
    case "object":
      return isObject(value.fields) && Object.values(value.fields).every((field) => isFact(field, depth + 1));
    default:
      return false;
  }
}

interface Budget {
  values: number;
  text: number;
}

const TOO_LARGE: Fact = { kind: "unreadable", reason: "it is too large" };

/** Takes from the budget what a value costs; false, and takes nothing, when that is too much. */
function spend(budget: Budget, values: number, text: number): boolean {
  if (values > budget.values || text > budget.text) return false;
  budget.values -= values;
  budget.text -= text;
  return true;
}

/** TypeScript compiled to CommonJS puts the default export one level deeper. */
function unwrapCommonJs(value: unknown): unknown {
  if (isObject(value) && value.__esModule === true && "default" in value) return value.default;
  return value;
}

function factOf(
  value: unknown,
  budget: Budget,
  depth: number,
  above: ReadonlySet<object>,
  top = false,
): Fact {
  switch (typeof value) {
    case "undefined":
      return { kind: "absent" };
    case "string":
      return spend(budget, 0, value.length) ? { kind: "text", value } : TOO_LARGE;
    case "number":
      return Number.isFinite(value)
        ? { kind: "number", value }
        : { kind: "unreadable", reason: `it is ${value}` };
    case "boolean":
      return { kind: "flag", value };
    case "function":
      return { kind: "function" };
    case "object":
      return value === null ? { kind: "null" } : describeObject(value, budget, depth, above, top);
    default:
      return { kind: "unreadable", reason: `it is a ${typeof value}` };
  }
}

function describeObject(
  value: object,
  budget: Budget,
  depth: number,
  above: ReadonlySet<object>,
  top: boolean,
): Fact {
  if (depth >= MAX_DEPTH) return { kind: "unreadable", reason: "it is nested too deeply" };
  if (above.has(value)) return { kind: "unreadable", reason: "it contains itself" };
  const path = new Set(above).add(value);
  try {
    if (Array.isArray(value)) {
      if (!spend(budget, value.length, 0)) return TOO_LARGE;
      return { kind: "list", items: value.map((item) => factOf(item, budget, depth + 1, path)) };
    }
    const fields: Record<string, Fact> = Object.create(null);
    const keys = readableKeys(value);
    const letters = [...keys].reduce((sum, key) => sum + key.length, 0);
    if (!spend(budget, keys.size, letters)) return TOO_LARGE;
    for (const key of keys) {
      if (top && key === "configSchema") continue;
      fields[key] = describeField(value, key, budget, depth, path);
    }
    return { kind: "object", fields: { ...fields } };
  } catch (error) {
    return unreadable(error);
  }
}

function describeField(
  owner: object,
  key: string,
  budget: Budget,
  depth: number,
  path: ReadonlySet<object>,
): Fact {
  try {
    return factOf(Reflect.get(owner, key), budget, depth + 1, path);
  } catch (error) {
    return unreadable(error);
  }
}

/** Own keys, and the methods of a class when a plugin's manifest is an instance of one. */
function readableKeys(value: object): Set<string> {
  const keys = new Set(Object.keys(value));
  let prototype: unknown = Object.getPrototypeOf(value);
  while (isObject(prototype) && prototype !== Object.prototype) {
    for (const key of Object.getOwnPropertyNames(prototype)) if (key !== "constructor") keys.add(key);
    prototype = Object.getPrototypeOf(prototype);
  }
  return keys;
}

function describeSchema(manifest: unknown, budget: Budget): SchemaFact {
  try {
    if (!isObject(manifest) || manifest.configSchema === undefined) return { kind: "absent" };
    const converted = toJsonSchema(manifest.configSchema);
    if (typeof converted === "string") return { kind: "foreign", vendor: converted };
    const fact = factOf(converted, budget, 0, new Set());
    const schema = plainValue(fact);
    if (fact.kind !== "object" || !isObject(schema)) {
      return { kind: "refused", reason: fact.kind === "unreadable" ? fact.reason : "it is not an object" };
    }
    return { kind: "schema", schema };
  } catch (error) {
    return { kind: "refused", reason: messageOf(error) };
  }
}

/**
 * Standard JSON Schema (`~standard.jsonSchema`), zod's own `toJSONSchema`, or a JSON Schema as it is; the name of the
 * library when it offers neither.
 */
function toJsonSchema(schema: unknown): unknown {
  if (!isObject(schema) && typeof schema !== "function") return null;
  const carrier = schema as Record<string, unknown>;
  const standard = carrier["~standard"];
  if (!isObject(standard)) return schema;
  if (isObject(standard.jsonSchema) && typeof standard.jsonSchema.input === "function") {
    return standard.jsonSchema.input({
      target: "draft-2020-12",
      // An option that only zod reads: a type that JSON Schema cannot express becomes "anything" instead of an error.
      libraryOptions: { unrepresentable: "any" },
    });
  }
  if (typeof carrier.toJSONSchema === "function") {
    return carrier.toJSONSchema({ io: "input", unrepresentable: "any" });
  }
  return String(standard.vendor ?? "its library");
}

function unreadable(error: unknown): Fact {
  return { kind: "unreadable", reason: `reading it failed: ${messageOf(error)}` };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
