import { useTranslation } from "react-i18next";
import { panels } from "../shell/panels.ts";

/** The keys that open the palette, for whom the keyboard is far away a button. */
export function PaletteKeys() {
  const { t } = useTranslation();
  const mac = /mac/i.test(navigator.userAgent);
  return (
    <button
      type="button"
      aria-label={t("palette.title")}
      aria-keyshortcuts={mac ? "Meta+K" : "Control+K"}
      title={t("palette.title")}
      onClick={() => panels.openPalette(true)}
      className="rounded-sm border border-line px-1.5 py-0.5 font-sans text-xs leading-none text-mute hover:border-line-strong hover:text-ink"
    >
      {t(mac ? "palette.keysMac" : "palette.keys")}
    </button>
  );
}
