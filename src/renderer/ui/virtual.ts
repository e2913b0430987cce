import { elementScroll, type Virtualizer } from "@tanstack/react-virtual";

/**
 * The height of a row as the browser reported it after its layout; before that, the estimated one. The library would
 * ask at once, which forces a layout of the whole page in the middle of the first drawing.
 */
export function measuredRow<Scroller extends Element, Item extends Element>(
  element: Item,
  entry: ResizeObserverEntry | undefined,
  virtual: Virtualizer<Scroller, Item>,
): number {
  const box = entry?.borderBoxSize[0];
  if (box) return Math.round(box.blockSize);
  const index = virtual.indexFromElement(element);
  return virtual.measurementsCache[index]?.size ?? virtual.options.estimateSize(index);
}

/** Reports the size of the scrolled element after each layout. */
export function observeScroller<Scroller extends Element, Item extends Element>(
  virtual: Virtualizer<Scroller, Item>,
  told: (rect: { width: number; height: number }) => void,
): (() => void) | undefined {
  const element = virtual.scrollElement;
  if (!element) return undefined;
  const observer = new ResizeObserver(([entry]) => {
    const box = entry?.borderBoxSize[0];
    if (box) told({ width: Math.round(box.inlineSize), height: Math.round(box.blockSize) });
  });
  observer.observe(element, { box: "border-box" });
  return () => observer.disconnect();
}

/**
 * Scrolls, unless the element is at this offset already. At the first drawing it is, and even then scrolling would
 * force a layout of the whole page.
 */
export function scrollWhereNeeded<Scroller extends Element, Item extends Element>(
  offset: number,
  options: { adjustments?: number | undefined; behavior?: ScrollBehavior | undefined },
  virtual: Virtualizer<Scroller, Item>,
): void {
  if (offset === virtual.scrollOffset && !options.adjustments && !virtual.isScrolling) return;
  elementScroll(offset, options, virtual);
}
