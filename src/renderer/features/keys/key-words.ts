import { useTranslation } from "react-i18next";
import { keysLabel } from "../../../contract/keys/chord.ts";

export const isMac = /mac/i.test(navigator.userAgent);

/** Says keys as the person's keyboard has them: `Ctrl+Shift+K`. */
export function useKeyLabel(): (keys: string) => string {
  const { t } = useTranslation();
  return (keys) => keysLabel(keys, (name) => t(`keys.name.${name}`), isMac);
}
