import { completedAddress } from "../../../contract/models/address.ts";
import type { ModelConfig, ModelPlace } from "../../../contract/models/config.ts";
import {
  type ProviderId,
  type ProviderOption,
  providerOf,
  providerOptions,
} from "../../../contract/models/providers.ts";
import type { OfferedProvider } from "../../../contract/offers/provider-plan.ts";

export type ModelKind = ModelConfig["kind"];
/** The kinds that can be chosen beside the providers. OpenAI by its older API is one that stays where it is stored. */
export const plainKinds = [
  "none",
  "scripted",
  "anthropic",
  "openai-compatible",
] as const satisfies ModelKind[];

/** What the form holds while it is being filled in: every field of every kind, so that switching back loses nothing. */
export interface ModelDraft extends Record<ProviderOption, string> {
  kind: ModelKind;
  /** Of the kind `provider`, which one. */
  provider: ProviderId;
  file: string;
  model: string;
  /** A new key to store, typed now; never filled from what is stored. */
  key: string;
  /** Reference to the stored key: `${NAME}`. */
  keyReference: string;
  baseUrl: string;
  /** The provider of a plugin, by its name; empty: none. */
  via: string;
  /** The secret that it wants; empty: none. */
  keyVariable: string;
  /** A secret of that name is stored, which was given to something else. */
  keyTaken: boolean;
  /** The person wants that secret to be sent to the provider's address. */
  agreed: boolean;
}

export type ModelField = "file" | "model" | "key" | "baseUrl" | ProviderOption;

export function draftOf(config: ModelConfig): ModelDraft {
  const options = config.kind === "provider" ? (config.options ?? {}) : {};
  return {
    kind: config.kind,
    provider: config.kind === "provider" ? config.provider : "openai",
    account: options.account ?? "",
    gateway: options.gateway ?? "",
    region: options.region ?? "",
    resource: options.resource ?? "",
    apiVersion: options.apiVersion ?? "",
    file: config.kind === "scripted" ? config.file : "",
    model: "model" in config ? config.model : "",
    key: "",
    keyReference: "apiKey" in config ? (config.apiKey ?? "") : "",
    baseUrl: "baseUrl" in config ? (config.baseUrl ?? "") : "",
    via: "via" in config ? (config.via ?? "") : "",
    keyVariable: "via" in config && config.via && config.apiKey ? variableOf(config.apiKey) : "",
    keyTaken: true,
    agreed: false,
  };
}

/** The draft for a plugin's provider. `taken`: a secret of the name that it wants is stored already. */
export function draftVia(draft: ModelDraft, provider: OfferedProvider, taken: boolean): ModelDraft {
  const { kind, name: via, baseUrl, keyVariable } = provider;
  const anew = { key: "", keyReference: "", model: "", agreed: false };
  return { ...draft, ...anew, kind, via, baseUrl, keyVariable: keyVariable ?? "", keyTaken: taken };
}

/** The draft for a provider. `stored`: the secret that it usually has is there. */
export function draftOfProvider(draft: ModelDraft, provider: ProviderId, stored: boolean): ModelDraft {
  const isSame = draft.kind === "provider" && draft.provider === provider;
  if (isSame) return draft;
  return {
    ...draftOfKind(draft, "provider"),
    provider,
    model: "",
    baseUrl: "",
    keyReference: stored ? `\${${providerOf(provider).keyVariable}}` : "",
  };
}

/** The draft for a model of this computer, which needs no key. */
export function draftOfLocal(
  draft: ModelDraft,
  { model, baseUrl }: { model: string; baseUrl: string },
): ModelDraft {
  return { ...draftOfKind(draft, "openai-compatible"), model, baseUrl, keyReference: "" };
}

/** The draft for one of Patchbay's own kinds. */
export function draftOfKind(draft: ModelDraft, kind: ModelKind): ModelDraft {
  const isSame = kind === draft.kind && draft.via === "";
  const baseUrl = draft.via === "" ? draft.baseUrl : "";
  return {
    ...draft,
    kind,
    baseUrl,
    via: "",
    agreed: false,
    key: "",
    keyReference: isSame ? draft.keyReference : "",
  };
}

function variableOf(reference: string): string {
  return /^\$\{(\w+)\}$/.exec(reference)?.[1] ?? "";
}

