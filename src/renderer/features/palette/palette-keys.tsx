import { useTranslation } from "react-i18next";
import { useAgentId } from "../../base/routes.ts";
import { panels } from "../../store/panels.ts";
import { isMac, useKeyLabel, useKeyPlan } from "../keys/public.ts";

/** The button that opens the palette, labelled with its keys, for people who do not use the keyboard. */
export function PaletteKeys() {
  const { t } = useTranslation();
  const label = useKeyLabel();
  const { bound } = useKeyPlan(useAgentId());
  const keys = bound.find(({ target }) => target.kind === "command" && target.command === "palette")?.keys;
  const isUsual = keys === (isMac ? "cmd-k" : "ctrl-k");
  const usual = t(isMac ? "palette.keysMac" : "palette.keys");
  return (
    <button
      type="button"
      aria-keyshortcuts={isUsual ? (isMac ? "Meta+K" : "Control+K") : undefined}
      title={t("palette.title")}
      onClick={() => panels.openPalette(true)}
      className="rounded-sm border border-line px-1.5 py-0.5 font-sans text-xs leading-none text-mute hover:border-line-strong hover:text-ink"
    >
      <span className="sr-only">{t("palette.title")} </span>
      {isUsual ? usual : keys === undefined ? "…" : label(keys)}
    </button>
  );
}
