import { elementScroll, type Virtualizer } from "@tanstack/react-virtual";

/**
 * How high a row is, as the browser says when it has laid the page out; until then what it was taken to be. Asking at once, as
 * the library does, makes the browser lay everything out in the middle of the first drawing.
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

/** Tells the size of the scrolled element whenever the browser has laid it out anew. */
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

/** Scrolls, unless the element is there already, as it is when it is drawn first: even then the browser would lay everything out. */
export function scrollWhereNeeded<Scroller extends Element, Item extends Element>(
  offset: number,
  options: { adjustments?: number | undefined; behavior?: ScrollBehavior | undefined },
  virtual: Virtualizer<Scroller, Item>,
): void {
  if (offset === virtual.scrollOffset && !options.adjustments && !virtual.isScrolling) return;
  elementScroll(offset, options, virtual);
}
