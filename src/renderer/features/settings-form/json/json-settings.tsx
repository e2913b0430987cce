import { type RefObject, type SyntheticEvent, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { announce } from "../../../ui/announce.tsx";
import { type Config, type FormModel, valueIn } from "../values/form-model.ts";
import { type FoundError, findErrors } from "../values/validator.ts";
import { JsonBox } from "./json-box.tsx";
import type { JsonEditorHandle } from "./json-editor.tsx";
import { locate, parseSettings, syntaxErrors } from "./json-errors.ts";

interface JsonSettingsProps {
  /** The settings with the defaults that the form shows. */
  config: Config;
  /** The settings as they were written, without the defaults. */
  written: Config;
  /** What was typed and is not a JSON object (yet); else null. */
  text: string | null;
  model: FormModel;
  /** Errors that the core or the plugin found when it was saved. */
  refused: FoundError[];
  onChange(config: Config): void;
  onBrokenText(text: string): void;
  onSubmit(): void;
  submit: RefObject<HTMLButtonElement | null>;
}

/** All settings as text, including those that the form cannot show. */
export function JsonSettings({ config, written, text, model, refused, submit, ...on }: JsonSettingsProps) {
  const { t } = useTranslation();
  const editor = useRef<JsonEditorHandle>(null);
  // What is typed keeps its layout as long as it means the same settings.
  const [typed, setTyped] = useState<string | null>(null);
  const shown = text ?? (means(typed, written) ? typed : null) ?? JSON.stringify(config, null, 2);
  const errors = useMemo(() => {
    const value = parseSettings(shown);
    if (!value) return syntaxErrors(shown);
    return locate(shown, [...schemaErrors(model, value), ...refused]);
  }, [shown, model, refused]);

  const edit = (next: string) => {
    const value = parseSettings(next);
    setTyped(next);
    if (value) on.onChange(value);
    else on.onBrokenText(next);
  };
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    const [first] = refused.length > 0 ? [] : errors;
    if (!first) return on.onSubmit();
    announce(t("settings.errorsAtFields"));
    editor.current?.goTo(first.from);
  };

  return (
    <form onSubmit={send} className="rounded-lg border border-line bg-surface px-5 py-4">
      <JsonBox
        label={t("settings.json")}
        help={t(model.schema ? "settings.jsonWhole" : "settings.jsonHelp")}
        text={shown}
        errors={errors}
        editor={editor}
        onChange={edit}
      />
      <button ref={submit} type="submit" className="hidden" tabIndex={-1} aria-hidden="true" />
    </form>
  );
}

function means(text: string | null, config: Config): boolean {
  const value = text === null ? null : parseSettings(text);
  return value !== null && JSON.stringify(value) === JSON.stringify(config);
}

function schemaErrors({ schema, prefix }: FormModel, config: Config): FoundError[] {
  if (!schema) return [];
  return findErrors(schema, valueIn(config, prefix), "written").map(({ path, message }) => ({
    path: [...prefix, ...path],
    message,
  }));
}
