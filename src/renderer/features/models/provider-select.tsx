import type { Ref } from "react";
import { useTranslation } from "react-i18next";
import { type ProviderId, providerIds, providerOf } from "../../../contract/models/providers.ts";
import { Face } from "../../ui/face.tsx";
import {
  draftOfKind,
  draftOfLocal,
  draftOfProvider,
  draftVia,
  type ModelDraft,
  plainKinds,
} from "./model-draft.ts";
import type { LocalModel } from "./use-local-models.ts";
import type { useProviders } from "./use-providers.ts";

interface ProviderSelectProps {
  id: string;
  "aria-describedby": string | undefined;
  ref?: Ref<HTMLSelectElement> | undefined;
  draft: ModelDraft;
  local: readonly LocalModel[];
  offered: ReturnType<typeof useProviders>["offered"];
  /** Names of the stored secrets; null while they are not known. */
  secrets: ReadonlySet<string> | null;
  onChange(draft: ModelDraft): void;
}

/** Whose model it is, by its mark: what runs on this computer first, then the providers, then all else. */
export function ProviderSelect({ draft, local, offered, secrets, onChange, ...field }: ProviderSelectProps) {
  const { t } = useTranslation();
  const vias = [...new Set([...offered.map(({ name }) => name), ...(draft.via ? [draft.via] : [])])];
  const isLocal = local.find((one) => one.baseUrl === draft.baseUrl && one.model === draft.model);
  const isThere = draft.kind === "openai-compatible" && draft.via === "" && isLocal;
  const mark = markOf(draft);

  const choose = (value: string) => {
    const via = offered.find(({ name }) => `via:${name}` === value);
    const near = local.find((one) => localValue(one) === value);
    const provider = providerIds.find((id) => `provider:${id}` === value);
    if (via) {
      const wants = via.keyVariable;
      return onChange(draftVia(draft, via, wants !== null && (secrets === null || secrets.has(wants))));
    }
    if (near) return onChange(draftOfLocal(draft, near));
    if (provider)
      return onChange(
        draftOfProvider(draft, provider, secrets?.has(providerOf(provider).keyVariable) ?? false),
      );
    onChange(draftOfKind(draft, [...plainKinds, "openai" as const].find((kind) => kind === value) ?? "none"));
  };

  return (
    <div className="flex items-center gap-2.5">
      {mark && <Face letters size="sm" seed={`provider:${mark.seed}`} name={mark.letters} />}
      <select
        {...field}
        className="field"
        value={chosenValue(draft, isThere ? isLocal : undefined)}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="none">{t("model.kind.none")}</option>
        {local.length > 0 && (
          <optgroup label={t("model.group.local")}>
            {local.map((one) => (
              <option key={localValue(one)} value={localValue(one)}>
                {t("model.local", { model: one.model, server: one.server })}
              </option>
            ))}
          </optgroup>
        )}
        <optgroup label={t("model.group.providers")}>
          <option value="anthropic">{t("model.kind.anthropic")}</option>
          {draft.kind === "openai" && <option value="openai">{t("model.kind.openai")}</option>}
          {providerIds.map((id) => (
            <option key={id} value={`provider:${id}`}>
              {providerOf(id).name}
            </option>
          ))}
        </optgroup>
        {vias.length > 0 && (
          <optgroup label={t("model.group.plugins")}>
            {vias.map((name) => (
              <option key={name} value={`via:${name}`}>
                {name}/…
              </option>
            ))}
          </optgroup>
        )}
        <optgroup label={t("model.group.own")}>
          <option value="openai-compatible">{t("model.kind.openai-compatible")}</option>
          <option value="scripted">{t("model.kind.scripted")}</option>
        </optgroup>
      </select>
    </div>
  );
}

function localValue({ baseUrl, model }: LocalModel): string {
  return `local:${baseUrl} ${model}`;
}

function chosenValue(draft: ModelDraft, local: LocalModel | undefined): string {
  if (draft.via) return `via:${draft.via}`;
  if (local) return localValue(local);
  return draft.kind === "provider" ? `provider:${draft.provider}` : draft.kind;
}

function markOf({ kind, provider, via }: ModelDraft): { seed: string; letters: string } | null {
  if (via !== "") return { seed: via, letters: via.slice(0, 2) };
  switch (kind) {
    case "none":
    case "scripted":
    case "openai-compatible":
      return null;
    case "anthropic":
      return { seed: "anthropic", letters: "A" };
    case "openai":
      return { seed: "openai", letters: "AI" };
    case "provider":
      return { seed: provider, letters: providerOf(provider).mark };
  }
}

/** How the provider of a draft is called. */
export function providerName(draft: {
  kind: ModelDraft["kind"];
  provider?: ProviderId;
  baseUrl?: string | undefined;
}): string {
  switch (draft.kind) {
    case "provider":
      return draft.provider ? providerOf(draft.provider).name : "";
    case "anthropic":
      return "Anthropic";
    case "openai":
      return "OpenAI";
    case "openai-compatible":
      return URL.parse(draft.baseUrl ?? "")?.host ?? draft.baseUrl ?? "";
    case "none":
    case "scripted":
      return "";
  }
}
