import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ComparedRow } from "../../../../contract/trace/compared.ts";
import { observeScroller, scrollWhereNeeded } from "../../../ui/virtual.ts";
import { ComparedLine, rowHeight } from "./compared-row.tsx";
import { spanWords } from "./words.ts";

interface ComparedTreeProps {
  rows: readonly ComparedRow[];
  /** Place in `rows`; -1: none is chosen. */
  chosen: number;
  onChoose(index: number): void;
  nameOf(key: string): string;
}

/** The rows of two turns side by side. Only those in sight, and the one with the focus, are in the page. */
export function ComparedTree({ rows, chosen, onChoose, nameOf }: ComparedTreeProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const stop = Math.max(0, chosen);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    observeElementRect: observeScroller,
    scrollToFn: scrollWhereNeeded,
    rangeExtractor: (shown) => {
      const all = defaultRangeExtractor(shown);
      return stop >= rows.length || all.includes(stop) ? all : [...all, stop].sort((a, b) => a - b);
    },
  });
  const toFocus = useRef(false);
  // After every drawing: the row may come into the page several drawings after it was asked for.
  useEffect(() => {
    const line = toFocus.current && scroller.current?.querySelector<HTMLElement>(`[data-row="${chosen}"]`);
    if (!line) return;
    toFocus.current = false;
    line.focus({ preventScroll: true });
  });
  useEffect(() => {
    if (chosen >= 0) virtual.scrollToIndex(chosen, { align: "auto" });
  }, [chosen, virtual]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = rowAfter(event.key, stop, rows);
    if (next === null) return;
    event.preventDefault();
    toFocus.current = true;
    onChoose(next);
  };
  const words = (row: ComparedRow) => ({
    left: row.left && spanWords(row.left, { t, nameOf }),
    right: row.right && spanWords(row.right, { t, nameOf }),
  });
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label={t("replay.rows")}
      onKeyDown={onKeyDown}
      className="min-h-24 flex-[0_1_auto] overflow-x-hidden overflow-y-auto border-t border-line"
    >
      <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          return (
            row && (
              <ComparedLine
                key={`${row.left?.id ?? ""}/${row.right?.id ?? ""}`}
                row={row}
                words={words(row)}
                index={index}
                count={rows.length}
                top={start}
                isChosen={index === chosen}
                isStop={index === stop}
                onChoose={onChoose}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

/** Where a key leads from a row; null for a key that is none of a tree. */
function rowAfter(key: string, index: number, rows: readonly ComparedRow[]): number | null {
  const last = rows.length - 1;
  const depth = rows[index]?.depth ?? 0;
  switch (key) {
    case "ArrowDown":
      return Math.min(last, index + 1);
    case "ArrowUp":
      return Math.max(0, index - 1);
    case "PageDown":
      return Math.min(last, index + 10);
    case "PageUp":
      return Math.max(0, index - 10);
    case "Home":
      return 0;
    case "End":
      return last;
    case "ArrowLeft": {
      const above = rows.findLastIndex((row, place) => place < index && row.depth < depth);
      return above < 0 ? index : above;
    }
    case "ArrowRight":
      return (rows[index + 1]?.depth ?? 0) > depth ? index + 1 : index;
    case "Enter":
    case " ":
      return index;
    default:
      return null;
  }
}
