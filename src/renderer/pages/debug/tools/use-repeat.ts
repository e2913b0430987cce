import { useEffect, useRef, useState } from "react";
import type { RepeatedCall } from "../../../../contract/by-hand/by-hand.ts";
import type { ToolRight } from "../../../../contract/permissions/tool-rights.ts";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { readUntil } from "../../../base/client/streams/read-until.ts";

interface RepeatState {
  running: boolean;
  /** How many were wanted; 0 before the first time. */
  times: number;
  calls: readonly RepeatedCall[];
  /** Why it did not go on. */
  problem: ShownProblem | null;
}

const nothing: RepeatState = { running: false, times: 0, calls: [], problem: null };

/** The same call many times; it ends with the tab. */
export function useRepeat(agentId: string, { name }: Pick<ToolRight, "name">) {
  const [state, setState] = useState<RepeatState>(nothing);
  const life = useRef<AbortController | null>(null);
  useEffect(() => () => life.current?.abort(), []);

  const begin = async (input: Record<string, unknown>, straight: boolean, times: number) => {
    life.current?.abort();
    const mine = new AbortController();
    life.current = mine;
    const calls: RepeatedCall[] = [];
    let frame: number | null = null;
    const show = () => {
      frame = null;
      setState((before) => ({ ...before, calls: [...calls] }));
    };
    setState({ ...nothing, running: true, times });
    const end = (problem: ShownProblem | null) => {
      if (frame !== null) cancelAnimationFrame(frame);
      if (life.current === mine) setState({ running: false, times, calls, problem });
    };
    try {
      const asked = { agentId, name, input, straight, times };
      const ends = rpc.tools.repeat(asked, { signal: mine.signal });
      for await (const call of readUntil(ends, mine.signal)) {
        if (call.outcome === "rejected") return end(call.problem);
        calls.push(call);
        frame ??= requestAnimationFrame(show);
      }
      end(null);
    } catch (error) {
      end(mine.signal.aborted ? null : problemOf(error));
    }
  };

  return { ...state, begin, stop: () => life.current?.abort() };
}

export type Repeat = ReturnType<typeof useRepeat>;
