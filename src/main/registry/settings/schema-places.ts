import { isDeepStrictEqual } from "node:util";
import type { ErrorObject } from "ajv";
import type { Declaration, SecretKey } from "../../../contract/index.ts";
import { isObject } from "../../../contract/is-object.ts";
import { compileSchema } from "../../runtimes/config-schema.ts";

type Config = Record<string, unknown>;
type Path = readonly string[];

/** Whether a schema requires the setting at this place: it stands among what is required where the setting lies. */
export function isRequiredAt(schema: Config, path: Path): boolean {
  const name = path.at(-1);
  const holders = path
    .slice(0, -1)
    .reduce((parts, part) => parts.flatMap((one) => inside(one, part, schema)), [...applied(schema, schema)]);
  return holders.some(({ required }) => Array.isArray(required) && required.includes(name));
}

/**
 * The places of declared secrets at which the schema allows no setting (`additionalProperties: false`). The value of such
 * a secret is kept at its place all the same; the plugin gets it as a secret, and not among its settings.
 */
export function placesNotAllowed(
  { configSchema, secretKeys }: Pick<Declaration, "configSchema" | "secretKeys">,
  settings: Config,
): Path[] {
  if (!configSchema || secretKeys.length === 0) return [];
  const validate = compileSchema(configSchema);
  if (validate(settings)) return [];
  return unknownSecrets(validate.errors ?? [], secretKeys);
}

/** The places of secrets that are in the settings and that the schema calls unknown. */
export function unknownSecrets(errors: readonly ErrorObject[], secretKeys: readonly SecretKey[]): Path[] {
  const unknown = errors.filter(({ keyword }) =>
    ["additionalProperties", "unevaluatedProperties"].includes(keyword),
  );
  const places = unknown.map(placeOf);
  return secretKeys
    .map(({ path }) => path)
    .filter((path) => places.some((one) => isDeepStrictEqual(one, path)));
}

/** The settings without what lies at these places. */
export function withoutPlaces(settings: Config, places: readonly Path[]): Config {
  return places.reduce(without, settings);
}

/** The place that an error is about: for what is missing or not known, the setting itself and not what it lies in. */
export function placeOf({ instancePath, keyword, params }: ErrorObject): string[] {
  const parts = instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (keyword === "required") parts.push(String(params.missingProperty));
  if (keyword === "additionalProperties") parts.push(String(params.additionalProperty));
  if (keyword === "unevaluatedProperties") parts.push(String(params.unevaluatedProperty));
  return parts;
}

function without(settings: Config, [head, ...rest]: Path): Config {
  if (head === undefined || !Object.hasOwn(settings, head)) return settings;
  const { [head]: inner, ...others } = settings;
  if (rest.length === 0) return others;
  return isObject(inner) ? { ...settings, [head]: without(inner, rest) } : settings;
}

function inside(part: Config, name: string, root: Config): Config[] {
  const properties = isObject(part.properties) ? part.properties : {};
  return Object.hasOwn(properties, name) ? applied(properties[name], root) : [];
}

/** A part of a schema with everything that is applied in the same place in any case. */
function applied(part: unknown, root: Config, seen: Config[] = []): Config[] {
  if (!isObject(part) || seen.includes(part)) return [];
  seen.push(part);
  const target = typeof part.$ref === "string" ? followed(part.$ref, root) : undefined;
  const more = [target, ...(Array.isArray(part.allOf) ? part.allOf : [])];
  for (const one of more) applied(one, root, seen);
  return seen;
}

function followed(reference: string, root: Config): unknown {
  if (!reference.startsWith("#/")) return reference === "#" ? root : undefined;
  return reference
    .slice(2)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (here, name) => (isObject(here) && Object.hasOwn(here, name) ? here[name] : undefined),
      root,
    );
}
