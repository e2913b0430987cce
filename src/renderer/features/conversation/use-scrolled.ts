import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranscriptKeys } from "./keys/view-keys.ts";

/** How many items are drawn at first, and how many more each time the person comes near the first of them. */
const drawnFirst = 40;
const drawnMore = 8;
/** Pixels above what is in view at which more is drawn. */
const aheadPx = 1_600;
/** Pixels from the end within which the end is followed. */
const endPx = 48;
/** Pixels from the end beyond which the way back to it is offered. */
const awayPx = 240;

/**
 * A list that grows at its end and is looked at from there. While the end is in view it is followed; what was said long ago is drawn when
 * the person scrolls towards it, and nothing moves then.
 * @param of what the list is of: another one begins at its end
 * @param asked rises with what the person asks for; the end is then followed again
 */
export function useScrolled(items: readonly unknown[], of: string | null, asked: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const [isAway, setAway] = useState(false);
  const [hidden, setHidden] = useState({ of, count: 0, total: 0 });
  /** Height of the list before more of it is drawn above. */
  const before = useRef<number | null>(null);
  const toTop = useRef(false);

  // Loaded at once or shorter than before: it is another one, looked at from its end. What is said later is drawn below.
  const isAnother =
    hidden.of !== of || items.length < hidden.total || items.length - hidden.total > drawnFirst;
  const current = isAnother ? Math.max(0, items.length - drawnFirst) : hidden.count;
  if (isAnother || hidden.total !== items.length) setHidden({ of, count: current, total: items.length });

  useTranscriptKeys(scroller, () => {
    toTop.current = true;
    setHidden((was) => ({ ...was, count: 0 }));
    if (current === 0 && scroller.current) scroller.current.scrollTop = 0;
  });

  const note = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    const below = box.scrollHeight - box.scrollTop - box.clientHeight;
    atEnd.current = below < endPx;
    setAway(below > awayPx);
  }, []);
  const onScroll = () => {
    note();
    const box = scroller.current;
    if (!box || box.scrollTop >= aheadPx || current === 0 || before.current !== null) return;
    before.current = box.scrollHeight;
    setHidden((was) => ({ ...was, count: Math.max(0, was.count - drawnMore) }));
  };
  const toEnd = () => {
    const box = scroller.current;
    if (box) box.scrollTop = box.scrollHeight;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them brings the end into view
  useLayoutEffect(() => {
    atEnd.current = true;
  }, [of, asked]);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    if (toTop.current) box.scrollTop = 0;
    else if (before.current !== null) box.scrollTop += box.scrollHeight - before.current;
    else if (atEnd.current) box.scrollTop = box.scrollHeight;
    toTop.current = false;
    before.current = null;
  });
  // The content can also grow without a new item: a card opens by itself, or the composer grows.
  useEffect(() => {
    const box = scroller.current;
    if (!box || !content.current) return;
    const observer = new ResizeObserver(() => {
      if (atEnd.current) box.scrollTop = box.scrollHeight;
      note();
    });
    observer.observe(box);
    observer.observe(content.current);
    return () => observer.disconnect();
  }, [note]);

  return { scroller, content, shownFrom: current, isAway, toEnd, onScroll };
}
