import { useTranslation } from "react-i18next";
import type { CallDay } from "../../../contract/agent-plugin.ts";
import { lastSevenDays } from "../../model/call-days.ts";

const barWidth = 8;
const gap = 3;
const height = 18;

/** The calls of the last seven days as bars, those that failed in red at the foot, and how many there were today. */
export function CallBars({ days, now }: { days: readonly CallDay[]; now: number }) {
  const { t, i18n } = useTranslation();
  const shown = lastSevenDays(days, now);
  const most = Math.max(1, ...shown.map(({ count }) => count));
  const weekday = new Intl.DateTimeFormat(i18n.language, { weekday: "long" });
  const words = shown.map(({ day, count, failed }) =>
    t("activity.dayCalls", { day: weekday.format(new Date(`${day}T12:00:00`)), count, failed }),
  );
  const width = shown.length * (barWidth + gap) - gap;
  const heightOf = (count: number) => (count === 0 ? 1 : Math.max(2, (count / most) * height));
  return (
    <span className="flex items-center gap-3">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={words.join("; ")}
      >
        {shown.map(({ day, count, failed }, index) => {
          const x = index * (barWidth + gap);
          return (
            <g key={day}>
              <title>{words[index]}</title>
              <rect x={x} width={barWidth} height={height} fill="transparent" />
              <rect
                x={x}
                y={height - heightOf(count)}
                width={barWidth}
                height={heightOf(count)}
                rx={1}
                fill={count === 0 ? "var(--line-strong)" : "var(--mute)"}
              />
              {failed > 0 && (
                <rect
                  x={x}
                  y={height - heightOf(failed)}
                  width={barWidth}
                  height={heightOf(failed)}
                  rx={1}
                  fill="var(--bad)"
                />
              )}
            </g>
          );
        })}
      </svg>
      <span>{t("activity.weekToday", { count: shown.at(-1)?.count ?? 0 })}</span>
    </span>
  );
}
