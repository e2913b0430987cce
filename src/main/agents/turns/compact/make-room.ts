import { z } from "zod";
import { type Agent, type Caller, type SessionEntry, toProblem } from "../../../../contract/index.ts";
import type { Ids } from "../../../base/ids.ts";
import type { LiveSession } from "../../sessions/session.ts";
import { CLEAR } from "../transcript.ts";
import type { TurnServices } from "../turn-input.ts";

/** Part of a model's context window that the next request may fill; beyond it the conversation is compacted first. */
const most = 0.85;
/** Tokens below which no window is nearly full: the model is not even made ready to ask for its window. */
const least = 4_000;
const CHARACTERS_OF_A_TOKEN = 4;

const answerSchema = z.looseObject({
  usage: z.looseObject({
    input: z.number(),
    output: z.number(),
    cacheRead: z.number(),
    cacheWrite: z.number(),
  }),
});

interface Message {
  text: string;
  caller: Caller;
  signal: AbortSignal;
}

/**
 * Compacts a conversation before its next message when the request would nearly fill the window of the agent's model, where that
 * is known and can summarise. Never rejects: without a summary the turn goes on, and its provider says what is too long.
 */
export async function makeRoom(
  services: TurnServices,
  ids: Ids,
  { agent, session }: { agent: Agent; session: LiveSession },
  { text, caller, signal }: Message,
): Promise<void> {
  const used = usedBy(session.path) + text.length / CHARACTERS_OF_A_TOKEN;
  if (used < least) return;
  const span = services.recording.outside({ agentId: agent.id, sessionId: session.id });
  try {
    const { model, canSummarise } = await services.readyModel(agent, session.path);
    if (!canSummarise || model.contextWindow <= 0 || used <= most * model.contextWindow) return;
    const { compact } = await import("./compaction.ts");
    const { bus, secrets, clock } = services;
    const scope = { sessionId: session.id, caller, signal, span };
    const summary = await compact(agent, session, { bus, scope, ids, secrets, clock });
    const last = session.path.at(-1);
    const id = last?.type === "compaction" ? last.id : ids.next();
    session.publish({ type: "session_compacted", sessionId: session.id, id, summary });
  } catch (error) {
    span.record({ type: "problem", owner: null, event: null, problem: toProblem(error, "MODEL_FAILED") });
  }
}

/** Tokens of the last request and its answer, as the provider counted them; 0 where it did not, or the context began anew. */
function usedBy(path: readonly SessionEntry[]): number {
  for (const entry of path.toReversed()) {
    if (entry.type === "compaction") return 0;
    if (entry.type === "command" && entry.text.trim() === CLEAR) return 0;
    if (entry.type !== "assistant") continue;
    const usage = answerSchema.safeParse(entry.raw).data?.usage;
    return usage ? usage.input + usage.cacheRead + usage.cacheWrite + usage.output : 0;
  }
  return 0;
}
