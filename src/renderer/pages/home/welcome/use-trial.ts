import { useState } from "react";
import type { Problem } from "../../../../contract/errors.ts";
import type { ContentPart, ToolTrace } from "../../../../contract/turn.ts";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";

/** What is known of the trial of a tool. */
export type Trial =
  | { state: "none" }
  | { state: "busy" }
  /** `said`: what the agent made of it; null where it has no model. */
  | { state: "works"; text: string; ms: number; said: string | null }
  | { state: "fails"; problem: ShownProblem };

interface Asked {
  agentId: string;
  tool: string;
  input: Record<string, unknown>;
  /** What the agent is asked, so that it makes the call; null: the call is made by itself. */
  prompt: string | null;
}

/** Lets an agent call a tool once, or makes the call by itself, and keeps what came of it. */
export function useTrial(onWorks: () => void) {
  const [trial, setTrial] = useState<Trial>({ state: "none" });
  /** The conversation of the trial, whose approvals are asked here. */
  const [sessionId, setSessionId] = useState<string | null>(null);
  const run = async (asked: Asked) => {
    setTrial({ state: "busy" });
    try {
      const next =
        asked.prompt === null ? await callAlone(asked) : await askAgent(asked, asked.prompt, setSessionId);
      setTrial(next);
      if (next.state === "works") onWorks();
    } catch (error) {
      setTrial({ state: "fails", problem: problemOf(error) });
    }
  };
  return { trial, sessionId, run };
}

async function callAlone({ agentId, tool, input }: Asked): Promise<Trial> {
  const { content, trace } = await rpc.tools.call({ agentId, name: tool, input, yes: true });
  return outcomeOf(trace, content, null);
}

async function askAgent(
  { agentId, tool }: Asked,
  prompt: string,
  onSession: (id: string) => void,
): Promise<Trial> {
  const { id } = await rpc.sessions.create({ agentId });
  onSession(id);
  let trace: ToolTrace | null = null;
  let said = "";
  let problem: Problem | null = null;
  for await (const event of await rpc.sessions.prompt({ agentId, text: prompt, sessionId: id })) {
    if (event.type === "tool_ended" && event.trace.tool === tool) trace = event.trace;
    if (event.type !== "turn_ended") continue;
    said = event.text;
    problem = event.problem;
  }
  if (problem) return { state: "fails", problem };
  if (trace) return outcomeOf(trace, trace.result?.content ?? [], said);
  const message = "The model answered without calling the tool.";
  return { state: "fails", problem: { code: "MODEL_CALLED_NOTHING", message } };
}

function outcomeOf(trace: ToolTrace, content: readonly ContentPart[], said: string | null): Trial {
  if (trace.problem) return { state: "fails", problem: trace.problem };
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  return { state: "works", text: text.slice(0, 600), ms: trace.executeMs ?? trace.ms, said };
}
