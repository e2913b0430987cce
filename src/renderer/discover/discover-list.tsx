import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { CatalogEntry } from "../../contract/job.ts";
import { cardHeight, DiscoverCard } from "./discover-card.tsx";

const gap = 12;
const headingHeight = 40;
/** A card needs this much to show its badges in one line. */
const leastCardWidth = 420;

type Line = { kind: "cards"; entries: CatalogEntry[] } | { kind: "heading" };

interface DiscoverListProps {
  agentId: string;
  listed: CatalogEntry[];
  elsewhere: CatalogEntry[];
  /** What was looked for; another search begins at the top again. */
  searched: string;
  /** Scrolls with the list, above it. */
  children?: ReactNode;
}

/** Results in as many columns as fit. Only what is near the window is in the page, however many there are. */
export function DiscoverList({ agentId, listed, elsewhere, searched, children }: DiscoverListProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLElement>(null);
  const columns = useColumns(scroller);
  const lines = useMemo(() => linesOf(listed, elsewhere, columns), [listed, elsewhere, columns]);
  // A new function with new lines: their heights are counted again.
  const keyOf = useCallback((index: number) => keyOfLine(lines[index]) ?? index, [lines]);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (lines[index]?.kind === "heading" ? headingHeight : cardHeight) + gap,
    getItemKey: keyOf,
    overscan: 3,
  });
  const shown = useRef(searched);
  useEffect(() => {
    if (shown.current === searched) return;
    shown.current = searched;
    scroller.current?.scrollTo({ top: 0 });
  }, [searched]);

  return (
    <section
      ref={scroller}
      aria-label={t("discover.results")}
      className="min-h-0 flex-1 overflow-y-auto px-7 pt-4 pb-8"
    >
      {children}
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().flatMap((item) => {
          const line = lines[item.index];
          if (!line) return [];
          if (line.kind === "heading")
            return [
              <li
                key="registry"
                className="absolute inset-x-0 flex items-end"
                style={{ top: item.start, height: headingHeight }}
              >
                <h2 className="text-sm font-semibold text-mute">{t("discover.fromRegistry")}</h2>
              </li>,
            ];
          return line.entries.map((entry, column) => (
            <li
              key={entry.spec}
              className="absolute"
              style={{
                top: item.start,
                height: cardHeight,
                width: `calc((100% - ${(columns - 1) * gap}px) / ${columns})`,
                left: `calc((100% + ${gap}px) / ${columns} * ${column})`,
              }}
            >
              <DiscoverCard agentId={agentId} entry={entry} />
            </li>
          ));
        })}
      </ul>
    </section>
  );
}

function keyOfLine(line: Line | undefined): string | undefined {
  return line?.kind === "heading" ? "registry" : line?.entries[0]?.spec;
}

function linesOf(listed: CatalogEntry[], elsewhere: CatalogEntry[], columns: number): Line[] {
  const lines = inLines(listed, columns);
  return elsewhere.length === 0 ? lines : [...lines, { kind: "heading" }, ...inLines(elsewhere, columns)];
}

function inLines(entries: CatalogEntry[], columns: number): Line[] {
  return Array.from({ length: Math.ceil(entries.length / columns) }, (_, line) => ({
    kind: "cards" as const,
    entries: entries.slice(line * columns, (line + 1) * columns),
  }));
}

function useColumns(element: RefObject<HTMLElement | null>): number {
  const [columns, setColumns] = useState(2);
  useEffect(() => {
    const watched = element.current;
    if (!watched) return;
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width ?? 0;
      setColumns(Math.max(1, Math.min(4, Math.floor((width + gap) / (leastCardWidth + gap)))));
    });
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element]);
  return columns;
}
