import { useEffect } from "react";
import { create } from "zustand";
import type { Breakpoint, Pause, PauseState } from "../../../contract/pauses/pauses.ts";
import { rpc } from "../../base/client/rpc.ts";
import { isConnected, useMirror } from "../../store/mirror.ts";

const nothing: PauseState = { pauses: [], breakpoints: [], stepping: [] };

/** Turns that stand still, and breakpoints, as the core tells them. */
export const usePauses = create<PauseState>()(() => nothing);

/** Follows them as long as the app is shown. While a screen does, no pause goes on by itself. */
export function useFollowPauses(): void {
  const live = useMirror(isConnected);
  useEffect(() => {
    if (!live) return;
    const scope = new AbortController();
    const follow = async () => {
      for await (const state of await rpc.pauses.watch(undefined, { signal: scope.signal }))
        usePauses.setState(state);
    };
    // Without a connection nothing is known of them; the next one begins anew.
    follow().catch(() => {});
    return () => {
      scope.abort();
      usePauses.setState(nothing);
    };
  }, [live]);
}

/** The pauses of an agent, oldest first; those of the conversation that is shown come first. */
export function pausesOf(pauses: readonly Pause[], agentId: string, sessionId: string | null): Pause[] {
  const own = pauses.filter((pause) => pause.agentId === agentId);
  const here = own.filter((pause) => pause.sessionId === sessionId);
  return [...here, ...own.filter((pause) => !here.includes(pause))];
}

export function breakpointsOf(breakpoints: readonly Breakpoint[], agentId: string): Breakpoint[] {
  return breakpoints.filter((one) => one.agentId === agentId);
}
