import type { LiveSession } from "./session.ts";
import type { Sessions } from "./sessions.ts";

/** Opens the next conversation for whoever speaks in one, and resolves with its id. A channel's old conversation is closed. */
export async function openNew(
  sessions: Sessions,
  create: (agentId: string) => Promise<{ id: string }>,
  agentId: string,
  from: LiveSession | null,
): Promise<string> {
  const source = from?.view.source;
  if (!from || source?.kind !== "channel") return (await create(agentId)).id;
  await sessions.endNow(from);
  const { channel = "", conversation = "" } = source;
  return (await sessions.forConversation(agentId, channel, conversation)).id;
}
