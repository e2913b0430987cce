import { useCallback, useEffect, useState } from "react";
import type { LogEntry } from "../../../../contract/agent-plugin.ts";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { isConnected, useMirror } from "../../../store/mirror.ts";

const mostKept = 10_000;

/** The log of an instance as it is written. After a lost connection it goes on where it stopped. */
export function useLogs(agentId: string, key: string) {
  const [entries, setEntries] = useState<readonly LogEntry[]>([]);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const live = useMirror(isConnected);

  useEffect(() => {
    if (!live) return;
    const scope = new AbortController();
    let waiting: LogEntry[] = [];
    let frame: number | null = null;
    const show = () => {
      frame = null;
      const batch = waiting;
      waiting = [];
      setEntries((before) => merge(before, batch));
    };
    const follow = async () => {
      try {
        const batches = await rpc.agentPlugins.followLogs({ agentId, key }, { signal: scope.signal });
        setProblem(null);
        for await (const batch of batches) {
          waiting.push(...batch);
          frame ??= requestAnimationFrame(show);
        }
      } catch (error) {
        if (!scope.signal.aborted) setProblem(problemOf(error));
      }
    };
    void follow();
    return () => {
      scope.abort();
      if (frame !== null) cancelAnimationFrame(frame);
    };
  }, [agentId, key, live]);

  const clear = useCallback(() => setEntries([]), []);
  return { entries, problem, clear };
}

/**
 * Adds a batch. A sequence number below the last one means that the core was restarted; its log then replaces the old
 * one.
 */
function merge(before: readonly LogEntry[], batch: readonly LogEntry[]): readonly LogEntry[] {
  const first = batch[0];
  if (!first) return before;
  const last = before.at(-1);
  // Lines of earlier runs of the app are numbered below one: with them, everything was sent.
  if (!last || first.seq < 1 || first.at < (before[0]?.at ?? "")) return batch.slice(-mostKept);
  if (first.seq <= last.seq && first.at > last.at) return [...before, ...batch].slice(-mostKept);
  return [...before, ...batch.filter((entry) => entry.seq > last.seq)].slice(-mostKept);
}
