import type { RJSFSchema } from "@rjsf/utils";
import { type RefObject, useId, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { FieldError } from "../../../ui/controls/field.tsx";
import type { Config } from "../values/form-model.ts";
import { findErrors } from "../values/validator.ts";
import { JsonEditor, type JsonEditorHandle } from "./json-editor.tsx";
import { type JsonError, locate, parseSettings, syntaxErrors } from "./json-errors.ts";

interface JsonTextProps {
  text: string;
  label: string;
  help?: string;
  /** What the value must fit; null: any JSON object will do. */
  schema: RJSFSchema | null;
  /** Goes to the first place that is wrong; false when there is none. */
  check?: RefObject<(() => boolean) | null>;
  /** `value`: null while the text is no JSON object. */
  onChange(text: string, value: Config | null): void;
}

/** A JSON object as text, with what is wrong named at its line. */
export function JsonText({ text, label, help, schema, check, onChange }: JsonTextProps) {
  const { t } = useTranslation();
  const id = useId();
  const editor = useRef<JsonEditorHandle>(null);
  const errors = useMemo((): JsonError[] => {
    const value = parseSettings(text);
    if (!value) return syntaxErrors(text);
    return schema ? locate(text, findErrors(schema, value, "written")) : [];
  }, [text, schema]);
  if (check)
    check.current = () => {
      const [first] = errors;
      if (first) editor.current?.goTo(first.from);
      return first !== undefined;
    };
  return (
    <div>
      <p className="mb-1.5 text-sm font-medium" aria-hidden="true">
        {label}
      </p>
      <JsonEditor
        text={text}
        errors={errors}
        label={label}
        describedBy={`${id}-help ${id}-errors`}
        handle={editor}
        onChange={(next) => onChange(next, parseSettings(next))}
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
    </div>
  );
}
