import type { Agent, Settings, Trust } from "../../../contract/index.ts";
import type { LiveContributions } from "../ports.ts";
import type { TurnInput, TurnServices } from "./turn.ts";

/** What a turn depends on besides its conversation: enough to run it again. */
export interface TurnWorld {
  agent: Omit<Agent, "model"> & { model: { kind: Agent["model"]["kind"] } };
  limits: Settings["limits"];
  live: LiveContributions;
  required: readonly { owner: string; events: readonly string[] }[];
  trust: Record<string, Trust>;
  /** Lines of the session's file before the turn. */
  entries: number;
  messageId?: string;
  resumes?: true;
}

export function worldOf(
  { pool, limits, trustOf }: Pick<TurnServices, "pool" | "limits" | "trustOf">,
  { agent, session, messageId, resumes }: TurnInput,
): TurnWorld {
  const live = pool.live(agent.id);
  const trust: Record<string, Trust> = {};
  for (const { owner } of live.tools) {
    const known = owner ? trustOf(owner) : undefined;
    if (owner && known) trust[owner] = known;
  }
  return {
    // The key of the model is nobody's business here.
    agent: { ...agent, model: { kind: agent.model.kind } },
    limits: limits(),
    live,
    required: pool.required(agent.id),
    trust,
    entries: session.entries.length,
    ...(messageId !== undefined && { messageId }),
    ...(resumes && { resumes }),
  };
}
