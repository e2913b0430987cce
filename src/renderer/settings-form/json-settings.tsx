import { type RefObject, type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { isRecord } from "../client/problem.ts";
import { Field } from "../ui/field.tsx";
import type { Config } from "./form-model.ts";

interface JsonSettingsProps {
  config: Config;
  onChange(config: Config): void;
  onSubmit(): void;
  submit: RefObject<HTMLButtonElement | null>;
}

/** For plugins that take settings and do not describe them. */
export function JsonSettings({ config, onChange, onSubmit, submit }: JsonSettingsProps) {
  const { t } = useTranslation();
  const [text, setText] = useState<string | null>(null);
  const [error, setError] = useState<string>();

  const edit = (next: string) => {
    setText(next);
    const parsed = parse(next);
    if (parsed) {
      setError(undefined);
      onChange(parsed);
    } else setError(t("settings.notJson"));
  };
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!error) onSubmit();
  };

  return (
    <form onSubmit={send} className="rounded-lg border border-line bg-surface px-5 py-4">
      <Field label={t("settings.json")} help={t("settings.jsonHelp")} error={error}>
        {(control) => (
          <textarea
            {...control}
            className="field figure min-h-44 resize-y"
            rows={9}
            spellCheck={false}
            value={text ?? JSON.stringify(config, null, 2)}
            onChange={(event) => edit(event.target.value)}
            onBlur={() => !error && setText(null)}
          />
        )}
      </Field>
      <button ref={submit} type="submit" className="hidden" tabIndex={-1} aria-hidden="true" />
    </form>
  );
}

function parse(text: string): Config | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
