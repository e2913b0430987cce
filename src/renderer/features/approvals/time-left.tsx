import { useTranslation } from "react-i18next";
import { useNow } from "../../base/i18n/time.ts";

const radius = 7;
const around = 2 * Math.PI * radius;

/** A ring that empties until a question answers itself. */
export function TimeLeft({ from, until }: { from: string; until: string }) {
  const { t } = useTranslation();
  const now = useNow(1_000);
  const whole = Math.max(1, Date.parse(until) - Date.parse(from));
  const left = Math.max(0, Date.parse(until) - now);
  const seconds = Math.ceil(left / 1_000);
  return (
    <span
      role="timer"
      aria-label={t("time.left", { seconds })}
      className="figure inline-flex shrink-0 items-center gap-1.5 text-mute"
    >
      <svg viewBox="0 0 18 18" className="size-4 -rotate-90" aria-hidden="true">
        <circle cx="9" cy="9" r={radius} fill="none" stroke="var(--line)" strokeWidth="2.5" />
        <circle
          cx="9"
          cy="9"
          r={radius}
          fill="none"
          stroke="var(--accent)"
          strokeWidth="2.5"
          strokeDasharray={around}
          strokeDashoffset={around * (1 - left / whole)}
        />
      </svg>
      {seconds} s
    </span>
  );
}
