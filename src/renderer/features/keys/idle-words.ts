import { useTranslation } from "react-i18next";
import type { IdleKey } from "../../../contract/keys/key-plan.ts";
import { useMirror } from "../../store/mirror.ts";
import { useKeyLabel } from "./key-words.ts";

/** Says why a key of a plugin is not in use. */
export function useIdleSentence(): (idle: IdleKey) => string {
  const { t } = useTranslation();
  const label = useKeyLabel();
  const plugins = useMirror((state) => state.plugins);
  return ({ plugin, keys, why, keeper, command = "" }) => {
    const words = {
      keys: why === "unreadable" || why === "sequence" ? keys : label(keys),
      keeper: keeper === undefined ? "" : (plugins.get(keeper)?.displayName ?? keeper),
      command,
    };
    return t(`keys.idle.${why === "plugin" && keeper === plugin ? "again" : why}`, words);
  };
}
