import { useShallow } from "zustand/react/shallow";
import { useMirror } from "../../store/mirror.ts";

/** Plugin keys as the names that people know them by. */
export function useOwnerNames(keys: string[]): string[] {
  return useMirror(useShallow((state) => keys.map((key) => state.plugins.get(key)?.displayName ?? key)));
}
