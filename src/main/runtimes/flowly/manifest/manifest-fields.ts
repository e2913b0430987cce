import { integerOf, jsonLike, pyRepr, pyStr } from "./python/text.ts";
import {
  type Py,
  PyBytes,
  PyDict,
  PyError,
  PyList,
  PySet,
  PyTuple,
  truthy,
  typeName,
} from "./python/values.ts";

/** What a `plugin.yaml` says. Texts are as Python's `str` makes them: `version: 1.0` is "1.0", `version: ~` is "None". */
export interface FlowlyManifest {
  name: string;
  version: string;
  description: string;
  author: string;
  kind: "standalone" | "backend" | "exclusive";
  /** At most {@link newestManifest}. */
  manifestVersion: number;
  /** Names of variables, or objects with a `name`; nothing is checked. JSON values. */
  requiresEnv: unknown[];
  providesTools: unknown[];
  providesHooks: unknown[];
  providesWebProviders: unknown[];
  /** What Flowly warns of, in its own words. */
  warnings: string[];
}

export const newestManifest = 1;

/** A field that Flowly cannot read, so that it finds no plugin at all; here only this plugin is lost. */
export class WrongField extends Error {
  readonly field: string;
  readonly theirs: string;

  constructor(field: string, error: PyError) {
    super(field);
    this.field = field;
    this.theirs = `${error.type}: ${error.message}`;
  }
}

/** A manifest for a newer Flowly. */
export class TooNew extends Error {
  readonly version: string;

  constructor(version: string) {
    super(version);
    this.version = version;
  }
}

/**
 * The manifest that the values of a file make.
 * @param dirName the name of a plugin that has none
 * @param category what its key begins with, or null
 * @throws WrongField, TooNew
 */
export function manifestOf(data: PyDict, dirName: string, category: string | null): FlowlyManifest {
  /** `read` of the field's value, or of the one that stands for an absent field. */
  const field = <T>(name: string, absent: Py, read: (value: Py) => T): T => {
    const value = data.get(name);
    try {
      return read(value === undefined ? absent : value);
    } catch (error) {
      throw error instanceof PyError ? new WrongField(name, error) : error;
    }
  };
  const name = field("name", null, (value) => (truthy(value) ? pyStr(value) : dirName));
  const version = field("manifest_version", 1n, wholeNumber);
  if (version > BigInt(newestManifest)) throw new TooNew(version.toString());
  const key = category === null ? name : `${category}/${dirName}`;
  const warnings: string[] = [];
  return {
    name,
    version: field("version", "", pyStr),
    description: field("description", "", pyStr),
    author: field("author", "", pyStr),
    kind: field("kind", null, (value) => kindOf(value, key, warnings)),
    manifestVersion: Number(version),
    requiresEnv: field("requires_env", null, listOf),
    providesTools: field("provides_tools", null, listOf),
    providesHooks: field("provides_hooks", null, listOf),
    providesWebProviders: field("provides_web_providers", null, listOf),
    warnings,
  };
}

function kindOf(value: Py, key: string, warnings: string[]): FlowlyManifest["kind"] {
  if (typeof value !== "string") return "standalone";
  const word = value.replace(OUTER_BLANKS, "").toLowerCase();
  if (word === "standalone" || word === "backend" || word === "exclusive") return word;
  warnings.push(
    `plugin ${key}: unknown kind ${pyRepr(value)} (valid: backend, exclusive, standalone); treating as standalone`,
  );
  return "standalone";
}

/** What Python's `strip` takes away: all blanks of Unicode, and four signs between texts. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: Python takes them for blanks
const OUTER_BLANKS = /^[\s\u001c-\u001f\u0085]+|[\s\u001c-\u001f\u0085]+$/g;

/** Python's `int(value)`. */
function wholeNumber(value: Py): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "number") {
    if (Number.isNaN(value)) throw new PyError("ValueError", "cannot convert float NaN to integer");
    if (!Number.isFinite(value))
      throw new PyError("OverflowError", "cannot convert float infinity to integer");
    return BigInt(Math.trunc(value));
  }
  if (typeof value === "string" || value instanceof PyBytes) {
    const text = typeof value === "string" ? value : Buffer.from(value.bytes).toString("latin1");
    const digits = /^([-+]?)([0-9]+(?:_[0-9]+)*)$/.exec(text.replace(OUTER_BLANKS, ""));
    if (digits) return integerOf((digits[2] ?? "").replaceAll("_", ""), digits[1] === "-" ? -1n : 1n);
    throw new PyError("ValueError", `invalid literal for int() with base 10: ${pyRepr(value)}`);
  }
  throw new PyError(
    "TypeError",
    `int() argument must be a string, a bytes-like object or a real number, not '${typeName(value)}'`,
  );
}

/** Python's `list(value or [])`, as JSON values. */
function listOf(value: Py): unknown[] {
  if (!truthy(value)) return [];
  if (typeof value === "string") return Array.from(value);
  if (value instanceof PyBytes) return Array.from(value.bytes);
  if (value instanceof PyList || value instanceof PyTuple) return value.items.map((item) => jsonLike(item));
  const keys = value instanceof PySet ? value.dict : value;
  if (keys instanceof PyDict) return keys.entries().map(([key]) => jsonLike(key));
  throw new PyError("TypeError", `'${typeName(value)}' object is not iterable`);
}

/** A text of a manifest for a person: Python's word for nothing is none. */
export function said(text = ""): string {
  return text === "None" ? "" : text;
}
