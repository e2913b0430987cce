import { type Caller, PatchbayError } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import { TimeLimitError } from "../../base/limit.ts";
import { type CallResult, type PluginCall, WatchedScope } from "../../runtimes/plugin-call.ts";
import { type LimitKeeper, withinLimit } from "../call-limit.ts";
import type { AgentPool, LimitSource } from "../ports.ts";

export interface CallingOptions {
  pool: AgentPool;
  settings: LimitSource;
  keeper: LimitKeeper;
  clock: Clock;
}

/**
 * Asks a plugin for something outside of turns, within the time that its tools have.
 * @throws PatchbayError COMMAND_TIMEOUT, ABORTED, and what the call fails with
 */
export async function callPlugin<C extends PluginCall>(
  { pool, settings, keeper, clock }: CallingOptions,
  call: C,
  of: {
    agentId: string;
    owner: string;
    sessionId: string;
    caller: Caller;
    signal: AbortSignal;
    limitMs?: number;
  },
): Promise<CallResult<C>> {
  const { agentId, owner, sessionId, caller, signal } = of;
  const limitMs = of.limitMs ?? settings.get().limits.toolMs;
  try {
    return await withinLimit({
      ...{ limitMs, clock, signal, keeper, agentId, pluginKey: owner, sessionId },
      run: (abort) => pool.call(agentId, owner, call, new WatchedScope(abort, { sessionId, caller })),
    });
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error;
    const text = `${owner} did not answer within ${Math.round(limitMs / 1000)} s.`;
    throw new PatchbayError("COMMAND_TIMEOUT", text, { cause: error });
  }
}
