type Schema = Record<string, unknown>;

/** Most parts of a schema that are looked at for one value. A schema that needs more fills nothing in. */
const MOST_STEPS = 20_000;

/**
 * A value with the defaults of its JSON Schema filled in, as Patchbay does for settings (before `parseConfig`) and for
 * arguments (before a tool runs). What the value says stays. Defaults are found in nested objects and lists, behind local
 * references, in all of `allOf`, in the branch of `if`, and in the branch of `oneOf` or `anyOf` that fits. A missing object
 * is made of its defaults where they make it whole: it may lack nothing that it requires. A default that does not fit its
 * own schema is left out.
 *
 * @param schema anything that is no JSON Schema fills nothing in
 * @returns the same object when nothing was filled in; the value itself is never changed
 */
export function withDefaults<T>(schema: unknown, value: T): T {
  if (!isObject(schema) || !hasDefaults(schema)) return value;
  const filling = new Filling(schema);
  try {
    return filling.fill(schema, value, []) as T;
  } catch (error) {
    if (error instanceof TooManySteps || error instanceof RangeError) return value;
    throw error;
  }
}

class TooManySteps extends Error {}

/** The filling in of one value. */
class Filling {
  readonly #root: Schema;
  #steps = 0;

  constructor(root: Schema) {
    this.#root = root;
  }

  /** @param making the schemas above: in a schema that contains itself, a missing object is not made of it once more */
  fill(schema: unknown, value: unknown, making: readonly Schema[]): unknown {
    if (!isObject(schema)) return value;
    this.#step();
    if (value === undefined) return this.#made(schema, making);
    if (Array.isArray(value)) return this.#applied(schema, this.#list(schema, value), making);
    if (isObject(value)) {
      const within = [...making, schema];
      return this.#applied(schema, this.#object(schema, value, within), within);
    }
    return value;
  }

