import type { RJSFSchema } from "@rjsf/utils";
import { type RefObject, useMemo, useRef } from "react";
import type { Config } from "../values/form-model.ts";
import { findErrors } from "../values/validator.ts";
import { JsonBox } from "./json-box.tsx";
import type { JsonEditorHandle } from "./json-editor.tsx";
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
      <JsonBox
        label={label}
        {...(help !== undefined && { help })}
        text={text}
        errors={errors}
        editor={editor}
        onChange={(next) => onChange(next, parseSettings(next))}
      />
    </div>
  );
}
