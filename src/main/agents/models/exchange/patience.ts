import type { Problem } from "../../../../contract/index.ts";

/** The longest that is waited for because a provider asks for it, in milliseconds. */
const longestWaitMs = 120_000;

/**
 * How long to wait before a model that failed is asked again, in milliseconds; null: it would not help, or was tried often
 * enough. @param attempt how often it was asked already
 */
export function waitBefore(problem: Problem, attempt: number, now: number): number | null {
  const asked = retryAt(problem);
  switch (problem.code) {
    case "MODEL_BUSY": {
      if (attempt > 4) return null;
      if (asked === null) return Math.min(30_000, 2_000 * 2 ** (attempt - 1));
      return asked - now > longestWaitMs ? null : Math.max(500, asked - now);
    }
    case "MODEL_BROKEN":
      if (attempt > 2) return null;
      return asked !== null && asked - now <= longestWaitMs ? Math.max(500, asked - now) : 1_000 * attempt;
    case "MODEL_CUT":
      return attempt > 2 ? null : 500 * attempt;
    default:
      return null;
  }
}

function retryAt({ details }: Problem): number | null {
  const time = typeof details?.retryAt === "string" ? Date.parse(details.retryAt) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
