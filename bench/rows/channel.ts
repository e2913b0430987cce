import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Core } from "../core/core.ts";
import type { Result, Row } from "../row.ts";
import { median, percentile } from "../stats.ts";

interface Answer {
  conversation: string;
  text: string;
  first: number | null;
}

const key = "bench-channel";
const said = "This is what it says.";
const goalMs = 50;

/**
 * Messages through a native channel: milliseconds until the first piece of an answer is back, and whether any of many
 * messages at once is lost.
 */
export const channel: Row = {
  id: "channel",
  async run({ quick }) {
    const folder = await mkdtemp(join(tmpdir(), "patchbay-bench-script-"));
    try {
      await using core = await Core.open([key]);
      const file = join(folder, "script.json");
      await writeFile(file, JSON.stringify(Array.from({ length: 8 }, () => ({ say: said }))));
      await core.agent("a", [key]);
      await core.client.agents.update({ agentId: "a", model: { kind: "scripted", file } });
      const talk = async (what: object): Promise<Answer[]> => {
        const request = { headers: {}, rawBody: Buffer.from(JSON.stringify(what)) };
        const answer = await core.app.handleWebhook("a", key, request, new AbortController().signal);
        return JSON.parse(answer.body ?? "[]");
      };
      await talk({ prefix: "warm", conversations: 10, messages: 3, atOnce: 1 });
      const alone = await talk({ prefix: "one", conversations: quick ? 20 : 100, messages: 3, atOnce: 1 });
      const firsts = alone.map(({ first }) => first ?? Number.POSITIVE_INFINITY);
      const p95 = percentile(firsts, 0.95);

      const wanted = quick ? 100 : 1_000;
      const begin = performance.now();
      const crowd = await talk({ prefix: "crowd", conversations: wanted, messages: 2, atOnce: 50 });
      const ms = performance.now() - begin;
      const right = crowd.filter(({ text }) => text === said).length;
      const { conversations } = await core.client.agentPlugins.traffic({ agentId: "a", key, limit: 200 });
      const { received, sent, count } = await core.client.agentPlugins.traffic({ agentId: "a", key });
      const all = alone.length + 30 + wanted * 2;
      const lost = Math.max(wanted * 2 - right, all - received, all - sent);
      const results: Result[] = [
        {
          row: "channel",
          what: "Message into a channel's process to the first piece of the answer there, p95",
          value: p95,
          unit: "ms",
          baseline: null,
          goal: `≤ ${goalMs} ms`,
          met: p95 <= goalMs,
          notes: { p50: median(firsts), longest: Math.max(...firsts), messages: firsts.length },
        },
        {
          row: "channel",
          what: `${wanted.toLocaleString("en")} conversations of two messages on one agent, 50 turns at once: a message`,
          value: ms / (wanted * 2),
          unit: "ms",
          baseline: null,
          goal: "nothing lost",
          met: lost === 0 && conversations.every((one) => one.received === one.sent),
          notes: { lost, conversations: count, totalMs: Math.round(ms) },
        },
      ];
      return results;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
