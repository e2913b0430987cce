import { create } from "zustand";
import type { ToolOutcome } from "../../../../contract/turn.ts";

/** A call that was made on this tab. */
export interface MadeCall {
  id: number;
  tool: string;
  title: string;
  input: Record<string, unknown>;
  straight: boolean;
  /** ISO text. */
  at: string;
  /** Null: it was stopped. */
  outcome: ToolOutcome | null;
  /** Milliseconds; null: it was stopped. */
  ms: number | null;
}

/** So many of an agent are kept. */
const MOST_KEPT = 30;
const none: readonly MadeCall[] = [];
let ids = 0;

/** By agent, the newest first; kept until the page is loaded anew. */
const useKept = create<Record<string, readonly MadeCall[]>>()(() => ({}));

export function useMadeCalls(agentId: string): readonly MadeCall[] {
  return useKept((state) => state[agentId] ?? none);
}

export function keepCall(agentId: string, call: Omit<MadeCall, "id">): void {
  ids += 1;
  const kept = { ...call, id: ids };
  useKept.setState((state) => ({ [agentId]: [kept, ...(state[agentId] ?? [])].slice(0, MOST_KEPT) }));
}
