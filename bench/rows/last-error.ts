import { setTimeout as pause } from "node:timers/promises";
import { Core } from "../core/core.ts";
import type { Row } from "../row.ts";
import { median, percentile } from "../stats.ts";

/** From a plugin's reportRuntimeError to a screen that listens over a WebSocket. */
export const lastError: Row = {
  id: "last-error",
  async run({ quick }) {
    await using core = await Core.open(["bench-reporter"]);
    await core.agent("a", ["bench-reporter"]);
    const screen = await core.screen();
    const leaving = new AbortController();
    const events = await screen.app.events({}, { signal: leaving.signal });
    const rounds = quick ? 30 : 200;
    const warmup = 5;
    const samples: number[] = [];
    let seen = Promise.withResolvers<number>();
    let expected = "";
    const listen = async () => {
      for await (const event of events) {
        if (event.type !== "changes") continue;
        for (const change of event.changes) {
          const shown =
            change.type === "put" && change.collection === "agentPlugins"
              ? change.item.lastError?.message
              : undefined;
          if (shown !== undefined && shown !== expected && shown.startsWith("reported at")) {
            expected = shown;
            seen.resolve(performance.timeOrigin + performance.now() - Number(shown.split(" ").at(-1)));
          }
        }
      }
    };
    // The pending read is rejected as soon as the stream is left, so the rejection needs a handler from the beginning.
    const listening = listen().catch((error: unknown) => {
      if (!leaving.signal.aborted) seen.reject(error);
    });
    try {
      for (let round = 0; round < rounds + warmup; round += 1) {
        // The pause is random, so that reports also arrive while an earlier one is still being held back by the core.
        await pause(20 + Math.random() * 100);
        seen = Promise.withResolvers();
        await core.call("a", "report__error", {});
        const ms = await seen.promise;
        if (round >= warmup) samples.push(ms);
      }
    } finally {
      leaving.abort();
      await listening;
    }
    const p95 = percentile(samples, 0.95);
    return [
      {
        row: "last-error",
        what: "lastError from plugin to a screen over WebSocket, p95",
        value: p95,
        unit: "ms",
        baseline: null,
        goal: "≤ 50 ms",
        met: p95 <= 50,
        notes: { p50: median(samples), longest: Math.max(...samples) },
      },
    ];
  },
};
