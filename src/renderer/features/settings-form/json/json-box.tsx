import { type RefObject, useId } from "react";
import { useTranslation } from "react-i18next";
import { FieldError } from "../../../ui/controls/field.tsx";
import { JsonEditor, type JsonEditorHandle } from "./json-editor.tsx";
import type { JsonError } from "./json-errors.ts";

interface JsonBoxProps {
  label: string;
  help?: string;
  text: string;
  errors: JsonError[];
  editor: RefObject<JsonEditorHandle | null>;
  onChange(text: string): void;
}

/** The editor of a JSON text with its name, its help, and what is wrong, each with the way to its line. */
export function JsonBox({ label, help, text, errors, editor, onChange }: JsonBoxProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <>
      <p className="mb-1.5 text-sm font-medium" aria-hidden="true">
        {label}
      </p>
      <JsonEditor
        text={text}
        errors={errors}
        label={label}
        describedBy={`${id}-help ${id}-errors`}
        handle={editor}
        onChange={onChange}
      />
      <p id={`${id}-help`} className="mt-1.5 text-xs text-mute empty:hidden">
        {help}
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
    </>
  );
}
