import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { panned, type Range, zoomed } from "../rows/range.ts";

/** How much one press of a key zooms, and how much of what is in sight it moves. */
const step = { zoom: 0.5, pan: 0.2 };

/**
 * What of the turn is in sight. Null is kept for all of it, so that a running turn grows into the window.
 *
 * @param whole the length of the turn in milliseconds
 */
export function useRange(whole: number) {
  const [chosen, setChosen] = useState<Range | null>(null);
  const range = chosen ?? { from: 0, to: whole };
  const latest = useRef({ range, whole });
  latest.current = { range, whole };

  const zoom = useCallback((factor: number, share = 0.5) => {
    const { range: now, whole: length } = latest.current;
    const next = zoomed(now, factor, now.from + share * (now.to - now.from), length);
    setChosen(next.to - next.from >= length ? null : next);
  }, []);
  const pan = useCallback((by: number) => {
    const { range: now, whole: length } = latest.current;
    if (now.to - now.from < length) setChosen(panned(now, by, length));
  }, []);
  const show = useCallback((next: Range | null) => setChosen(next), []);
  /** Whether the key was one of the axis. */
  const onKey = ({ key, shiftKey }: { key: string; shiftKey: boolean }): boolean => {
    const length = range.to - range.from;
    if (key === "+" || key === "=") zoom(step.zoom);
    else if (key === "-") zoom(1 / step.zoom);
    else if (key === "0") setChosen(null);
    else if (shiftKey && key === "ArrowLeft") pan(-step.pan * length);
    else if (shiftKey && key === "ArrowRight") pan(step.pan * length);
    else return false;
    return true;
  };
  return { range, isAll: chosen === null, zoom, pan, show, onKey };
}

/** The wheel with ctrl zooms where the pointer is; sideways it moves. `inset`: pixels of the element outside of the axis. */
export function useWheel(
  element: RefObject<HTMLElement | null>,
  inset: { left: number; right: number },
  { zoom, pan, range }: Pick<ReturnType<typeof useRange>, "zoom" | "pan" | "range">,
): void {
  const length = range.to - range.from;
  const { left, right } = inset;
  useEffect(() => {
    const box = element.current;
    if (!box) return;
    const turn = (event: WheelEvent) => {
      const rect = box.getBoundingClientRect();
      const width = Math.max(1, rect.width - left - right);
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const share = Math.max(0, Math.min(1, (event.clientX - rect.left - left) / width));
        zoom(1.002 ** Math.max(-400, Math.min(400, event.deltaY * 2)), share);
      } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        pan((event.deltaX / width) * length);
      }
    };
    // By hand, because React listens passively, and the browser would zoom the page.
    box.addEventListener("wheel", turn, { passive: false });
    return () => box.removeEventListener("wheel", turn);
  }, [element, left, right, zoom, pan, length]);
}