  /** The value for what is missing; undefined when it stays missing. */
  #made(schema: Schema, making: readonly Schema[]): unknown {
    if (making.includes(schema)) return undefined;
    const within = [...making, schema];
    if (schema.default !== undefined) {
      const filled = this.fill(schema, structuredClone(schema.default), within);
      return this.fits(schema, filled) ? filled : undefined;
    }
    for (const part of this.#parts(schema)) {
      const made = this.fill(part, undefined, within);
      if (made !== undefined) return this.fits(schema, made) ? made : undefined;
    }
    if (!isObject(schema.properties)) return undefined;
    const whole = this.fill(schema, {}, within);
    return isObject(whole) && Object.keys(whole).length > 0 && this.fits(schema, whole) ? whole : undefined;
  }

  #object(schema: Schema, value: Schema, making: readonly Schema[]): Schema {
    const properties = isObject(schema.properties) ? schema.properties : {};
    let filled = value;
    const put = (name: string, inner: unknown) => {
      if (inner === undefined || name === "__proto__" || inner === ownOf(filled, name)) return;
      filled = { ...filled, [name]: inner };
    };
    for (const [name, part] of Object.entries(properties)) {
      put(name, this.fill(part, ownOf(value, name), making));
    }
    for (const name of Object.keys(value)) {
      if (Object.hasOwn(properties, name)) continue;
      put(name, this.fill(schema.additionalProperties, value[name], making));
    }
    return filled;
  }

  #list(schema: Schema, value: unknown[]): unknown[] {
    const first = [schema.prefixItems, schema.items].find((items) => Array.isArray(items)) as
      | unknown[]
      | undefined;
    const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items;
    const filled = value.map((item, index) => this.fill(first?.[index] ?? rest, item, []));
    return filled.some((item, index) => item !== value[index]) ? filled : value;
  }

  /** The value as the schemas that are applied in the same place fill it in. */
  #applied(schema: Schema, value: unknown, making: readonly Schema[]): unknown {
    let filled = value;
    for (const part of this.#parts(schema)) filled = this.fill(part, filled, making);
    for (const branches of [schema.oneOf, schema.anyOf]) filled = this.#chosen(branches, filled, making);
    if (schema.if !== undefined) {
      filled = this.fill(this.fits(schema.if, filled) ? schema.then : schema.else, filled, making);
    }
    if (isObject(schema.dependentSchemas) && isObject(filled)) {
      for (const [name, part] of Object.entries(schema.dependentSchemas)) {
        if (isObject(filled) && Object.hasOwn(filled, name)) filled = this.fill(part, filled, making);
      }
    }
    return filled;
  }

  /** The value as the only branch that fits fills it in; unchanged when none fits, or several. */
  #chosen(branches: unknown, value: unknown, making: readonly Schema[]): unknown {
    if (!Array.isArray(branches)) return value;
    const fitting = branches
      .map((branch) => ({ branch, filled: this.fill(branch, value, making) }))
      .filter(({ branch, filled }) => this.fits(branch, filled));
    return fitting.length === 1 ? fitting[0]?.filled : value;
  }

  /**
   * Whether a value has the form that a schema describes: types, fixed values, what is required and what is not known. Not
   * a validation: lengths, numbers and patterns are not looked at.
   */
  fits(schema: unknown, value: unknown): boolean {
    if (!isObject(schema)) return schema !== false;
    this.#step();
    const { type, enum: known, oneOf, anyOf } = schema;
    if (type !== undefined && ![type].flat().some((one) => isOfType(one, value))) return false;
    if ("const" in schema && !isSame(schema.const, value)) return false;
    if (Array.isArray(known) && !known.some((one) => isSame(one, value))) return false;
    if (isObject(value) && !this.#fieldsFit(schema, value)) return false;
    if (Array.isArray(value) && isObject(schema.items)) {
      if (!value.every((item) => this.fits(schema.items, item))) return false;
    }
    if (!this.#parts(schema).every((part) => this.fits(part, value))) return false;
    return [oneOf, anyOf].every(
      (branches) => !Array.isArray(branches) || branches.some((branch) => this.fits(branch, value)),
    );
  }

  #fieldsFit(schema: Schema, value: Schema): boolean {
    const properties = isObject(schema.properties) ? schema.properties : {};
    if (Array.isArray(schema.required) && !schema.required.every((name) => Object.hasOwn(value, name))) {
      return false;
    }
    if (schema.additionalProperties === false && !isObject(schema.patternProperties)) {
      if (!Object.keys(value).every((name) => Object.hasOwn(properties, name))) return false;
    }
    return Object.entries(properties).every(
      ([name, part]) => !Object.hasOwn(value, name) || this.fits(part, value[name]),
    );
  }

  /** What is applied in the same place in any case: the target of a reference, and `allOf`. */
  #parts(schema: Schema): unknown[] {
    const target = typeof schema.$ref === "string" ? followLocal(schema.$ref, this.#root) : undefined;
    return [...(target === undefined ? [] : [target]), ...(Array.isArray(schema.allOf) ? schema.allOf : [])];
  }

  #step(): void {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) throw new TooManySteps();
  }
}

const known = new WeakMap<Schema, boolean>();

/** Whether anything in the schema is named `default`. Most schemas have none, and then need no second look. */
function hasDefaults(schema: Schema): boolean {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const found = contains(schema, 0);
  known.set(schema, found);
  return found;
}

function contains(part: unknown, depth: number): boolean {
  if (typeof part !== "object" || part === null || depth > 100) return false;
  if (!Array.isArray(part) && Object.hasOwn(part, "default")) return true;
  return Object.values(part).some((inner) => contains(inner, depth + 1));
}

function followLocal(reference: string, root: Schema): unknown {
  if (!/^#(\/|$)/.test(reference)) return undefined;
  let target: unknown = root;
  for (const part of reference.split("/").slice(1)) {
    const name = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
    target = typeof target === "object" && target !== null ? ownOf(target as Schema, name) : undefined;
  }
  return target;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function isOfType(type: unknown, value: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    case "string":
    case "number":
    case "boolean":
      return typeof value === type;
    default:
      return true;
  }
}

/** Whether two values are the same as JSON, whatever the order of their fields. */
function isSame(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) || Array.isArray(right)) {
    return (
      Array.isArray(left) &&
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => isSame(item, right[index]))
    );
  }
  if (!isObject(left) || !isObject(right)) return left === right;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSame(left[name], right[name]))
  );
}

function ownOf(value: Schema, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
