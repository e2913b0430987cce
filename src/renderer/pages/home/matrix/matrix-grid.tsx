import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { AgentHead } from "./matrix-heads.tsx";
import { MatrixRow } from "./matrix-row.tsx";
import { MatrixStatus } from "./matrix-status.tsx";
import { useRoving } from "./use-roving.ts";

const rowHeight = 52;
/** In pixels: what a column needs, and the most it takes where there is room. */
const columnWidths = { least: 148, most: 248 };
const headHeight = 56;
/** Width of the table's left and right borders together, in pixels. */
const borders = 2;
const headWidths = { least: 248, most: 360 };

interface MatrixGridProps {
  /** Keys of the plugins, in the order of their rows. */
  keys: string[];
  /** Ids of the agents, in the order of their columns. */
  agents: string[];
  /** The agent whose column is marked. */
  current: string;
}

/** The table. Its heads stay in sight; only the cells near the window, and the one with the focus, are in the page. */
export function MatrixGrid({ keys, agents, current }: MatrixGridProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const { headWidth, columnWidth } = useWidths(frame, agents.length);
  const rows = useVirtualizer({
    count: keys.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    scrollPaddingStart: headHeight,
    scrollMargin: headHeight,
    overscan: 2,
    rangeExtractor: (range) => withSpot(defaultRangeExtractor(range), roving.spot.row),
  });
  const columns = useVirtualizer({
    horizontal: true,
    count: agents.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => columnWidth,
    scrollPaddingStart: headWidth,
    scrollMargin: headWidth,
    overscan: 1,
    rangeExtractor: (range) => withSpot(defaultRangeExtractor(range), roving.spot.column - 1),
  });
  const { measure } = columns;
  useLayoutEffect(() => {
    if (columnWidth > 0) measure();
  }, [columnWidth, measure]);
  const roving = useRoving({
    rows: keys.length,
    columns: agents.length + 1,
    page: 10,
    grid: scroller,
    reveal: ({ row, column }) => {
      rows.scrollToIndex(row, { align: "auto" });
      if (column > 0) columns.scrollToIndex(column - 1, { align: "auto" });
    },
  });
  const shownColumns = columns.getVirtualItems();
  const shownRows = rows.getVirtualItems();
  // The heads follow a scroll at once. The cells are many, so they are drawn in deferred work that the next scroll may
  // interrupt.
  const filledColumns = useFilled(shownColumns.map(({ index }) => index));
  const filledRows = useFilled(shownRows.map(({ index }) => index));
  const width = headWidth + agents.length * columnWidth;
  const { spot } = roving;

  return (
    <>
      <div className="min-h-0 flex-1 page-x">
        <div ref={frame} className="h-full">
          <div
            ref={scroller}
            role="grid"
            aria-label={t("matrix.label")}
            aria-describedby="matrix-keys"
            aria-rowcount={keys.length + 1}
            aria-colcount={agents.length + 1}
            onKeyDown={roving.onKeyDown}
            // What has the focus is not scrolled below the heads.
            style={{ scrollPaddingLeft: headWidth, scrollPaddingTop: headHeight }}
            className="relative max-h-full w-fit max-w-full overflow-auto rounded-lg border border-line bg-surface shadow-card"
          >
            <div className="relative" style={{ width, height: headHeight + keys.length * rowHeight }}>
              <div
                role="row"
                aria-rowindex={1}
                className="sticky top-0 z-30 border-b border-line bg-rail"
                style={{ width, height: headHeight }}
              >
                <div
                  role="columnheader"
                  aria-colindex={1}
                  className="sticky left-0 z-10 flex h-full items-end border-r border-line bg-rail px-4 pb-2 text-xs font-semibold text-mute"
                  style={{ width: headWidth }}
                >
                  {t("matrix.plugin")}
                </div>
                {shownColumns.map((column) => {
                  const id = agents[column.index] ?? "";
                  return (
                    <AgentHead
                      key={id}
                      agentId={id}
                      column={column.index + 2}
                      current={id === current}
                      left={column.start}
                      width={columnWidth}
                      height={headHeight}
                    />
                  );
                })}
              </div>
              {shownRows.map(({ index, start }) => {
                const key = keys[index] ?? "";
                return (
                  <MatrixRow
                    key={key}
                    pluginKey={key}
                    row={index}
                    top={start}
                    height={rowHeight}
                    width={width}
                    headWidth={headWidth}
                    columnWidth={columnWidth}
                    agents={agents}
                    current={current}
                    columns={filledRows.includes(index) ? filledColumns : noColumns}
                    spotColumn={spot.row === index ? spot.column : null}
                    onFocus={roving.onFocus}
                  />
                );
              })}
            </div>
          </div>
        </div>
      </div>
      <MatrixStatus agentId={agents[spot.column - 1] ?? null} pluginKey={keys[spot.row] ?? null} />
    </>
  );
}

/**
 * Widths of the columns in pixels. They share the width of the window, the plugins' names first; when there is too
 * little, the table scrolls.
 */
function useWidths(frame: RefObject<HTMLElement | null>, count: number) {
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const watched = frame.current;
    if (!watched) return;
    const look = () => setRoom(watched.clientWidth - borders);
    look();
    const observer = new ResizeObserver(look);
    observer.observe(watched);
    return () => observer.disconnect();
  }, [frame]);
  const columnWidth = Math.floor(within(columnWidths, (room - headWidths.least) / Math.max(1, count)));
  return { columnWidth, headWidth: Math.floor(within(headWidths, room - count * columnWidth)) };
}

function within({ least, most }: { least: number; most: number }, wanted: number): number {
  return Math.max(least, Math.min(most, wanted));
}

const noColumns: readonly number[] = [];

/** The indexes, as the same array while they are equal, and deferred while there is more urgent work. */
function useFilled(indexes: number[]): readonly number[] {
  const known = indexes.join(" ");
  const list = useMemo(() => (known === "" ? noColumns : known.split(" ").map(Number)), [known]);
  return useDeferredValue(list);
}

/**
 * Adds the focused index to the range. A cell with the focus must stay in the page when it is scrolled out of sight, or
 * the focus would be lost.
 */
function withSpot(range: number[], index: number): number[] {
  if (index < 0 || range.includes(index)) return range;
  return [...range, index].sort((a, b) => a - b);
}
