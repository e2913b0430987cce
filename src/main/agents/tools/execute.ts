import { TimeLimitError } from "../../base/limit.ts";
import { WatchedScope } from "../../runtimes/plugin-call.ts";
import { type ClockKeeper, withinLimit } from "../clock.ts";
import type { AgentPool, LimitSource } from "../ports.ts";
import { type Ending, type FoundCall, failed, refused } from "./tool-call.ts";

/** Runs the tool itself, under its time limit and the signal of the request. Never rejects. */
export async function execute(
  call: FoundCall,
  services: { pool: AgentPool; keeper: ClockKeeper; settings: LimitSource },
): Promise<Ending> {
  const { request, found } = call;
  const { pool, keeper, settings } = services;
  const limitMs = settings.get().limits.toolMs;
  const onUpdate = request.onProgress ?? ignore;
  const begin = performance.now();
  try {
    const output = await withinLimit({
      limitMs,
      signal: request.signal,
      keeper,
      agentId: request.agentId,
      pluginKey: call.owner ?? "",
      run: (abort) =>
        found.kind === "builtin"
          ? found.tool.execute(call.args, {
              workspace: call.agent.workspace,
              signal: abort.signal,
              onUpdate,
              keepForChat: request.keepForChat,
            })
          : pool.call(
              request.agentId,
              found.owner,
              { kind: "tool", name: request.tool, input: call.args, toolCallId: call.id, onUpdate },
              new WatchedScope(abort, request),
            ),
    });
    return { outcome: "executed", output, problem: null };
  } catch (error) {
    if (!(error instanceof TimeLimitError)) return failed(error);
    const limit = `${Math.round(limitMs / 100) / 10} s`;
    return refused("timed_out", "TOOL_TIMEOUT", `${found.info.title} did not end within ${limit}.`);
  } finally {
    call.executeMs = performance.now() - begin;
  }
}

function ignore(): void {}
