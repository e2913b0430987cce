import { useEffect, useRef, useState } from "react";
import { isObject } from "../../../../contract/is-object.ts";
import type { ToolRight } from "../../../../contract/permissions/tool-rights.ts";
import { type ToolTrace, toolTraceSchema } from "../../../../contract/turn.ts";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { readUntil } from "../../../base/client/streams/read-until.ts";
import { keepCall } from "./calls.ts";

/** How far a call is, or how it ended. */
export interface ToolCallState {
  running: boolean;
  /** The last lines that the tool told meanwhile. */
  progress: string;
  /** Null until it has ended, and when it failed before it began. */
  trace: ToolTrace | null;
  problem: ShownProblem | null;
}

const nothing: ToolCallState = { running: false, progress: "", trace: null, problem: null };
/** So much of what a tool tells is shown, characters. */
const MOST_PROGRESS = 4_000;

/** One call of a tool by hand, which ends with the tab. */
export function useToolCall(agentId: string, tool: ToolRight) {
  const [state, setState] = useState<ToolCallState>(nothing);
  const life = useRef<AbortController | null>(null);
  useEffect(() => () => life.current?.abort(), []);

  const call = async (input: Record<string, unknown>, straight: boolean) => {
    life.current?.abort();
    const mine = new AbortController();
    life.current = mine;
    setState({ ...nothing, running: true });
    const at = new Date().toISOString();
    const end = (trace: ToolTrace | null, problem: ShownProblem | null) => {
      if (life.current === mine) setState((before) => ({ ...before, running: false, trace, problem }));
      const { name, title } = tool;
      const outcome = trace?.outcome ?? null;
      keepCall(agentId, { tool: name, title, input, straight, at, outcome, ms: trace?.ms ?? null });
    };
    try {
      const asked = { agentId, name: tool.name, input, straight };
      const events = rpc.tools.run(asked, { signal: mine.signal });
      for await (const event of readUntil(events, mine.signal)) {
        if (event.type === "done") return end(event.trace, null);
        if (event.type === "progress")
          setState((before) => ({ ...before, progress: grown(before.progress, event.text) }));
      }
      end(null, null);
    } catch (error) {
      if (mine.signal.aborted) return end(null, null);
      const { details = {}, ...problem } = problemOf(error);
      const { trace, ...rest } = details;
      end(traceIn(trace), { ...problem, details: rest });
    }
  };

  return { ...state, call, stop: () => life.current?.abort() };
}

function grown(before: string, text: string): string {
  const line = text.endsWith("\n") ? text : `${text}\n`;
  return `${before}${line}`.slice(-MOST_PROGRESS).toWellFormed();
}

function traceIn(value: unknown): ToolTrace | null {
  if (!isObject(value)) return null;
  const parsed = toolTraceSchema.safeParse(value);
  return parsed.success ? parsed.data : null;
}
