import { useTranslation } from "react-i18next";
import { panels } from "../../store/panels.ts";

/** The button that opens the palette, labelled with its keys, for people who do not use the keyboard. */
export function PaletteKeys() {
  const { t } = useTranslation();
  const mac = /mac/i.test(navigator.userAgent);
  const keys = t(mac ? "palette.keysMac" : "palette.keys");
  return (
    <button
      type="button"
      aria-keyshortcuts={mac ? "Meta+K" : "Control+K"}
      title={t("palette.title")}
      onClick={() => panels.openPalette(true)}
      className="rounded-sm border border-line px-1.5 py-0.5 font-sans text-xs leading-none text-mute hover:border-line-strong hover:text-ink"
    >
      <span className="sr-only">{t("palette.title")} </span>
      {keys}
    </button>
  );
}
