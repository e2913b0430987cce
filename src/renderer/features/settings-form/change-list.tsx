import type { RJSFSchema } from "@rjsf/utils";
import { ArrowRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { isObject } from "../../../contract/is-object.ts";
import type { SecretKey } from "../../../contract/plugin.ts";
import { i18n } from "../../base/i18n/index.ts";
import type { Change } from "./changes.ts";
import { hintsOf } from "./values/hints.ts";
import { placeAt } from "./values/labels.ts";
import { saidValue } from "./values/said-value.ts";

const mostShown = 6;

interface ChangeListProps {
  changes: Change[];
  /** Typed secrets by their key; an empty text removes what is stored. */
  secrets: Record<string, string>;
  stored: Record<string, boolean>;
  keys: SecretKey[];
  schema: RJSFSchema | null;
  prefix: string[];
}

/** What saving changes: before and after, with secrets only named. */
export function ChangeList({ changes, secrets, stored, keys, schema, prefix }: ChangeListProps) {
  const { t } = useTranslation();
  const secretPlaces = new Set(keys.map(({ path }) => path.join("\n")));
  const labels = new Map(keys.map(({ key, label }) => [key, label]));
  const lines = [
    ...Object.entries(secrets).map(([key, value]) => ({
      key: `secret ${key}`,
      label: labels.get(key) ?? key,
      before: null,
      after: t(value === "" ? "changes.removed" : stored[key] ? "changes.replaced" : "changes.stored"),
    })),
    ...changes.map(({ path, before, after }) => {
      const inForm = prefix.every((part, index) => path[index] === part) ? path.slice(prefix.length) : path;
      const { label, masked, nameOf } = describe(inForm, schema);
      const secret = masked || secretPlaces.has(path.join("\n"));
      return {
        key: path.join("."),
        label,
        before: secret ? null : (nameOf(before) ?? textOf(before)),
        after: secret
          ? t(after === undefined ? "changes.removed" : "changes.replaced")
          : (nameOf(after) ?? textOf(after)),
      };
    }),
    // An entry that is new also has what it does not say.
  ].filter(({ before, after }) => before === null || before !== after);
  if (lines.length === 0) return null;
  const rest = lines.length - mostShown;
  return (
    <section aria-label={t("changes.title")} className="min-w-0 text-xs">
      <h2 className="mb-1 font-semibold">{t("changes.title")}</h2>
      <ul className="space-y-0.5">
        {lines.slice(0, mostShown).map((line) => (
          <li key={line.key} className="flex min-w-0 items-baseline gap-2">
            <span className="max-w-48 shrink-0 truncate text-mute" title={line.label}>
              {line.label}
            </span>
            {line.before !== null && (
              <>
                <del className="figure max-w-48 min-w-0 truncate text-mute no-underline" title={line.before}>
                  {line.before}
                </del>
                <ArrowRight className="size-3 shrink-0 self-center text-mute" aria-hidden="true" />
                <span className="sr-only">{t("changes.becomes")}</span>
              </>
            )}
            <ins className="figure min-w-0 truncate font-semibold no-underline" title={line.after}>
              {line.after}
            </ins>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="mt-0.5 text-mute">{t("changes.more", { count: rest })}</p>}
    </section>
  );
}

interface Described {
  label: string;
  masked: boolean;
  /** The words by which a person chooses this value, or reads it; undefined for a value that is its own words. */
  nameOf(value: unknown): string | undefined;
}

/** The labels along the path to a value, whether the value must be masked, and how it is called in the form. */
function describe(path: string[], root: RJSFSchema | null): Described {
  const { label, schema } = placeAt(path, root);
  const masked = hintsOf(schema).secret === true || (isObject(schema) && schema.format === "password");
  const choices: unknown = isObject(schema) ? (schema.oneOf ?? schema.anyOf) : undefined;
  const nameOf = (value: unknown) => {
    const chosen: unknown = Array.isArray(choices)
      ? choices.find((choice) => isObject(choice) && Array.isArray(choice.enum) && choice.enum[0] === value)
      : undefined;
    if (isObject(chosen) && typeof chosen.title === "string") return chosen.title;
    return saidValue(schema, value) ?? undefined;
  };
  return { label, masked, nameOf };
}

function textOf(value: unknown): string {
  if (value === undefined || value === "") return i18n.t("changes.nothing");
  if (typeof value === "boolean") return i18n.t(value ? "changes.yes" : "changes.no");
  // An entry that was added and is still empty is null, or an empty text.
  if (Array.isArray(value) && value.every((item) => item === null || typeof item !== "object"))
    return value.filter((item) => item !== null && item !== "").join(", ") || i18n.t("changes.nothing");
  return typeof value === "string" ? value : JSON.stringify(value);
}
