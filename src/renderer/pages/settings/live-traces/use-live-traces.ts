import { useEffect, useState } from "react";
import type { LiveTracesView } from "../../../../contract/trace/live-traces.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { isConnected, useMirror } from "../../../store/mirror.ts";

/** What becomes of the traces that are sent, as it changes; null until it is known. */
export function useLiveTraces(): LiveTracesView | null {
  const connected = useMirror(isConnected);
  const [view, setView] = useState<LiveTracesView | null>(null);
  useEffect(() => {
    if (!connected) return;
    const leaving = new AbortController();
    const follow = async () => {
      for await (const next of await rpc.traces.live(undefined, { signal: leaving.signal })) setView(next);
    };
    // Without a connection the page says so as a whole.
    follow().catch(() => {});
    return () => leaving.abort();
  }, [connected]);
  return view;
}
