import { useTranslation } from "react-i18next";
import { Field } from "../../ui/controls/field.tsx";
import { takeFocus } from "../../ui/controls/take-focus.ts";
import { ChooseButton } from "../places/public.ts";
import {
  draftOfKind,
  draftVia,
  fieldsOf,
  type ModelDraft,
  type ModelField,
  modelKinds,
  secretNameOf,
} from "./model-draft.ts";
import { ProviderNote } from "./provider-note.tsx";
import { useProviders, useSecretNames } from "./use-providers.ts";

interface ModelFieldsProps {
  /** The agent whose plugins may offer providers; absent: it is not there yet. */
  agentId?: string | undefined;
  draft: ModelDraft;
  missing: ModelField[];
  /** The field that a person came here for. */
  focus?: "key" | "model" | null;
  onChange(draft: ModelDraft): void;
}

export function ModelFields({ agentId, draft, missing, focus, onChange }: ModelFieldsProps) {
  const { t } = useTranslation();
  // Without a model there is none to name, and its kind is chosen first.
  const fields = fieldsOf(draft);
  const { offered } = useProviders(agentId);
  const secrets = useSecretNames(offered.length > 0);
  const provider = offered.find(({ name }) => name === draft.via);
  const vias = [...new Set([...offered.map(({ name }) => name), ...(draft.via ? [draft.via] : [])])];
  const focused = focus && (fields.includes(focus) ? focus : "kind");
  return (
    <fieldset className="rounded-lg border border-line bg-sunk px-4 py-3.5">
      <legend className="sr-only">{t("model.title")}</legend>
      <Field
        label={t("model.title")}
        help={draft.via ? t("model.via.help", { name: draft.via }) : t(`model.help.${draft.kind}`)}
      >
        {(props) => (
          <select
            {...props}
            ref={focused === "kind" ? takeFocus : undefined}
            className="field"
            value={draft.via ? `via:${draft.via}` : draft.kind}
            onChange={(event) => {
              const chosen = offered.find(({ name }) => `via:${name}` === event.target.value);
              if (chosen) {
                const wants = chosen.keyVariable;
                onChange(draftVia(draft, chosen, wants !== null && (secrets === null || secrets.has(wants))));
                return;
              }
              const kind = modelKinds.find((known) => known === event.target.value) ?? "none";
              onChange(draftOfKind(draft, kind));
            }}
          >
            {modelKinds.map((kind) => (
              <option key={kind} value={kind}>
                {t(`model.kind.${kind}`)}
              </option>
            ))}
            {vias.map((name) => (
              <option key={`via ${name}`} value={`via:${name}`}>
                {name}/…
              </option>
            ))}
          </select>
        )}
      </Field>
      {draft.via !== "" && <ProviderNote draft={draft} provider={provider} onChange={onChange} />}
      {fields.map((field) => (
        <Field
          key={`${draft.kind}-${draft.via}-${field}`}
          className="mt-3.5"
          label={t(`model.${field}`)}
          optional={field === "key" && draft.kind === "openai-compatible" && draft.via === ""}
          help={
            field === "key" && draft.keyReference
              ? t("model.keyStored", { name: draft.keyReference })
              : field === "key" && draft.via
                ? t("model.via.key", { name: draft.keyVariable, stored: secretNameOf(draft) })
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
