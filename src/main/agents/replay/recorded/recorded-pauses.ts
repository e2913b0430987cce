import { z } from "zod";
import { pauseEditSchema, type RecordEventOf } from "../../../../contract/index.ts";
import type { Answered, PauseDesk } from "../../pause/desk.ts";
import type { RecordedTurn } from "./recorded-turn.ts";

/** As `pauseAt` records it. */
const editSchema = z.object({ after: pauseEditSchema });

/**
 * The pauses of a replay: it is stopped where the turn was, and goes on as it did. `bySpan`: only in the very same span;
 * otherwise before the same tool, model or event, where a turn may go another way.
 */
export function recordedPauses(turn: RecordedTurn, { bySpan } = { bySpan: true }): PauseDesk {
  const paused = turn.all("paused");
  let reached = 0;
  let last: RecordEventOf<"paused"> | undefined;
  return {
    armed: paused.length > 0,
    hit: ({ span, where, title, plugin, hook }) => {
      const next = paused[reached];
      const isThere = bySpan ? next?.spanId === span.id && next.hookId === hook?.id : next?.owner === plugin;
      const isIt = isThere && next?.where === where && next.title === title;
      if (!next || !isIt) return undefined;
      reached += 1;
      last = next;
      return { breakpoint: next.breakpoint };
    },
    wait: ({ signal }) => {
      const seq = last?.seq;
      const resumed = turn.all("resumed").find((event) => event.paused === seq);
      if (resumed) return Promise.resolve(answered(resumed));
      // Patchbay was killed while it stood still: it ends with the replay.
      return new Promise((resolve) => {
        const stopped: Answered = { action: "stop", by: null, why: "stopped" };
        signal.addEventListener("abort", () => resolve(stopped), { once: true });
      });
    },
    // The record says when the turn was stopped.
    stop: async () => {},
  };
}

function answered({ action, by, why, edit, given }: RecordEventOf<"resumed">): Answered {
  const changed = editSchema.safeParse(edit).data?.after;
  return {
    action,
    by,
    ...(why && { why }),
    ...(changed && { edit: changed }),
    ...(given !== undefined && { given }),
  };
}
