import { isObject } from "../../../../contract/is-object.ts";
import { i18n } from "../../../base/i18n/index.ts";
import { labelOf } from "../../../model/runtime-values.ts";
import { typeName } from "./validator.ts";

/** The schema in which every one of several kinds of value has a name that a person can choose by. */
export function withNamedChoices(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNamedChoices);
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (keyword === "default" || keyword === "const" || keyword === "enum" || keyword === "examples")
      return [keyword, value];
    const inner = withNamedChoices(value);
    const choices = (keyword === "oneOf" || keyword === "anyOf") && Array.isArray(inner);
    return [keyword, choices ? inner.map(named) : inner];
  });
  return Object.fromEntries(entries);
}

function named(choice: unknown): unknown {
  if (!isObject(choice) || typeof choice.title === "string") return choice;
  const name = nameOf(choice);
  return name === null ? choice : { ...choice, title: name };
}

function nameOf(choice: Record<string, unknown>): string | null {
  if ("const" in choice) return labelOf(String(choice.const));
  const properties = isObject(choice.properties) ? Object.values(choice.properties) : [];
  for (const property of properties)
    if (isObject(property) && typeof property.const === "string") return labelOf(property.const);
  if (typeof choice.$ref === "string") return labelOf(choice.$ref.split("/").at(-1) ?? "");
  if (choice.type === "null") return sentence(i18n.t("choice.none"));
  return typeof choice.type === "string" ? sentence(typeName(choice.type)) : null;
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
