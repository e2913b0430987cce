import { useMirror } from "../../store/mirror.ts";

/** Says a plugin's key as its name on the screens. */
export function useNames(): (key: string) => string {
  const plugins = useMirror((state) => state.plugins);
  return (key) => plugins.get(key)?.displayName ?? key;
}
