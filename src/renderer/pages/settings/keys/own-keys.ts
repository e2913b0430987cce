import type { Settings } from "../../../../contract/settings.ts";
import { useMirror } from "../../../store/mirror.ts";
import { saveSettings } from "../../../store/save-settings.ts";

/** Gives something a key, or with null none. Whatever else the person gave that key loses it. */
export function chooseKey(id: string, keys: string | null): Promise<Settings> {
  return change((own) => {
    const others = Object.entries(own).map(([other, its]) => [
      other,
      keys !== null && its === keys ? null : its,
    ]);
    return { ...Object.fromEntries(others), [id]: keys };
  });
}

/** Forgets what the person chose for it. */
export function putKeyBack(id: string): Promise<Settings> {
  return change(({ [id]: _, ...others }) => others);
}

export function putAllKeysBack(): Promise<Settings> {
  return change(() => ({}));
}

/** What is being saved; the next change begins with what it left. */
let saving: Promise<unknown> = Promise.resolve();

function change(next: (own: Settings["keys"]) => Settings["keys"]): Promise<Settings> {
  const saved = saving.then(() => saveSettings({ keys: next(useMirror.getState().settings?.keys ?? {}) }));
  saving = saved.catch(() => {});
  return saved;
}
