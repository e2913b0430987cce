import { useId, useMemo, useRef, useState } from "react";
import { FieldError } from "../../../ui/controls/field.tsx";
import type { Config } from "../values/form-model.ts";
import { findErrors } from "../values/validator.ts";
import { JsonEditor, type JsonEditorHandle } from "./json-editor.tsx";
import { locate, parseSettings, syntaxErrors } from "./json-errors.ts";

interface JsonFieldProps {
  label: string;
  /** What it begins with. */
  value: unknown;
  /** What it has to fit; absent: any object. */
  schema?: Record<string, unknown> | undefined;
  /** Told the object that is written, null while there is none or it does not fit. */
  onChange(value: Config | null): void;
}

/** An object as text, with what is wrong at its place. */
export function JsonField({ label, value, schema, onChange }: JsonFieldProps) {
  const id = useId();
  const editor = useRef<JsonEditorHandle>(null);
  const [text, setText] = useState(() => JSON.stringify(value, null, 2));
  const errors = useMemo(() => errorsIn(text, schema), [text, schema]);
  const edit = (next: string) => {
    setText(next);
    onChange(errorsIn(next, schema).length > 0 ? null : parseSettings(next));
  };
  return (
    <div>
      <p className="mb-1 text-sm font-medium" aria-hidden="true">
        {label}
      </p>
      <JsonEditor
        text={text}
        errors={errors}
        label={label}
        describedBy={`${id}-errors`}
        handle={editor}
        onChange={edit}
      />
      <ul id={`${id}-errors`}>
        {errors.map((error) => (
          <li key={`${error.from} ${error.message}`}>
            <button type="button" className="text-left" onClick={() => editor.current?.goTo(error.from)}>
              <FieldError id={`${id}-${error.from}`}>{error.message}</FieldError>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function errorsIn(text: string, schema: Record<string, unknown> | undefined) {
  const value = parseSettings(text);
  if (!value) return syntaxErrors(text);
  return schema ? locate(text, findErrors(schema, value, "written")) : [];
}
