import { callTimes } from "../../contract/by-hand/call-times.ts";
import { fromProblem, type RepeatedCall } from "../../contract/index.ts";
import { readUntil } from "../../main/base/read-until.ts";
import type { CliContext, Client } from "../context.ts";

interface AskedCalls {
  agentId: string;
  name: string;
  input: Record<string, unknown>;
  sessionId: string | undefined;
  straight: boolean;
  times: number;
}

/**
 * Makes the same call many times and prints how long they took. Stopped in between, it prints those that were made.
 * @throws PatchbayError TOOL_ASKS, or what else refused the first call
 */
export async function repeatCall(
  { output, signal: stopped }: CliContext,
  client: Client,
  asked: AskedCalls,
  signal: AbortSignal,
): Promise<0 | 1> {
  const calls: RepeatedCall[] = [];
  for await (const call of readUntil(await client.tools.repeat(asked, { signal }), signal)) {
    calls.push(call);
    if (call.index % 100 === 99 && call.index + 1 < asked.times)
      output.note(`${call.index + 1} of ${asked.times}`);
  }
  const last = calls.at(-1);
  if (last?.outcome === "rejected" && last.problem) throw fromProblem(last.problem);
  const times = callTimes(calls);
  if (!times) signal.throwIfAborted();
  const failed = calls.find(({ problem }) => problem !== null)?.problem ?? null;
  const isWhole = calls.length === asked.times && !stopped.aborted;
  output.result({ ...times, times: calls.map(({ ms }) => ms), stopped: !isWhole, problem: failed }, () => {
    const words = [`${calls.length} calls`, `${times?.failures ?? 0} failed`];
    const figures = times && [`p50 ${ms(times.p50)}`, `p95 ${ms(times.p95)}`, `max ${ms(times.max)}`];
    return [
      `${[...words, ...(figures ?? [])].join(" · ")}${isWhole ? "" : " (stopped)"}`,
      ...(failed ? [`${output.paint.bad("✗")} ${failed.message}`] : []),
    ].join("\n");
  });
  return failed ? 1 : 0;
}

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
}
