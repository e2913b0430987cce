import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { SettingsForm } from "../use-settings-form.ts";
import { valueIn } from "./form-model.ts";
import { placeAt } from "./labels.ts";
import { findErrors } from "./validator.ts";

/** Something that keeps settings from being saved or from working, and where it can be mended. */
export interface Blocker {
  said: string;
  /** The path of the field in the form. */
  path: string[];
  /** The key of a secret, which has a field of its own above the form. */
  secret?: string;
}

/** What is in the way of a save: text that is no JSON, secrets that are missing, values that do not fit. */
export function useBlockers(form: SettingsForm, stored: Record<string, boolean>): Blocker[] {
  const { t } = useTranslation();
  const { broken, config, dirty, model, secrets } = form;
  return useMemo(() => {
    if (broken !== null) return [{ said: t("settings.notJson"), path: [] }];
    if (!dirty) return [];
    const { schema, prefix } = model;
    const missing = model.secrets
      .filter(({ key, optional }) => !optional && (secrets[key] === "" || (!stored[key] && !secrets[key])))
      .map(({ key, label }) => ({ said: t("blocked.missing", { name: label }), path: [], secret: key }));
    const errors = schema ? findErrors(schema, valueIn(config, prefix)) : [];
    const wrong = errors.map(({ path, message, missing: isMissing }) => {
      const name = placeAt(path, schema).label;
      return {
        said: isMissing ? t("blocked.missing", { name }) : t("blocked.wrong", { name, message }),
        path,
      };
    });
    return [...missing, ...wrong];
  }, [broken, config, dirty, model, secrets, stored, t]);
}

/** Opens what is folded around the field, and puts the focus into it; into the group that it is missing in, when it has none. */
export function goToField({ path, secret }: Pick<Blocker, "path" | "secret">): void {
  const target =
    secret === undefined ? fieldAt(path) : document.querySelector(`[data-secret="${CSS.escape(secret)}"]`);
  if (!target) return;
  for (
    let around = target.closest("details");
    around;
    around = around.parentElement?.closest("details") ?? null
  )
    around.open = true;
  target.scrollIntoView({ block: "center" });
  const inner = target.matches(focusable) ? target : target.querySelector(focusable);
  if (inner instanceof HTMLElement) inner.focus();
}

const focusable = "input:not([type=hidden]), select, textarea, button";

function fieldAt(path: readonly string[]): Element | null {
  for (let end = path.length; end > 0; end -= 1) {
    const found = document.getElementById(["setting", ...path.slice(0, end)].join("_"));
    if (found) return found;
  }
  return null;
}
