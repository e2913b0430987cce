import { mapStrings } from "./redaction/map-strings.ts";

/** `${{NAME}}` or `${NAME}`. */
const REFERENCE = /\$\{\{([A-Za-z_][A-Za-z0-9_]*)\}\}|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The names of the secrets that the texts of a value refer to, each once, in order of appearance. */
export function findReferences(config: unknown): string[] {
  const names = new Set<string>();
  addReferences(config, names);
  return [...names];
}

/**
 * Adds the names in `value` to `names`. At a start of the app this runs over the settings of every row, so it copies
 * nothing, and applies the pattern only to texts that can contain a reference.
 */
function addReferences(value: unknown, names: Set<string>): void {
  if (typeof value === "string") {
    if (!value.includes("${")) return;
    for (const match of value.matchAll(REFERENCE)) names.add(nameOf(match[1], match[2]));
  } else if (typeof value === "object" && value !== null) {
    for (const item of Object.values(value)) addReferences(item, names);
  }
}

/** Whether a text refers to at least one secret. */
export function hasReference(text: string): boolean {
  return text.search(REFERENCE) >= 0;
}

/**
 * Replaces references by the values of their secrets; one text may contain several. A value that looks like a reference
 * is not resolved again. A reference whose name has no value is replaced by an empty text and its name is listed in
 * `missing`: such a config must not be used.
 */
export function resolveReferences<C>(
  config: C,
  lookup: (name: string) => string | undefined,
): { config: C; missing: string[] } {
  const missing = new Set<string>();
  const resolved = mapStrings(config, (text) =>
    text.replace(REFERENCE, (_, double: string | undefined, single: string | undefined) => {
      const name = nameOf(double, single);
      const value = lookup(name);
      if (value === undefined) missing.add(name);
      return value ?? "";
    }),
  );
  return { config: resolved as C, missing: [...missing] };
}

/** The same value with each `${{NAME}}` written as `${NAME}`. Both forms are read; only the second is stored. */
export function plainReferences<C>(config: C): C {
  const plain = (text: string) =>
    text.replace(REFERENCE, (_, double?: string, single?: string) => `\${${nameOf(double, single)}}`);
  return mapStrings(config, plain) as C;
}

/** The same value with references renamed; `names` maps each old name to its new one. */
export function renameReferences<C>(config: C, names: ReadonlyMap<string, string>): C {
  const renamed = (text: string) =>
    text.replace(REFERENCE, (whole, double?: string, single?: string) => {
      const name = names.get(nameOf(double, single));
      return name === undefined ? whole : `\${${name}}`;
    });
  return mapStrings(config, renamed) as C;
}

function nameOf(double: string | undefined, single: string | undefined): string {
  return double ?? single ?? "";
}
