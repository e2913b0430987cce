import { isObject } from "../../../../contract/is-object.ts";
import { i18n } from "../../../base/i18n/index.ts";
import { hintsOf } from "./hints.ts";
import { saidValue } from "./said-value.ts";

type Schema = Record<string, unknown>;

/** What a value must keep to, said before it is typed; null when there is nothing to say. */
export function limitsOf(schema: unknown): string | null {
  if (!isObject(schema)) return null;
  const t = i18n.t;
  const parts = [
    span(schema, schema.minimum, schema.maximum, "limit"),
    typeof schema.exclusiveMinimum === "number" &&
      t("invalid.exclusiveMinimum", { limit: said(schema, schema.exclusiveMinimum) }),
    typeof schema.exclusiveMaximum === "number" &&
      t("invalid.exclusiveMaximum", { limit: said(schema, schema.exclusiveMaximum) }),
    typeof schema.multipleOf === "number" &&
      schema.multipleOf !== 1 &&
      t("invalid.multipleOf", { limit: schema.multipleOf }),
    span({}, schema.minLength === 1 ? undefined : schema.minLength, schema.maxLength, "length"),
    typeof schema.pattern === "string" && patternHint(schema, schema.pattern),
  ].filter((part) => typeof part === "string");
  return parts.length > 0 ? parts.join(" ") : null;
}

function span(schema: Schema, least: unknown, most: unknown, kind: "limit" | "length"): string | null {
  const t = i18n.t;
  const [from, to] = [least, most].map((limit) => (typeof limit === "number" ? said(schema, limit) : null));
  if (from != null && to != null) return t(`limits.${kind}`, { from, to });
  if (from != null) return t(kind === "limit" ? "invalid.minimum" : "invalid.minLength", { limit: from });
  return to == null ? null : t(kind === "limit" ? "invalid.maximum" : "invalid.maxLength", { limit: to });
}

const said = (schema: Schema, limit: number) => saidValue(schema, limit) ?? String(limit);

function patternHint(schema: Schema, pattern: string): string | null {
  const example = exampleOf(schema);
  return example === null ? onlyOf(pattern) : i18n.t("limits.example", { example });
}

/** Why a text does not have the form that is wanted, in words or by an example. A pattern is never shown. */
export function patternWords(schema: unknown): string {
  const t = i18n.t;
  if (!isObject(schema)) return t("invalid.form");
  const example = exampleOf(schema);
  if (example !== null) return t("invalid.formLike", { example });
  const only = typeof schema.pattern === "string" ? onlyOf(schema.pattern) : null;
  return only ?? t(typeof schema.description === "string" ? "invalid.formDescribed" : "invalid.form");
}

/** A text that fits, where the schema brings one. */
function exampleOf(schema: Schema): string | null {
  const given = Array.isArray(schema.examples) ? schema.examples : [];
  const candidates = [...given, hintsOf(schema).placeholder, schema.default];
  const fitting = candidates.find((text) => typeof text === "string" && fits(text, schema.pattern));
  return typeof fitting === "string" ? fitting : null;
}

function fits(text: string, pattern: unknown): boolean {
  try {
    return text !== "" && new RegExp(String(pattern), "u").test(text);
  } catch {
    return false;
  }
}

/** "Only small letters, digits, -" for a pattern that is nothing but a class of characters; null for any other. */
function onlyOf(pattern: string): string | null {
  const inner = /^\^\[([^\]^\\]*(?:\\[dw.-][^\]\\]*)*)\](?:[+*]|\{\d+(?:,\d*)?\})\$$/.exec(pattern)?.[1];
  if (inner === undefined) return null;
  const t = i18n.t;
  const ranges: [string, string][] = [
    ["a-z", t("chars.small")],
    ["A-Z", t("chars.capital")],
    ["0-9", t("chars.digits")],
    ["\\d", t("chars.digits")],
    ["\\w", t("chars.word")],
  ];
  let rest = inner;
  const words = ranges.flatMap(([range, word]) => {
    if (!rest.includes(range)) return [];
    rest = rest.replace(range, "");
    return [word];
  });
  const single = rest.replaceAll("\\", "");
  if (/[a-zA-Z0-9]-[a-zA-Z0-9]/.test(single)) return null;
  const others = [...single].map((character) => (character === " " ? t("chars.space") : character));
  return t("invalid.only", { what: [...words, ...others].join(", ") });
}
