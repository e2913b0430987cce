import { isObject } from "../../../contract/is-object.ts";
import type { Config, FormModel } from "./values/form-model.ts";
import { isReference } from "./values/references.ts";
import { valueAt } from "./values/validator.ts";

/** Unsaved changes to the settings of one plugin for one agent. */
export interface SettingsDraft {
  config: Config;
  secrets: Record<string, string>;
  /** Text of the JSON view that is not a JSON object yet; `config` is then the last valid one. */
  text?: string | null;
  /** The revision that the changes were made on. */
  revision: number;
}

const drafts = new Map<string, SettingsDraft>();
const prefix = "patchbay.settings-draft.";

/**
 * Keeps changes as long as this window is open, also when the page that they were made on is left. Over a reload only
 * what is no secret: typed secrets are gone then, and so is a draft that may hold one elsewhere.
 */
export function keepDraft(id: string, draft: SettingsDraft, model: FormModel): void {
  drafts.set(id, draft);
  const { config, revision } = draft;
  try {
    if (holdsSecrets(config, model)) sessionStorage.removeItem(prefix + id);
    else sessionStorage.setItem(prefix + id, JSON.stringify({ config, revision }));
  } catch {
    // The browser's storage is full: the changes stay in this window all the same.
  }
}

export function keptDraft(id: string): SettingsDraft | null {
  return drafts.get(id) ?? overReload(id);
}

export function clearDraft(id: string): void {
  drafts.delete(id);
  sessionStorage.removeItem(prefix + id);
}

function overReload(id: string): SettingsDraft | null {
  try {
    const { config, revision }: Record<string, unknown> = JSON.parse(
      sessionStorage.getItem(prefix + id) ?? "{}",
    );
    if (!isObject(config) || typeof revision !== "number") return null;
    const draft = { config, revision, secrets: {} };
    drafts.set(id, draft);
    return draft;
  } catch {
    return null;
  }
}

/** Whether settings hold a secret, as far as can be known, and not only the name of a stored one. */
export function holdsSecrets(config: Config, { secrets, mayHoldMore }: FormModel): boolean {
  if (mayHoldMore) return true;
  const typed = secrets.map(({ path }) => valueAt(config, path));
  return typed.some((value) => value !== undefined && value !== "" && !isReference(value));
}
