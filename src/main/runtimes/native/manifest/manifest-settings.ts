import { type SecretKey, secretKeySchema } from "../../../../contract/index.ts";
import { isObject } from "../../../../contract/is-object.ts";
import type { Fact } from "../../manifest-fact.ts";
import type { ManifestProblems } from "../../manifest-problems.ts";
import { type ConfigField, fieldsToSchema } from "./config-fields.ts";
import { plainValue } from "./manifest-facts.ts";
import type { ManifestReader } from "./manifest-reader.ts";

/** The parts of the settings wrapper that a capability has. */
export type Section = "tools" | "channel" | "hooks";

/** A secret as a manifest declares it: in one section of the settings, or, without `section`, at the top. */
export interface DeclaredSecret extends Omit<SecretKey, "path"> {
  section?: Section;
}

/** What a manifest, or one capability of it, says about its settings. */
export interface DeclaredSettings {
  secretKeys: DeclaredSecret[];
  /** JSON Schema made from `configFields`; null without them. */
  fieldSchema: Record<string, unknown> | null;
  defaultConfig: Record<string, unknown> | null;
}

const sentOnlyToSchema = secretKeySchema.shape.sentOnlyTo.unwrap();

/** Reads `secretKeys`, `configFields` and `defaultConfig` of a manifest (no section) or of a capability. */
export function readSettings(
  reader: ManifestReader,
  section: Section | undefined,
  problems: ManifestProblems,
): DeclaredSettings {
  const secretKeys = readSecretKeys(reader, section, problems);
  const fields = readConfigFields(reader, problems);
  return {
    secretKeys,
    fieldSchema: fields.length > 0 ? fieldsToSchema(fields) : null,
    defaultConfig: readObject(reader.field("defaultConfig"), reader.at("defaultConfig"), problems),
  };
}

function readSecretKeys(
  reader: ManifestReader,
  section: Section | undefined,
  problems: ManifestProblems,
): DeclaredSecret[] {
  const keys: DeclaredSecret[] = [];
  for (const item of reader.objects("secretKeys")) {
    const key = item.text("key");
    const optional = item.optionalFlag("optional");
    const hosts = readHosts(item, problems);
    const secret: DeclaredSecret = {
      key,
      label: item.has("label") ? item.text("label") : key,
      ...(section && { section }),
      ...textFields(item, ["placeholder", "help", "url"]),
      ...(optional !== undefined && { optional }),
      ...(hosts && { sentOnlyTo: hosts }),
    };
    if (key && keys.some((other) => other.key === key)) {
      problems.add(
        item.at("key"),
        `\`${item.at("key")}\` is "${key}", which stands in the list twice. The plugin's author must remove one.`,
      );
    } else if (key) keys.push(secret);
  }
  return keys;
}

/** The hosts on the way to which the value is put in; undefined when the plugin gets it. */
function readHosts(item: ManifestReader, problems: ManifestProblems): string[] | undefined {
  const items = item.optionalList("sentOnlyTo");
  if (!items) return undefined;
  const parsed = sentOnlyToSchema.safeParse(items.map(plainValue));
  if (parsed.success) return parsed.data;
  const wanted = "one to twenty hosts in lower case, such as api.example.com or localhost:8443";
  problems.expected(item.at("sentOnlyTo"), wanted, item.field("sentOnlyTo"));
  return undefined;
}

function readConfigFields(reader: ManifestReader, problems: ManifestProblems): ConfigField[] {
  const fields: ConfigField[] = [];
  for (const item of reader.objects("configFields")) {
    const field = readConfigField(item, problems);
    if (field) fields.push(field);
  }
  return fields;
}

function readConfigField(item: ManifestReader, problems: ManifestProblems): ConfigField | null {
  const kind = item.text("kind", "one of select, text, string_list, webhook_url");
  const label = item.text("label");
  const common = { label, ...textFields(item, ["help"]), ...readShowWhen(item) };
  switch (kind) {
    case "select": {
      const options = item
        .objects("options")
        .map((option) => ({ value: option.text("value"), label: option.text("label") }));
      if (options.length === 0 && item.field("options").kind !== "list") {
        problems.expected(item.at("options"), "a list of values with labels", item.field("options"));
      }
      return { kind, key: item.text("key"), options, ...textFields(item, ["defaultValue"]), ...common };
    }
    case "text":
    case "string_list":
      return { kind, key: item.text("key"), ...textFields(item, ["placeholder"]), ...common };
    case "webhook_url":
      return { kind, ...common };
    case "":
      return null;
    default:
      problems.expected(item.at("kind"), "one of select, text, string_list, webhook_url", item.field("kind"));
      return null;
  }
}

function readShowWhen(item: ManifestReader): { showWhen?: { field: string; equals: unknown } } {
  const condition = item.optionalObject("showWhen");
  if (!condition) return {};
  return { showWhen: { field: condition.text("field"), equals: plainValue(condition.field("equals")) } };
}

function readObject(fact: Fact, path: string, problems: ManifestProblems): Record<string, unknown> | null {
  if (fact.kind === "absent" || fact.kind === "null") return null;
  const value = plainValue(fact);
  if (fact.kind === "object" && isObject(value)) return value;
  problems.expected(path, "an object", fact);
  return null;
}

function textFields<Name extends string>(
  item: ManifestReader,
  names: readonly Name[],
): { [N in Name]?: string } {
  const texts: { [N in Name]?: string } = {};
  for (const name of names) {
    const fact = item.field(name);
    if (fact.kind === "text" && fact.value === "") continue;
    const text = item.optionalText(name);
    if (text !== undefined) texts[name] = text;
  }
  return texts;
}
