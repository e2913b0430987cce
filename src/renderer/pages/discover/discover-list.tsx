import { useVirtualizer } from "@tanstack/react-virtual";
import {
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import type { CatalogEntry } from "../../../contract/job.ts";
import { cardHeight, DiscoverCard } from "./discover-card.tsx";

const gap = 12;
const headingHeight = 40;
/** A card needs at least this width, in pixels, to show its badges in one line. */
const leastCardWidth = 420;

type Line = { kind: "cards"; cards: { entry: CatalogEntry; column: number }[] } | { kind: "heading" };

interface DiscoverListProps {
  agentId: string;
  listed: CatalogEntry[];
  elsewhere: CatalogEntry[];
  /** The query of these results; with another one the list scrolls to its top. */
  searched: string;
  /** Scrolls with the list, above it. */
  children?: ReactNode;
}

/** Results in as many columns as fit. Only what is near the window is in the page, however many there are. */
export const DiscoverList = memo(function DiscoverList(props: DiscoverListProps) {
  const { agentId, listed, elsewhere, searched, children } = props;
  const { t } = useTranslation();
  const scroller = useRef<HTMLElement>(null);
  const columns = useColumns(scroller);
  const query = searched.slice(0, searched.indexOf("\n"));
  const lines = useMemo(() => linesOf(listed, elsewhere, columns), [listed, elsewhere, columns]);
  // A new function when the heading moves makes the list measure its heights again.
  const keyOf = useCallback(
    (index: number) => (index === lines.heading ? "registry" : index),
    [lines.heading],
  );
  const virtual = useVirtualizer({
    count: lines.count,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (index === lines.heading ? headingHeight : cardHeight) + gap,
    getItemKey: keyOf,
    overscan: 1,
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
      className="min-h-0 flex-1 overflow-y-auto page-x pt-4 pb-8"
    >
      {children}
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().flatMap((item) => {
          const line = lines.at(item.index);
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
          return line.cards.map(({ entry, column }) => (
            <li
              // Keyed by place: new results reuse the cards that are on the page.
              key={`${item.index} ${column}`}
              className="absolute"
              style={{
                top: item.start,
                height: cardHeight,
                width: `calc((100% - ${(columns - 1) * gap}px) / ${columns})`,
                left: `calc((100% + ${gap}px) / ${columns} * ${column})`,
              }}
            >
              <DiscoverCard agentId={agentId} entry={entry} query={query} />
            </li>
          ));
        })}
      </ul>
    </section>
  );
});

/**
 * Returns a function that works out the content of a line only when it is drawn, because one key press may change all
 * of ten thousand results.
 */
function linesOf(listed: CatalogEntry[], elsewhere: CatalogEntry[], columns: number) {
  const before = Math.ceil(listed.length / columns);
  const after = Math.ceil(elsewhere.length / columns);
  const part = (entries: CatalogEntry[], line: number): Line => ({
    kind: "cards",
    cards: entries.slice(line * columns, (line + 1) * columns).map((entry, column) => ({ entry, column })),
  });
  const heading = after > 0 ? before : -1;
  return {
    count: before + (after > 0 ? 1 + after : 0),
    heading,
    at(index: number): Line {
      if (index === heading) return { kind: "heading" };
      return index < before ? part(listed, index) : part(elsewhere, index - before - 1);
    },
  };
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
