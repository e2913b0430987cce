import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import { gutter, type PanelRow, PatchPanel } from "../../ui/patch/patch-panel.tsx";
import { measuredRow, observeScroller, scrollWhereNeeded } from "../../ui/virtual.ts";
import { cardHeight, PluginCard } from "./plugin-card.tsx";

const gap = 10;
/**
 * Up to this many rows, the cables of all rows are drawn, because those of rows outside of the window pass through it.
 */
const drawAllUpTo = 40;

interface PluginListProps {
  agentId: string;
  agentName: string;
  keys: string[];
  /** Scrolls with the list, above it. */
  children?: ReactNode;
}

/** The cards of an agent with their cables. Only what is near the window is in the page. */
export function PluginList({ agentId, agentName, keys, children }: PluginListProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const virtual = useVirtualizer({
    count: keys.length,
    getScrollElement: () => scroller.current,
    // Until the list is measured, it is assumed to be as high as the window, so that the first drawing already has
    // cards.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    estimateSize: () => cardHeight + 2,
    getItemKey: (index) => keys[index] ?? index,
    measureElement: measuredRow,
    observeElementRect: observeScroller,
    scrollToFn: scrollWhereNeeded,
    gap,
    overscan: 6,
  });
  const items = virtual.getVirtualItems();
  const height = virtual.getTotalSize();
  const drawn = keys.length <= drawAllUpTo ? keys.map((_, index) => index) : items.map((item) => item.index);
  const rows = drawn.flatMap((index): PanelRow[] => {
    const key = keys[index];
    const start = virtual.measurementsCache[index]?.start ?? index * (cardHeight + 2 + gap);
    return key === undefined ? [] : [{ key, place: index, jackY: start + (cardHeight + 2) / 2 }];
  });

  return (
    <section
      ref={scroller}
      aria-label={t("plugins.list")}
      className="min-h-0 flex-1 overflow-y-auto page-x pt-1 pb-8"
    >
      {children}
      <div className="relative" style={{ height }}>
        <ul ref={list} style={{ marginLeft: gutter }}>
          {items.map((item) => (
            <li
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              data-key={keys[item.index]}
              className="absolute right-0"
              style={{ left: gutter, top: 0, transform: `translateY(${item.start}px)` }}
            >
              <PluginCard agentId={agentId} pluginKey={keys[item.index] ?? ""} />
            </li>
          ))}
        </ul>
        <PatchPanel agentId={agentId} agentName={agentName} rows={rows} height={height} list={list} />
      </div>
    </section>
  );
}
