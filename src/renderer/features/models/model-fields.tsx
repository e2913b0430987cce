import { useTranslation } from "react-i18next";
import { Field } from "../../ui/controls/field.tsx";
import { takeFocus } from "../../ui/controls/take-focus.ts";
import { ChooseButton } from "../places/public.ts";
import { fieldsOf, type ModelDraft, type ModelField, modelKinds } from "./model-draft.ts";

interface ModelFieldsProps {
  draft: ModelDraft;
  missing: ModelField[];
  /** The field that a person came here for. */
  focus?: "key" | "model" | null;
  onChange(draft: ModelDraft): void;
}

export function ModelFields({ draft, missing, focus, onChange }: ModelFieldsProps) {
  const { t } = useTranslation();
  // Without a model there is none to name, and its kind is chosen first.
  const fields = fieldsOf(draft.kind);
  const focused = focus && (fields.includes(focus) ? focus : "kind");
  return (
    <fieldset className="rounded-lg border border-line bg-sunk px-4 py-3.5">
      <legend className="sr-only">{t("model.title")}</legend>
      <Field label={t("model.title")} help={t(`model.help.${draft.kind}`)}>
        {(props) => (
          <select
            {...props}
            ref={focused === "kind" ? takeFocus : undefined}
            className="field"
            value={draft.kind}
            onChange={(event) => {
              const kind = modelKinds.find((known) => known === event.target.value) ?? "none";
              onChange({
                ...draft,
                kind,
                key: "",
                keyReference: kind === draft.kind ? draft.keyReference : "",
              });
            }}
          >
            {modelKinds.map((kind) => (
              <option key={kind} value={kind}>
                {t(`model.kind.${kind}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {fields.map((field) => (
        <Field
          key={`${draft.kind}-${field}`}
          className="mt-3.5"
          label={t(`model.${field}`)}
          optional={field === "key" && draft.kind === "openai-compatible"}
          help={
            field === "key" && draft.keyReference
              ? t("model.keyStored", { name: draft.keyReference })
              : undefined
          }
          error={missing.includes(field) ? t("field.needed") : undefined}
        >
          {(props) => (
            <div className="flex items-center gap-2">
              <input
                {...props}
                ref={focused === field ? takeFocus : undefined}
                className={field === "key" || field === "model" ? "field font-mono text-sm" : "field"}
                type={field === "key" ? "password" : "text"}
                autoComplete="off"
                spellCheck={false}
                value={draft[field]}
                placeholder={
                  field === "key"
                    ? draft.keyReference
                      ? t("model.keyReplace")
                      : t("model.keyPlaceholder")
                    : t(
                        `model.placeholder.${draft.kind === "openai-compatible" && field === "model" ? "local" : field}`,
                      )
                }
                onChange={(event) => onChange({ ...draft, [field]: event.target.value })}
              />
              {field === "file" && (
                <ChooseButton kind="file" onChosen={(file) => onChange({ ...draft, file })} />
              )}
            </div>
          )}
        </Field>
      ))}
    </fieldset>
  );
}
