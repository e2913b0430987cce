import { PatchbayError } from "../../contract/index.ts";
import type { Client } from "../context.ts";

/** A turn with its conversation. */
interface FoundTurn {
  agentId: string;
  sessionId: string;
  turnId: string;
}

/** The conversation that was named, or the one that was used last. @throws PatchbayError SESSION_NOT_FOUND */
export async function conversationOf(client: Client, agentId: string, named?: string): Promise<string> {
  if (named !== undefined) return named;
  const [newest] = await newestFirst(client, agentId);
  if (newest !== undefined) return newest;
  throw new PatchbayError("SESSION_NOT_FOUND", `${agentId} has no conversation yet.`);
}

/**
 * The turn whose id begins so, in one conversation or in all of the agent.
 * @throws PatchbayError TURN_NOT_FOUND, BAD_INPUT when several begin so
 */
export async function findTurn(
  client: Client,
  agentId: string,
  named: string | undefined,
  beginning: string,
): Promise<FoundTurn> {
  const sessions = named === undefined ? await newestFirst(client, agentId) : [named];
  const found: FoundTurn[] = [];
  for (const sessionId of sessions) {
    const turns = await client.traces.turns({ agentId, sessionId });
    for (const { turnId } of turns) {
      if (turnId === beginning) return { agentId, sessionId, turnId };
      if (turnId.startsWith(beginning)) found.push({ agentId, sessionId, turnId });
    }
  }
  const [only] = found;
  if (!only) throw new PatchbayError("TURN_NOT_FOUND", `There is no record of a turn ${beginning}.`);
  if (found.length === 1) return only;
  throw new PatchbayError("BAD_INPUT", `Several turns begin with "${beginning}".`, {
    help: "Give more of the id.",
  });
}

async function newestFirst(client: Client, agentId: string): Promise<string[]> {
  const sessions = await client.sessions.list({ agentId });
  return sessions
    .toSorted((left, right) => Date.parse(right.updatedAt) - Date.parse(left.updatedAt))
    .map(({ id }) => id);
}
