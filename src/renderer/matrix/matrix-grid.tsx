import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { MatrixCell } from "./matrix-cell.tsx";
import { AgentHead, PluginHead } from "./matrix-heads.tsx";
import { MatrixStatus } from "./matrix-status.tsx";
import { useRoving } from "./use-roving.ts";

const rowHeight = 52;
const columnWidth = 148;
const headHeight = 56;
const headWidth = 248;

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
  const width = headWidth + agents.length * columnWidth;
  const { spot } = roving;

  return (
    <>
      <div className="mx-7 min-h-0 flex-1">
        <div
          ref={scroller}
          role="grid"
          aria-label={t("matrix.label")}
          aria-describedby="matrix-keys"
          aria-rowcount={keys.length + 1}
          aria-colcount={agents.length + 1}
          onKeyDown={roving.onKeyDown}
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
                    style={{ left: column.start, width: columnWidth, height: headHeight }}
                  />
                );
              })}
            </div>
            {rows.getVirtualItems().map((row) => {
              const key = keys[row.index] ?? "";
              return (
                <div
                  key={key}
                  role="row"
                  aria-rowindex={row.index + 2}
                  className="absolute left-0 border-b border-line"
                  style={{ top: row.start, width, height: rowHeight }}
                >
                  <PluginHead
                    agentId={current}
                    pluginKey={key}
                    row={row.index}
                    tabStop={spot.row === row.index && spot.column === 0}
                    onFocus={roving.onFocus}
                    width={headWidth}
                  />
                  {shownColumns.map((column) => {
                    const id = agents[column.index] ?? "";
                    return (
                      <MatrixCell
                        key={id}
                        agentId={id}
                        pluginKey={key}
                        row={row.index}
                        column={column.index + 1}
                        tabStop={spot.row === row.index && spot.column === column.index + 1}
                        current={id === current}
                        onFocus={roving.onFocus}
                        left={column.start}
                        width={columnWidth}
                      />
                    );
                  })}
                </div>
              );
            })}
          </div>
        </div>
      </div>
      <MatrixStatus agentId={agents[spot.column - 1] ?? null} pluginKey={keys[spot.row] ?? null} />
    </>
  );
}

/** A cell that has the focus must not leave the page when it is scrolled out of sight: the focus would be lost with it. */
function withSpot(range: number[], index: number): number[] {
  if (index < 0 || range.includes(index)) return range;
  return [...range, index].sort((a, b) => a - b);
}
