import { isObject } from "../../../../contract/is-object.ts";

/** An argument that goes into a header, too: where it lies in the arguments, and the header's own part of its name. */
export interface MirroredParam {
  path: string[];
  name: string;
}

const keyword = "x-mcp-header";
/** Types whose values can stand in a header. */
const mirrored = new Set(["string", "integer", "boolean"]);
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * The arguments that a server at an address of the newer era wants in headers, too (`x-mcp-header` in a tool's schema); null
 * when it asks for that in a way that is not allowed, after which the tool must not be offered. They may only stand on
 * properties of the arguments and of objects in them, each under a name of its own.
 */
export function mirroredParams(schema: Record<string, unknown>): MirroredParam[] | null {
  const found: MirroredParam[] = [];
  const names = new Set<string>();
  const isRight = (value: unknown, path: string[]): boolean => {
    if (!isObject(value)) return true;
    if (keyword in value) {
      const name = value[keyword];
      if (path.length === 0 || typeof name !== "string" || !headerName.test(name)) return false;
      if (typeof value.type !== "string" || !mirrored.has(value.type)) return false;
      if (names.has(name.toLowerCase())) return false;
      names.add(name.toLowerCase());
      found.push({ path, name });
    }
    return Object.entries(value).every(([key, inner]) =>
      key === "properties" && isObject(inner)
        ? Object.entries(inner).every(([name, property]) => isRight(property, [...path, name]))
        : data.has(key) || !asksSomewhere(inner),
    );
  };
  return isRight(schema, []) ? found : null;
}

/** Keywords whose values are data, in which nothing is a keyword. */
const data = new Set(["const", "enum", "default", "examples", keyword]);

function asksSomewhere(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(asksSomewhere);
  if (!isObject(value)) return false;
  return (
    keyword in value || Object.entries(value).some(([key, inner]) => !data.has(key) && asksSomewhere(inner))
  );
}

/** The headers of a call. What is not there, or is no simple value, has none. */
export function paramHeaders(
  params: readonly MirroredParam[],
  input: Record<string, unknown>,
): Record<string, string> {
  return Object.fromEntries(
    params.flatMap(({ path, name }) => {
      const value = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), input);
      const isSimple =
        typeof value === "string" ||
        typeof value === "boolean" ||
        (Number.isSafeInteger(value) && value !== null);
      return isSimple ? [[`Mcp-Param-${name}`, encoded(String(value))] as const] : [];
    }),
  );
}

/** A value as a header can carry it: as it is, or in base64 where it is not plain ASCII, is empty or has blanks at its ends. */
function encoded(value: string): string {
  const isPlain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(value);
  if (isPlain && !(value.startsWith("=?base64?") && value.endsWith("?="))) return value;
  return `=?base64?${Buffer.from(value, "utf8").toString("base64")}?=`;
}
