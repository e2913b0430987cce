import type { Settings } from "../../../../contract/settings.ts";
import { useMirror } from "../../../store/mirror.ts";
import { saveSettings } from "../../../store/save-settings.ts";

/** Gives something a key, or with null none. Whatever else the person gave that key loses it. */
export function chooseKey(id: string, keys: string | null): Promise<Settings> {
  const others = Object.entries(current()).map(([other, its]) => [
    other,
    keys !== null && its === keys ? null : its,
  ]);
  return saveSettings({ keys: { ...Object.fromEntries(others), [id]: keys } });
}

/** Forgets what the person chose for it. */
export function putKeyBack(id: string): Promise<Settings> {
  const { [id]: _, ...others } = current();
  return saveSettings({ keys: others });
}

export function putAllKeysBack(): Promise<Settings> {
  return saveSettings({ keys: {} });
}

function current(): Settings["keys"] {
  return useMirror.getState().settings?.keys ?? {};
}
