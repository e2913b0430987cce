import { useTranslation } from "react-i18next";
import { formatBytes } from "../../base/i18n/time.ts";
import type { Fold } from "./argument-list.tsx";

/** Beside the buttons: how much of what would run is not in sight, and the way to see it. */
export function FoldedNote({ fold }: { fold: Fold }) {
  const { t } = useTranslation();
  if (fold.hidden === 0) return null;
  return (
    <p className="font-medium text-warn">
      {t("tools.foldedAbove", { size: formatBytes(fold.hidden) })}{" "}
      <button
        type="button"
        onClick={() => fold.openAll()}
        className="rounded-sm text-ink underline decoration-line-strong underline-offset-3 hover:decoration-accent"
      >
        {t("tools.showFolded")}
      </button>
    </p>
  );
}
