import type { Replays } from "../../../agents/replay/replays.ts";
import type { Views } from "../../../views/views.ts";
import { done, procedures } from "../../implementer.ts";

export interface ReplayNeeds {
  replays: Pick<Replays, "run" | "list" | "turn" | "discard" | "compare" | "keep" | "judge">;
  views: Pick<Views, "agentById">;
  /** Resolves when the agent's plugins with hooks, commands or channels have started or failed to. */
  ready(agentId: string): Promise<void>;
}

export function replayProcedures({ replays, views, ready }: ReplayNeeds) {
  const area = procedures.replays;
  const known = (agentId: string) => void views.agentById(agentId);
  return {
    run: area.run.handler(async ({ input: { agentId, sessionId, turnId, ...wish }, signal }) => {
      known(agentId);
      if (wish.plugins === "live") await ready(agentId);
      return replays.run({ agentId, sessionId, turnId }, wish, signal ?? new AbortController().signal);
    }),
    list: area.list.handler(({ input: { agentId } }) => {
      known(agentId);
      return replays.list(agentId);
    }),
    turn: area.turn.handler(({ input: { agentId, replayId } }) => replays.turn(agentId, replayId)),
    discard: area.discard.handler(({ input: { agentId, replayId } }) => {
      replays.discard(agentId, replayId);
      return done;
    }),
    compare: area.compare.handler(({ input: { agentId, left, right } }) => {
      known(agentId);
      return replays.compare(agentId, left, right);
    }),
    keep: area.keep.handler(({ input }) => {
      known(input.agentId);
      return replays.keep(input);
    }),
    judge: area.judge.handler(async ({ input: { agentId, ...test }, signal }) => {
      known(agentId);
      await ready(agentId);
      return replays.judge(agentId, test, signal ?? new AbortController().signal);
    }),
  };
}
