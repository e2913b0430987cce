import type { ModelConfig } from "../../../contract/agent.ts";
import type { OfferedProvider } from "../../../contract/offers/provider-plan.ts";

export type ModelKind = ModelConfig["kind"];
export const modelKinds: ModelKind[] = ["none", "scripted", "anthropic", "openai", "openai-compatible"];

/** What the form holds while it is being filled in: every field of every kind, so that switching back loses nothing. */
export interface ModelDraft {
  kind: ModelKind;
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

export type ModelField = "file" | "model" | "key" | "baseUrl";

export function draftOf(config: ModelConfig): ModelDraft {
  return {
    kind: config.kind,
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

export function fieldsOf({ kind, via, keyVariable }: ModelDraft): ModelField[] {
  if (via !== "") return keyVariable === "" ? ["model"] : ["model", "key"];
  switch (kind) {
    case "none":
      return [];
    case "scripted":
      return ["file"];
    case "anthropic":
    case "openai":
      return ["model", "key"];
    case "openai-compatible":
      return ["baseUrl", "model", "key"];
  }
}

/** Name of the secret that a provider's key is stored under. */
export function secretNameOf({ kind, via, keyVariable, keyTaken }: ModelDraft): string {
  // What was given to something else is not overwritten: this key is for this address alone.
  if (via !== "") return keyTaken ? `${via.toUpperCase().replace(/\W/g, "_")}_${keyVariable}` : keyVariable;
  if (kind === "anthropic") return "ANTHROPIC_API_KEY";
  if (kind === "openai") return "OPENAI_API_KEY";
  return "MODEL_API_KEY";
}

/** The fields that still need a value, for their error lines. */
export function missingFields(draft: ModelDraft): ModelField[] {
  return fieldsOf(draft).filter((field) => {
    if (field !== "key") return draft[field].trim() === "";
    if (draft.via !== "" && draft.agreed) return false;
    return (
      (draft.kind !== "openai-compatible" || draft.via !== "") &&
      draft.key === "" &&
      draft.keyReference === ""
    );
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
        ...(draft.baseUrl.trim() && { baseUrl: draft.baseUrl.trim() }),
      };
    case "openai-compatible":
      return {
        kind: "openai-compatible",
        model,
        baseUrl: draft.baseUrl.trim(),
        ...(apiKey && { apiKey }),
        ...(via !== "" && { via }),
      };
  }
}
