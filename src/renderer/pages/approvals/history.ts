import { useEffect, useMemo, useState } from "react";
import { useShallow } from "zustand/react/shallow";
import type { Approval } from "../../../contract/agent.ts";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";
import { isConnected, useMirror } from "../../store/mirror.ts";

export type Outcome = Exclude<Approval["status"], "waiting">;
export const outcomes: Outcome[] = ["allowed", "denied", "timed_out", "cancelled"];

/** What the history is narrowed to; an empty text stands for all. `plugin` is `builtin` for tools of no plugin. */
export interface HistoryFilter {
  agent: string;
  plugin: string;
  outcome: Outcome | "";
}
export const noHistoryFilter: HistoryFilter = { agent: "", plugin: "", outcome: "" };
export const builtIn = "builtin";

export function fitsFilter(approval: Approval, filter: HistoryFilter): boolean {
  return (
    (filter.agent === "" || approval.agentId === filter.agent) &&
    (filter.plugin === "" || (approval.owner ?? builtIn) === filter.plugin) &&
    (filter.outcome === "" || approval.status === filter.outcome)
  );
}

/** Stored and live decisions as one list, newest first; the live one of the same question is the newer. */
export function mergeHistory(stored: readonly Approval[], live: readonly Approval[]): Approval[] {
  const byId = new Map(stored.map((approval) => [approval.id, approval]));
  for (const approval of live) byId.set(approval.id, approval);
  return [...byId.values()].sort((a, b) => (b.decidedAt ?? "").localeCompare(a.decidedAt ?? ""));
}

/** The decided questions of all agents: what the core keeps on disk, with what is decided meanwhile. Null while loading. */
export function useHistory(): { history: Approval[] | null; problem: ShownProblem | null } {
  const connected = useMirror(isConnected);
  const live = useMirror(
    useShallow((state) => [...state.approvals.values()].filter((approval) => approval.status !== "waiting")),
  );
  const [stored, setStored] = useState<Approval[] | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);

  useEffect(() => {
    if (!connected) return;
    const life = new AbortController();
    rpc.approvals.history({}, { signal: life.signal }).then(
      (history) => {
        setStored(history);
        setProblem(null);
      },
      (error: unknown) => {
        if (!life.signal.aborted) setProblem(problemOf(error));
      },
    );
    return () => life.abort();
  }, [connected]);

  const history = useMemo(() => stored && mergeHistory(stored, live), [stored, live]);
  return { history, problem };
}
