import { useTranslation } from "react-i18next";
import type { KeyTarget } from "../../../contract/keys/key-plan.ts";
import { useMirror } from "../../store/mirror.ts";
import { useKeyLabel } from "./key-words.ts";

/** What a key does, in a few words. */
export function useTargetWords(): (target: KeyTarget) => string {
  const { t } = useTranslation();
  const label = useKeyLabel();
  const plugins = useMirror((state) => state.plugins);
  return (target) => {
    switch (target.kind) {
      case "command":
        return t(`keys.do.${target.command}`);
      case "shortcut": {
        const plugin = plugins.get(target.plugin)?.displayName ?? target.plugin;
        return target.description || t("keys.do.shortcut", { keys: label(target.registered), plugin });
      }
      case "nothing":
        return t("keys.none");
    }
  };
}
