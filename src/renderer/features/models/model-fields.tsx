import type { TFunction } from "i18next";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { completedAddress } from "../../../contract/models/address.ts";
import { type ModelProvider, providerOf } from "../../../contract/models/providers.ts";
import { Field } from "../../ui/controls/field.tsx";
import { takeFocus } from "../../ui/controls/take-focus.ts";
import { ChooseButton } from "../places/public.ts";
import { HeardLine } from "./heard-line.tsx";
import { ModelCombobox } from "./model-combobox.tsx";
import { fieldsOf, isOptional, type ModelDraft, type ModelField, secretNameOf } from "./model-draft.ts";
import { ProviderNote } from "./provider-note.tsx";
import { ProviderSelect, providerName } from "./provider-select.tsx";
import { useLocalModels } from "./use-local-models.ts";
import type { ModelCheck } from "./use-model-list.ts";
import { useProviders, useSecretNames } from "./use-providers.ts";

/** So many letters at once were pasted, or filled in by a program that keeps keys. */
const pasted = 8;

interface ModelFieldsProps {
  /** The agent whose plugins may offer providers; absent: it is not there yet. */
  agentId?: string | undefined;
  draft: ModelDraft;
  missing: ModelField[];
  check: ModelCheck;
  /** The field that a person came here for. */
  focus?: "key" | "model" | null;
  onChange(draft: ModelDraft): void;
}

export function ModelFields({ agentId, draft, missing, check, focus, onChange }: ModelFieldsProps) {
  const { t } = useTranslation();
  // Without a model there is none to name, and its kind is chosen first.
  const fields = fieldsOf(draft);
  const { offered } = useProviders(agentId);
  const local = useLocalModels();
  const secrets = useSecretNames(true);
  const provider = offered.find(({ name }) => name === draft.via);
  const focused = focus && (fields.includes(focus) ? focus : "kind");
  const facts: ModelProvider | null = draft.kind === "provider" ? providerOf(draft.provider) : null;
  const name = draft.via || providerName(draft);
  const shownAddress = useRef(draft.baseUrl !== "");

  const change = (field: ModelField, value: string) => {
    const next = { ...draft, [field]: value };
    onChange(next);
    if (field === "key" && value.length - draft.key.length >= pasted) check.ask(next);
  };
  const leave = (field: ModelField) => {
    if (field === "model" || field === "file") return;
    const baseUrl = completedAddress(draft.baseUrl);
    const next = field === "baseUrl" && baseUrl !== draft.baseUrl ? { ...draft, baseUrl } : draft;
    if (next !== draft) onChange(next);
    if (next[field].trim() !== "") check.ask(next);
  };

  return (
    <fieldset className="rounded-lg border border-line bg-sunk px-4 py-3.5">
      <legend className="sr-only">{t("model.title")}</legend>
      <Field label={t("model.title")} help={helpOf(draft, facts, t)}>
        {(props) => (
          <ProviderSelect
            {...props}
            ref={focused === "kind" ? takeFocus : undefined}
            draft={draft}
            local={local}
            offered={offered}
            secrets={secrets}
            onChange={(next) => {
              onChange(next);
              check.ask(next);
            }}
          />
        )}
      </Field>
      {draft.via !== "" && <ProviderNote draft={draft} provider={provider} onChange={onChange} />}
      {fields.map((field) => (
        <Field
          key={`${draft.kind}-${draft.provider}-${draft.via}-${field}`}
          className="mt-3.5"
          label={t(`model.${field}`)}
          optional={isOptional(draft, field)}
          help={
            field === "key" && draft.keyReference
              ? t("model.keyStored", { name: draft.keyReference })
              : field === "key" && draft.via
                ? t("model.via.key", { name: draft.keyVariable, stored: secretNameOf(draft) })
                : field === "key" && facts?.keysAt
                  ? t("model.keysAt", { address: facts.keysAt.replace("https://", "") })
                  : undefined
          }
          error={missing.includes(field) ? t("field.needed") : undefined}
        >
          {(props) =>
            field === "model" ? (
              <ModelCombobox
                {...props}
                ref={focused === field ? takeFocus : undefined}
                value={draft.model}
                models={check.heard?.ok ? check.heard.models : []}
                listLabel={t("model.list", { name })}
                placeholder={t(`model.placeholder.${draft.kind === "openai-compatible" ? "local" : "model"}`)}
                onChange={(value) => change("model", value)}
                onFocus={() => check.ask(draft)}
              />
            ) : (
              <div className="flex items-center gap-2">
                <input
                  {...props}
                  ref={focused === field ? takeFocus : undefined}
                  className={field === "key" ? "field font-mono text-sm" : "field"}
                  type={field === "key" ? "password" : "text"}
                  autoComplete="off"
                  spellCheck={false}
                  value={draft[field]}
                  placeholder={t(
                    field === "key" && draft.keyReference ? "model.keyReplace" : `model.placeholder.${field}`,
                  )}
                  onChange={(event) => change(field, event.target.value)}
                  onBlur={() => leave(field)}
                />
                {field === "file" && (
                  <ChooseButton kind="file" onChosen={(file) => onChange({ ...draft, file })} />
                )}
              </div>
            )
          }
        </Field>
      ))}
      {fields.includes("model") && <HeardLine check={check} draft={draft} name={name} />}
      {draft.kind === "provider" && (
        <details className="mt-3.5 text-sm" open={shownAddress.current}>
          <summary className="cursor-default text-xs font-medium text-mute">{t("model.ownAddress")}</summary>
          <Field
            className="mt-2"
            label={t("model.baseUrl")}
            optional
            help={t("model.ownAddressHelp", { name })}
          >
            {(props) => (
              <input
                {...props}
                className="field"
                autoComplete="off"
                spellCheck={false}
                value={draft.baseUrl}
                onChange={(event) => change("baseUrl", event.target.value)}
                onBlur={() => leave("baseUrl")}
              />
            )}
          </Field>
        </details>
      )}
    </fieldset>
  );
}

function helpOf(draft: ModelDraft, facts: ModelProvider | null, t: TFunction): string {
  if (draft.via) return t("model.via.help", { name: draft.via });
  if (draft.kind === "provider") return t("model.help.provider", { name: facts?.name ?? "" });
  return t(`model.help.${draft.kind}`);
}
