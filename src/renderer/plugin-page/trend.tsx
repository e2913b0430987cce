import { useEffect, useState } from "react";

const kept = 40;
const width = 72;
const height = 18;

/** How a number moved since the page was opened. */
export function Trend({ value }: { value: number }) {
  const [points, setPoints] = useState<number[]>([value]);
  useEffect(() => {
    setPoints((before) => (before.at(-1) === value ? before : [...before, value].slice(-kept)));
  }, [value]);
  if (points.length < 2) return null;
  const low = Math.min(...points);
  const span = Math.max(...points) - low || 1;
  const step = width / (points.length - 1);
  const line = points
    .map(
      (point, index) =>
        `${(index * step).toFixed(1)},${(height - 2 - ((point - low) / span) * (height - 4)).toFixed(1)}`,
    )
    .join(" ");
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
      <polyline points={line} fill="none" stroke="var(--accent)" strokeWidth="1.5" strokeLinejoin="round" />
    </svg>
  );
}