/** The fields of a draft, in the order in which they are filled in: what opens a list stands before the model. */
export function fieldsOf({ kind, via, keyVariable, provider }: ModelDraft): ModelField[] {
  if (via !== "") return keyVariable === "" ? ["model"] : ["key", "model"];
  switch (kind) {
    case "none":
      return [];
    case "scripted":
      return ["file"];
    case "anthropic":
    case "openai":
      return ["key", "model"];
    case "openai-compatible":
      return ["baseUrl", "key", "model"];
    case "provider":
      return [...(providerOf(provider).needs ?? []).map(bare), "key", "model"];
  }
}

function bare(need: string): ProviderOption {
  return need.replace(/\?$/, "") as ProviderOption;
}

/** Whether a field may stay empty. */
export function isOptional(draft: ModelDraft, field: ModelField): boolean {
  if (field === "key") return draft.kind === "openai-compatible" && draft.via === "";
  if (draft.kind !== "provider") return false;
  if (field === "resource" && draft.baseUrl.trim() !== "") return true;
  return (providerOf(draft.provider).needs ?? []).some((need) => need === `${field}?`);
}

/** Name of the secret that a provider's key is stored under. */
export function secretNameOf({ kind, via, keyVariable, keyTaken, provider }: ModelDraft): string {
  // What was given to something else is not overwritten: this key is for this address alone.
  if (via !== "") return keyTaken ? `${via.toUpperCase().replace(/\W/g, "_")}_${keyVariable}` : keyVariable;
  if (kind === "anthropic") return "ANTHROPIC_API_KEY";
  if (kind === "openai") return "OPENAI_API_KEY";
  if (kind === "provider") return providerOf(provider).keyVariable;
  return "MODEL_API_KEY";
}

/** The fields that still need a value, for their error lines. */
export function missingFields(draft: ModelDraft): ModelField[] {
  return fieldsOf(draft).filter((field) => {
    if (isOptional(draft, field)) return false;
    if (field !== "key") return draft[field].trim() === "";
    if (draft.via !== "" && draft.agreed) return false;
    return draft.key === "" && draft.keyReference === "";
  });
}

/**
 * The draft as a configuration. `keyReference` is what the configuration holds; the key itself is stored in the vault.
 */
export function configOf(draft: ModelDraft): ModelConfig {
  const { via } = draft;
  const typed = draft.model.trim();
  const model = via !== "" && typed.startsWith(`${via}/`) ? typed.slice(via.length + 1) : typed;
  const apiKey = draft.key
    ? `\${${secretNameOf(draft)}}`
    : draft.agreed
      ? `\${${draft.keyVariable}}`
      : draft.keyReference;
  const baseUrl = completedAddress(draft.baseUrl);
  switch (draft.kind) {
    case "none":
      return { kind: "none" };
    case "scripted":
      return { kind: "scripted", file: draft.file.trim() };
    case "anthropic":
    case "openai":
      return {
        kind: draft.kind,
        model,
        // A provider that wants no key is sent this word.
        apiKey: apiKey || (via !== "" ? "none" : ""),
        ...(via !== "" && { via }),
        ...(baseUrl && { baseUrl }),
      };
    case "openai-compatible":
      return {
        kind: "openai-compatible",
        model,
        baseUrl,
        ...(apiKey && { apiKey }),
        ...(via !== "" && { via }),
      };
    case "provider": {
      const needs: readonly ProviderOption[] = (providerOf(draft.provider).needs ?? []).map(bare);
      const options = Object.fromEntries(
        providerOptions.flatMap((name) => {
          const value = draft[name].trim();
          return needs.includes(name) && value !== "" ? [[name, value]] : [];
        }),
      );
      return {
        kind: "provider",
        provider: draft.provider,
        model,
        ...(apiKey && { apiKey }),
        ...(baseUrl && { baseUrl }),
        ...(Object.keys(options).length > 0 && { options }),
      };
    }
  }
}

/** Where the models of a draft are to be asked for; null: nowhere, or what is needed for it is not filled in yet. */
export function placeOf(draft: ModelDraft): ModelPlace | null {
  if (draft.kind === "none" || draft.kind === "scripted") return null;
  const lacks = missingFields(draft).filter((field) => field !== "model");
  if (lacks.length > 0) return null;
  const config = configOf({ ...draft, model: "-" });
  if (config.kind === "none" || config.kind === "scripted") return null;
  const { model: _model, ...place } = config;
  return place;
}
