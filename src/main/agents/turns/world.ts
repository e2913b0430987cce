import type { Agent, Settings, Trust } from "../../../contract/index.ts";
import type { LiveContributions, RequiredHooks } from "../ports.ts";
import type { Span } from "../record/recorder.ts";
import type { TurnInput, TurnServices } from "./turn-input.ts";

/** What an agent's plugins offer, with the required hooks and the trust in each plugin, on which decisions depend. */
export interface Offer {
  live: LiveContributions;
  required: readonly RequiredHooks[];
  trust: Record<string, Trust>;
}

/** What a turn depends on besides its conversation: enough to run it again. */
export interface TurnWorld extends Offer {
  agent: Omit<Agent, "model"> & { model: { kind: Agent["model"]["kind"] } };
  /** How the model is named to plugins; absent: the record was made by an older version. */
  modelName?: string;
  limits: Settings["limits"];
  /** Lines of the session's file before the turn. */
  entries: number;
  messageId?: string;
  resumes?: true;
}

type WorldServices = Pick<TurnServices, "pool" | "limits" | "trustOf" | "modelName">;

export function worldOf(
  services: WorldServices,
  { agent, session, messageId, resumes }: TurnInput,
): TurnWorld {
  return {
    // Without the model's settings, which hold the reference to its key.
    agent: { ...agent, model: { kind: agent.model.kind } },
    modelName: services.modelName(agent),
    limits: services.limits(),
    ...offerOf(services, agent.id),
    entries: session.entries.length,
    ...(messageId !== undefined && { messageId }),
    ...(resumes && { resumes }),
  };
}

/** Returns a function that records `offer_changed` when the plugins' offer differs from that of the last call. */
export function offerWatch(services: WorldServices, agentId: string, turn: Span): () => void {
  let known = services.pool.live(agentId);
  return () => {
    const live = services.pool.live(agentId);
    if (live === known) return;
    known = live;
    turn.record({ type: "offer_changed", offer: offerOf(services, agentId) });
  };
}

function offerOf({ pool, trustOf }: WorldServices, agentId: string): Offer {
  const live = pool.live(agentId);
  const trust: Record<string, Trust> = {};
  for (const { owner } of live.tools) {
    const known = owner ? trustOf(owner) : undefined;
    if (owner && known) trust[owner] = known;
  }
  return { live, required: pool.required(agentId), trust };
}
