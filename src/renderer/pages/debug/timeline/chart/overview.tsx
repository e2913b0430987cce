import { Minus, Plus, Scan } from "lucide-react";
import { type PointerEvent, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { PluginView } from "../../../../../contract/plugin.ts";
import { IconButton } from "../../../../ui/controls/button.tsx";
import type { TimelineRow } from "../rows/rows.ts";
import { colourOf } from "./colours.ts";
import { columns } from "./sizes.ts";
import type { useRange } from "./use-range.ts";

interface OverviewProps {
  rows: readonly TimelineRow[];
  plugins: ReadonlyMap<string, PluginView>;
  origin: number;
  whole: number;
  now: number;
  view: ReturnType<typeof useRange>;
}

/** The whole turn as one strip, with a frame around what is in sight; and the buttons that zoom. */
export function Overview({ rows, plugins, origin, whole, now, view }: OverviewProps) {
  const { t } = useTranslation();
  const paths = useMemo(
    () => pathsOf(rows, (row) => colourOf(row, plugins), { origin, whole, now }),
    [rows, plugins, origin, whole, now],
  );
  const { range, isAll, show, zoom } = view;
  const goTo = ({ currentTarget, clientX, buttons }: PointerEvent) => {
    if (buttons !== 1 || isAll) return;
    const box = currentTarget.getBoundingClientRect();
    const middle = ((clientX - box.left) / box.width) * whole;
    const half = (range.to - range.from) / 2;
    const from = Math.max(0, Math.min(whole - 2 * half, middle - half));
    show({ from, to: from + 2 * half });
  };
  return (
    <div className="flex shrink-0 items-center pb-1">
      <span className="shrink-0" style={{ width: columns.name }} />
      <div
        className="relative h-4 min-w-0 flex-1 overflow-hidden rounded-sm bg-sunk"
        onPointerDown={goTo}
        onPointerMove={goTo}
      >
        <svg
          viewBox="0 0 1000 16"
          preserveAspectRatio="none"
          className="absolute inset-0 size-full"
          aria-hidden="true"
        >
          {paths.map(({ colour, path }) => (
            <path key={colour} d={path} fill={colour} opacity="0.75" />
          ))}
        </svg>
        {!isAll && (
          <span
            className="absolute inset-y-0 min-w-1 rounded-sm border border-ink bg-ink/10"
            style={{
              left: `${(range.from / whole) * 100}%`,
              width: `${((range.to - range.from) / whole) * 100}%`,
            }}
          />
        )}
      </div>
      <span className="flex shrink-0 justify-end" style={{ width: columns.time }}>
        <IconButton label={t("timeline.zoomIn")} className="size-6" onClick={() => zoom(0.5)}>
          <Plus className="size-3.5" aria-hidden="true" />
        </IconButton>
        <IconButton label={t("timeline.zoomOut")} className="size-6" disabled={isAll} onClick={() => zoom(2)}>
          <Minus className="size-3.5" aria-hidden="true" />
        </IconButton>
        <IconButton
          label={t("timeline.zoomAll")}
          className="size-6"
          disabled={isAll}
          onClick={() => show(null)}
        >
          <Scan className="size-3.5" aria-hidden="true" />
        </IconButton>
      </span>
    </div>
  );
}

/** Every stretch as a piece of one path for each colour; pieces that fall on one spot are drawn once. */
export function pathsOf(
  rows: readonly TimelineRow[],
  colour: (row: TimelineRow) => string,
  { origin, whole, now }: { origin: number; whole: number; now: number },
): { colour: string; path: string }[] {
  const pieces = new Map<string, Set<string>>();
  for (const row of rows) {
    if (row.of.kind === "point" || row.of.span.kind === "tool") continue;
    const from = Math.round(((row.begin - origin) / whole) * 1_000);
    const width = Math.max(2, Math.round((((row.end ?? now) - row.begin) / whole) * 1_000));
    const name = colour(row);
    const known = pieces.get(name) ?? new Set();
    pieces.set(name, known.add(`M${from} ${lanes[row.group]}h${width}v3h-${width}z`));
  }
  return [...pieces].map(([name, parts]) => ({ colour: name, path: [...parts].join("") }));
}

/** Where each kind runs in the strip, of 16. */
const lanes = { model: 1, hook: 5, approval: 5, tool: 9, message: 12, log: 12, problem: 12 } as const;
