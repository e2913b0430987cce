import type { Config } from "./values/form-model.ts";

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

/** Keeps changes as long as this window is open, also when the page that they were made on is left. */
export function keepDraft(id: string, draft: SettingsDraft): void {
  drafts.set(id, draft);
}

export function keptDraft(id: string): SettingsDraft | null {
  return drafts.get(id) ?? null;
}

export function clearDraft(id: string): void {
  drafts.delete(id);
}
