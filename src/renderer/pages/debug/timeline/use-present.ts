import { useEffect, useState } from "react";
import type { RecordEvent } from "../../../../contract/record.ts";

/** How often a running turn grows on the screen, in milliseconds. */
const BEAT = 200;

/**
 * Until when a turn is drawn, in milliseconds since 1970: to its last event, and on from there while it runs. The core's
 * clock counts, so the time since the last event came is added to its time.
 */
export function usePresent(events: readonly RecordEvent[], isRunning: boolean): number {
  const last = events.at(-1)?.at ?? 0;
  const [heard, setHeard] = useState({ last, at: performance.now() });
  const [now, setNow] = useState(() => performance.now());
  if (heard.last !== last) setHeard({ last, at: performance.now() });
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(performance.now()), BEAT);
    return () => clearInterval(timer);
  }, [isRunning]);
  return isRunning ? last + Math.max(0, now - heard.at) : last;
}
