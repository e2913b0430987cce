import type { ModelConfig } from "../../../contract/agent.ts";

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
  };
}

export function fieldsOf(kind: ModelKind): ModelField[] {
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
export function secretNameOf(kind: ModelKind): string {
  if (kind === "anthropic") return "ANTHROPIC_API_KEY";
  if (kind === "openai") return "OPENAI_API_KEY";
  return "MODEL_API_KEY";
}

/** The fields that still need a value, for their error lines. */
export function missingFields(draft: ModelDraft): ModelField[] {
  return fieldsOf(draft.kind).filter((field) => {
    if (field !== "key") return draft[field].trim() === "";
    return draft.kind !== "openai-compatible" && draft.key === "" && draft.keyReference === "";
  });
}

/**
 * The draft as a configuration. `keyReference` is what the configuration holds; the key itself is stored in the vault.
 */
export function configOf(draft: ModelDraft): ModelConfig {
  const model = draft.model.trim();
  const apiKey = draft.key ? `\${${secretNameOf(draft.kind)}}` : draft.keyReference;
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
        apiKey,
        ...(draft.baseUrl.trim() && { baseUrl: draft.baseUrl.trim() }),
      };
    case "openai-compatible":
      return { kind: "openai-compatible", model, baseUrl: draft.baseUrl.trim(), ...(apiKey && { apiKey }) };
  }
}
