import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

const mostKept = 60;
const mostTrends = 500;
const width = 72;
const height = 18;

/** Kept as long as this window is open, also when the page is left. */
const trends = new Map<string, readonly number[]>();

/** Draws how a number changed while its page was shown. @param id names the number; the kept values belong to it */
export function Trend({ id, value, format }: { id: string; value: number; format?(value: number): string }) {
  const { t, i18n } = useTranslation();
  const [points, setPoints] = useState<readonly number[]>(() => added(id, value));
  useEffect(() => setPoints(added(id, value)), [id, value]);
  if (points.length < 2) return null;
  const low = Math.min(...points);
  const high = Math.max(...points);
  const text = format ?? ((number: number) => number.toLocaleString(i18n.language));
  const label = t("activity.trend", { low: text(low), high: text(high) });
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={label}>
      <title>{label}</title>
      <polyline
        points={line(points, low, high)}
        fill="none"
        stroke="var(--accent)"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
    </svg>
  );
}

function added(id: string, value: number): readonly number[] {
  const before = trends.get(id) ?? [];
  if (before.at(-1) === value) return before;
  const after = [...before, value].slice(-mostKept);
  trends.delete(id);
  trends.set(id, after);
  const [oldest] = trends.keys();
  if (trends.size > mostTrends && oldest !== undefined) trends.delete(oldest);
  return after;
}

function line(points: readonly number[], low: number, high: number): string {
  const span = high - low || 1;
  const step = width / (points.length - 1);
  return points
    .map((point, index) => {
      const y = height - 2 - ((point - low) / span) * (height - 4);
      return `${(index * step).toFixed(1)},${y.toFixed(1)}`;
    })
    .join(" ");
}
