import type { Allowance, Approval, Caller } from "../../../contract/index.ts";
import { covers } from "../tools/policy.ts";

export type SessionGrant = Omit<Allowance, "session">;

/** Tools that the person allowed for the rest of one conversation, each to whoever had asked. They end with it, and with Patchbay. */
export class SessionGrants {
  /** `<agent>/<session>` → `<tool> <caller>` → what was allowed. */
  readonly #grants = new Map<string, Map<string, SessionGrant>>();

  has(agentId: string, sessionId: string, tool: string, caller: Caller): boolean {
    return this.#grants.get(`${agentId}/${sessionId}`)?.has(nameOf(tool, caller)) === true;
  }

  add({ agentId, sessionId, tool, title, owner, caller }: Approval, at: string): void {
    const place = `${agentId}/${sessionId}`;
    let grants = this.#grants.get(place);
    if (!grants) {
      grants = new Map();
      this.#grants.set(place, grants);
    }
    grants.set(nameOf(tool, caller), { sessionId, tool, title, owner, caller, at });
  }

  /** Of all conversations of an agent, oldest first. */
  of(agentId: string): SessionGrant[] {
    const own = [...this.#grants].filter(([place]) => place.startsWith(`${agentId}/`));
    return own.flatMap(([, grants]) => [...grants.values()]);
  }

  /** The next call asks again. Nothing happens where nothing was allowed. */
  takeBack(agentId: string, sessionId: string, tool: string, caller: Caller): void {
    this.#grants.get(`${agentId}/${sessionId}`)?.delete(nameOf(tool, caller));
  }

  /** Ends what was allowed of the tools that a rule names, in every conversation: the person has said something else of them. */
  endOf(agentId: string, pattern: string): void {
    for (const [place, grants] of this.#grants) {
      if (!place.startsWith(`${agentId}/`)) continue;
      for (const [name, { tool }] of grants) if (covers(pattern, tool)) grants.delete(name);
    }
  }

  end(agentId: string, sessionId: string): void {
    this.#grants.delete(`${agentId}/${sessionId}`);
  }
}

function nameOf(tool: string, caller: Caller): string {
  return caller.kind === "owner"
    ? `${tool} owner`
    : `${tool} ${JSON.stringify([caller.channel, caller.userId])}`;
}
