import { mapStrings } from "./map-strings.ts";

/** `${{NAME}}` or `${NAME}`. */
const REFERENCE = /\$\{\{([A-Za-z_][A-Za-z0-9_]*)\}\}|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The names of the secrets that the texts of a value refer to, each once, in order of appearance. */
export function findReferences(config: unknown): string[] {
  const names = new Set<string>();
  addReferences(config, names);
  return [...names];
}

/** A start asks this of the settings of every row, so nothing is copied and most texts are only glanced at. */
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
 * Puts the values of secrets in the place of their references, several in one text if need be. A value that looks like
 * a reference itself is left as it is. Where a name has no value the text gets nothing in its place and the name stands
 * in `missing`: such a config must not be used.
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

/** The same value with `${NAME}` in the place of `${{NAME}}`: both are understood, one is stored. */
export function plainReferences<C>(config: C): C {
  const plain = (text: string) =>
    text.replace(REFERENCE, (_, double?: string, single?: string) => `\${${nameOf(double, single)}}`);
  return mapStrings(config, plain) as C;
}

/** The same value, referring to other names: by the name that it refers to now. */
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
