import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { cleanLine } from "../../../../contract/shown/clean-text.ts";
import type { OutsideCall } from "../../../../contract/trace/outside-calls.ts";
import { formatClock, formatMs } from "../../../base/i18n/time.ts";
import { cx } from "../../../ui/class-names.ts";
import { PluginName } from "../by-hand/plugin-name.tsx";
import { callerWords } from "../timeline/rows/caller-words.ts";

interface CallRowProps {
  call: OutsideCall;
  isChosen: boolean;
  onChoose(): void;
}

/** One call: when, of what, through whom, and what came of it. */
export function CallRow({ call, isChosen, onChoose }: CallRowProps) {
  const { t } = useTranslation();
  const { at, title, owner, straight, outcome } = call;
  const isFine = outcome === null || outcome === "executed";
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className={cx(
        "flex min-h-10 w-full min-w-0 flex-wrap items-center gap-x-3 gap-y-0.5 px-3 py-1.5 text-left transition-colors focus-visible:-outline-offset-2",
        isChosen ? "bg-sunk shadow-[inset_2px_0_0_var(--accent)]" : "hover:bg-sunk",
      )}
    >
      <time dateTime={at} className="figure shrink-0 text-mute">
        {formatClock(at)}
      </time>
      <code className="figure shrink-0 font-semibold wrap-anywhere">{cleanLine(title)}</code>
      <PluginName owner={owner} />
      <span className="min-w-24 flex-1 truncate text-xs text-mute">
        {[callerWords(call.caller, t), ...(straight ? [t("callTool.mode.straight")] : [])].join(" · ")}
      </span>
      <span className={cx("shrink-0 text-xs", isFine ? "text-mute" : "font-medium text-bad")}>
        {outcomeWords(call, t)}
      </span>
    </button>
  );
}

function outcomeWords({ outcome, ms }: OutsideCall, t: TFunction): string {
  if (outcome === null) return t("outside.running");
  const words = outcome === "executed" ? t("callTool.ran.done") : t(`tool.outcome.${outcome}`);
  return ms === null ? words : `${words} · ${formatMs(ms)}`;
}
