import { X } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { problemLine } from "../../base/i18n/problem-words.ts";
import { useMirror } from "../../store/mirror.ts";
import { cx } from "../../ui/class-names.ts";
import { IconButton } from "../../ui/controls/button.tsx";
import { useKeyLabel } from "./key-words.ts";
import { forgetShortcutEnd, useShortcutEnd } from "./press-shortcut.ts";

/** How long a plugin's words stay, in milliseconds; what failed stays until it is put away. */
const STAYS_MS = 8_000;

/** What a plugin answered to its key, where no conversation shows it; that it is busy; or why it failed. */
export function ShortcutNote() {
  const { t } = useTranslation();
  const label = useKeyLabel();
  const end = useShortcutEnd((state) => state.end);
  const name = useMirror((state) => (end ? (state.plugins.get(end.plugin)?.displayName ?? end.plugin) : ""));
  const goes = end !== null && end.what.kind !== "failed";
  useEffect(() => {
    if (!goes || end === null) return;
    const timer = setTimeout(forgetShortcutEnd, STAYS_MS);
    return () => clearTimeout(timer);
  }, [goes, end]);
  if (end === null) return null;
  const failed = end.what.kind === "failed";
  return (
    <div
      className={cx(
        "pointer-events-auto flex max-w-[520px] items-start gap-2 rounded-md border bg-raised py-1.5 pr-1 pl-3 text-sm shadow-high animate-appear",
        failed ? "border-bad/50" : "border-line",
      )}
    >
      <p className="max-h-60 min-w-0 flex-1 overflow-y-auto py-1 wrap-anywhere whitespace-pre-wrap">
        <span className="mr-1.5 text-xs text-mute">[{name}]</span>
        {end.what.kind === "said" && end.what.text}
        {end.what.kind === "busy" && t("keys.busy", { keys: label(end.keys) })}
        {end.what.kind === "failed" && <span className="text-bad">{problemLine(end.what.problem)}</span>}
      </p>
      <IconButton label={t("common.dismiss")} onClick={forgetShortcutEnd}>
        <X className="size-4" aria-hidden="true" />
      </IconButton>
    </div>
  );
}
