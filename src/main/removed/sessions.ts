import { PatchbayError } from "../../contract/index.ts";
import type { Agents } from "../agents/index.ts";
import type { AgentStore, RemovedOf } from "../registry/index.ts";
import { agentNotFound, type Storage } from "../store/index.ts";
import type { Described, RemovedKeeper } from "./kinds.ts";

export interface RemovedSessionsOptions {
  storage: Pick<Storage, "removed" | "sessions">;
  agents: Pick<AgentStore, "get">;
  work: { sessions: Pick<Agents["sessions"], "cameBack" | "open" | "release"> };
}

type What = RemovedOf<"session">;

/** Removed conversations: their lines, their records and the files that came with them. */
export class RemovedSessions implements RemovedKeeper<"session"> {
  readonly #options: RemovedSessionsOptions;

  constructor(options: RemovedSessionsOptions) {
    this.#options = options;
  }

  describe({ agentId, title }: What): Described {
    return { name: title, agentId, blocked: this.#options.agents.get(agentId) ? null : "agent" };
  }

  async size({ room }: What): Promise<{ bytes: number; conversations: number } | null> {
    const { removed } = this.#options.storage;
    return removed.has(room) ? { bytes: await removed.bytes(room), conversations: 1 } : null;
  }

  async restore({ agentId, sessionId, room }: What): Promise<null> {
    const { storage, agents, work } = this.#options;
    if (!agents.get(agentId)) throw agentNotFound(agentId);
    await storage.removed.putBack(room, { agentId, sessionId });
    await work.sessions.cameBack(agentId, sessionId).catch((error: unknown) => {
      // A file that is there but cannot be read is there all the same.
      if (!(error instanceof PatchbayError)) throw error;
    });
    return null;
  }

  delete({ room }: What): Promise<void> {
    return this.#options.storage.removed.delete(room);
  }

  async settle({ agentId, sessionId, room }: What): Promise<boolean> {
    const { storage, agents } = this.#options;
    const isInUse =
      agents.get(agentId) !== undefined && (await storage.sessions(agentId)).includes(sessionId);
    if (!storage.removed.has(room)) {
      // Nothing was moved yet, but a place for it was made.
      if (isInUse) await storage.removed.delete(room);
      return !isInUse;
    }
    // What belongs to it and was not moved any more; never that of another one that has its id by now.
    if (!isInUse && agents.get(agentId)) await storage.removed.take(room, { agentId, sessionId });
    return true;
  }
}
