import { useTranslation } from "react-i18next";
import { cx } from "../../../ui/class-names.ts";
import { type Countdown, clockText } from "./use-countdown.ts";

const radius = 30;

/** The time that is left, as a ring that empties and as a figure. It is read out on request, not each second. */
export function CountdownRing({ countdown }: { countdown: Countdown }) {
  const { t } = useTranslation();
  const { seconds, part } = countdown;
  const soon = seconds <= 5;
  return (
    <div
      role="timer"
      aria-live="off"
      aria-label={t("setup.secondsLeft", { count: seconds })}
      className="relative grid size-[68px] shrink-0 place-items-center"
    >
      <svg viewBox="0 0 68 68" className="absolute inset-0 -rotate-90" aria-hidden="true">
        <circle cx="34" cy="34" r={radius} fill="none" stroke="var(--line)" strokeWidth="5" />
        <circle
          cx="34"
          cy="34"
          r={radius}
          fill="none"
          stroke={soon ? "var(--bad)" : "var(--accent)"}
          strokeWidth="5"
          strokeLinecap="round"
          pathLength="1"
          strokeDasharray="1"
          strokeDashoffset={1 - part}
          className={cx(
            "transition-[stroke-dashoffset] duration-[250ms] ease-linear",
            part === 0 && "opacity-0",
          )}
        />
      </svg>
      <span className="relative text-lg font-semibold tabular-nums" aria-hidden="true">
        {clockText(seconds)}
      </span>
    </div>
  );
}
