import { type RefObject, type SyntheticEvent, useId, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { announce } from "../../../ui/announce.tsx";
import { FieldError } from "../../../ui/controls/field.tsx";
import { type Config, type FormModel, valueIn } from "../values/form-model.ts";
import { type FoundError, findErrors } from "../values/validator.ts";
import { JsonEditor, type JsonEditorHandle } from "./json-editor.tsx";
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
  const id = useId();
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
      <p className="mb-1.5 text-sm font-medium" aria-hidden="true">
        {t("settings.json")}
      </p>
      <JsonEditor
        text={shown}
        errors={errors}
        label={t("settings.json")}
        describedBy={`${id}-help ${id}-errors`}
        handle={editor}
        onChange={edit}
      />
      <p id={`${id}-help`} className="mt-1.5 text-xs text-mute">
        {t(model.schema ? "settings.jsonWhole" : "settings.jsonHelp")}
      </p>
      <ul id={`${id}-errors`}>
        {errors.map((error) => (
          <li key={`${error.from} ${error.message}`}>
            <button type="button" className="text-left" onClick={() => editor.current?.goTo(error.from)}>
              <FieldError id={`${id}-${error.from}`}>
                {t("json.line", { line: error.line, message: error.message })}
              </FieldError>
            </button>
          </li>
        ))}
      </ul>
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
