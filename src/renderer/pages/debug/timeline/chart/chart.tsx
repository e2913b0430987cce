import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { RecordEvent } from "../../../../../contract/record.ts";
import { useMirror } from "../../../../store/mirror.ts";
import { observeScroller, scrollWhereNeeded } from "../../../../ui/virtual.ts";
import { rowWords } from "../rows/row-words.ts";
import type { TimelineRow } from "../rows/rows.ts";
import { Axis } from "./axis.tsx";
import { colourOf } from "./colours.ts";
import { Overview } from "./overview.tsx";
import { RowLine } from "./row-line.tsx";
import { columns, rowHeight } from "./sizes.ts";
import { useRange, useWheel } from "./use-range.ts";

interface ChartProps {
  rows: readonly TimelineRow[];
  events: readonly RecordEvent[];
  /** Milliseconds since 1970: the beginning of the turn, and its end or the present. */
  origin: number;
  now: number;
  chosenId: string | null;
  onChoose(row: TimelineRow): void;
  nameOf(key: string): string;
}

/** The rows with their bars on a time axis. Only those in sight, and the one with the focus, are in the page. */
export function Chart({ rows, events, origin, now, chosenId, onChoose, nameOf }: ChartProps) {
  const { t } = useTranslation();
  const plugins = useMirror((state) => state.plugins);
  const scroller = useRef<HTMLDivElement>(null);
  const whole = Math.max(1, now - origin);
  const view = useRange(whole);
  const { range } = view;
  useWheel(scroller, { left: columns.name, right: columns.time }, view);
  const chosen = rows.findIndex(({ id }) => id === chosenId);
  const stop = Math.max(0, chosen);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    getItemKey: useCallback((index: number) => rows[index]?.id ?? index, [rows]),
    observeElementRect: observeScroller,
    scrollToFn: scrollWhereNeeded,
    rangeExtractor: (shown) => withStop(defaultRangeExtractor(shown), stop, rows.length),
  });
  const toFocus = useRef(false);
  // After every drawing: the row may come into the page several drawings after it was asked for.
  useEffect(() => {
    if (!toFocus.current || chosenId === null) return;
    const line = scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(chosenId)}"]`);
    if (!line) return;
    toFocus.current = false;
    line.focus({ preventScroll: true });
  });
  useEffect(() => {
    if (chosen >= 0) virtual.scrollToIndex(chosen, { align: "auto" });
  }, [chosen, virtual]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (view.onKey(event)) return event.preventDefault();
    const next = rowAfter(event.key, stop, rows);
    if (next === null) return;
    event.preventDefault();
    const row = rows[next];
    if (!row) return;
    toFocus.current = true;
    onChoose(row);
  };
  const drag = useDrag((pixels, width) => view.pan((-pixels / width) * (range.to - range.from)));

  return (
    <div className="flex min-h-0 flex-[0_1_auto] flex-col">
      <Overview rows={rows} plugins={plugins} origin={origin} whole={whole} now={now} view={view} />
      <Axis range={range} />
      <div
        ref={scroller}
        role="tree"
        aria-label={t("timeline.label")}
        onKeyDown={onKeyDown}
        {...drag}
        className="min-h-24 overflow-x-hidden overflow-y-auto border-t border-line"
      >
        <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            return (
              row && (
                <RowLine
                  key={key}
                  row={row}
                  words={rowWords(row, events, { t, nameOf })}
                  index={index}
                  count={rows.length}
                  top={start}
                  colour={colourOf(row, plugins)}
                  origin={origin}
                  now={row.end === null ? now : 0}
                  range={range}
                  isChosen={index === chosen}
                  isStop={index === stop}
                  onChoose={onChoose}
                />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Where a key leads from a row; null for a key that is none of a tree. */
export function rowAfter(key: string, index: number, rows: readonly TimelineRow[]): number | null {
  const row = rows[index];
  if (!row) return null;
  switch (key) {
    case "ArrowDown":
      return Math.min(rows.length - 1, index + 1);
    case "ArrowUp":
      return Math.max(0, index - 1);
    case "PageDown":
      return Math.min(rows.length - 1, index + 10);
    case "PageUp":
      return Math.max(0, index - 10);
    case "Home":
      return 0;
    case "End":
      return rows.length - 1;
    case "ArrowLeft": {
      const parent = rows.findIndex(({ id }) => id === row.parentId);
      return parent < 0 ? index : parent;
    }
    case "ArrowRight":
      return rows[index + 1]?.parentId === row.id ? index + 1 : index;
    case "Enter":
    case " ":
      return index;
    default:
      return null;
  }
}

/** What has the focus stays in the page when it is scrolled out of sight, or the focus would be lost. */
function withStop(shown: number[], stop: number, count: number): number[] {
  if (stop >= count || shown.includes(stop)) return shown;
  return [...shown, stop].sort((a, b) => a - b);
}

/** Dragging sideways over the rows. */
function useDrag(moved: (pixels: number, width: number) => void) {
  const from = useRef<number | null>(null);
  return {
    onPointerDown: ({ button, clientX }: PointerEvent) => {
      if (button === 0) from.current = clientX;
    },
    onPointerMove: ({ clientX, buttons, currentTarget }: PointerEvent) => {
      if (buttons !== 1 || from.current === null) return;
      const pixels = clientX - from.current;
      if (pixels === 0) return;
      from.current = clientX;
      moved(pixels, Math.max(1, currentTarget.clientWidth - columns.name - columns.time));
    },
  };
}
