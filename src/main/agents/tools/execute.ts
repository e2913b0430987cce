import type { Clock } from "../../base/clock.ts";
import { TimeLimitError } from "../../base/limit.ts";
import { publicJudge } from "../../platform/walls/network/public-judge.ts";
import type { NetworkJudge } from "../../platform/walls/wall.ts";
import { type ToolOutput, WatchedScope } from "../../runtimes/plugin-call.ts";
import { type LimitKeeper, withinLimit } from "../call-limit.ts";
import type { AgentPool, AuditSink, LimitSource, SecretLookup } from "../ports.ts";
import { redactDeep } from "../redact.ts";
import { type Ending, type FoundCall, failed, refused } from "./tool-call.ts";

interface ExecuteServices {
  pool: AgentPool;
  keeper: LimitKeeper;
  settings: LimitSource;
  clock: Clock;
  /** Patchbay's own folder. */
  root: string;
  audit: AuditSink;
  secrets: SecretLookup;
  /** What commands of an agent reach; absent: the public internet. */
  networkOf?(agentId: string): NetworkJudge;
}

/** Runs the tool itself, under its time limit and the signal of the request. Never rejects. */
export function execute(call: FoundCall, services: ExecuteServices): Promise<Ending> {
  const { span, id: toolCallId } = call;
  const limitMs = services.settings.get().limits.toolMs;
  let running = true;
  span.record({ type: "tool_started", toolCallId });
  const end = (ending: Ending): Ending => {
    running = false;
    const { output, problem } = ending;
    span.record({ type: "tool_answered", toolCallId, output, problem });
    return ending;
  };
  const onUpdate = (text: string) => {
    if (!running) return;
    span.recorder.recordNoise(span, { type: "tool_progress", toolCallId, text });
    call.request.onProgress?.(redactDeep(text, services.secrets));
  };
  return run(call, limitMs, services, onUpdate).then(
    (output) => end({ outcome: "executed", output, problem: null }),
    (error) => end(endingOf(error, call, limitMs)),
  );
}

function run(
  call: FoundCall,
  limitMs: number,
  services: ExecuteServices,
  onUpdate: (text: string) => void,
): Promise<ToolOutput> {
  const { request, found } = call;
  const { pool, keeper, clock } = services;
  const { sessionId, caller } = request;
  return withinLimit<ToolOutput>({
    limitMs,
    clock,
    signal: request.signal,
    keeper,
    agentId: request.agentId,
    pluginKey: call.owner ?? "",
    run: (abort) =>
      found.kind === "builtin"
        ? found.tool.execute(call.args, {
            workspace: call.agent.workspace,
            root: services.root,
            network: services.networkOf?.(request.agentId) ?? publicJudge(),
            refused: ({ wall, target, seenBy }) =>
              services.audit.record({
                kind: "wall.refused",
                agentId: request.agentId,
                tool: request.tool,
                wall,
                target,
                seenBy,
              }),
            signal: abort.signal,
            clock,
            onUpdate,
            keepForChat: request.keepForChat,
          })
        : pool.call(
            request.agentId,
            found.owner,
            { kind: "tool", name: request.tool, input: call.args, toolCallId: call.id, onUpdate },
            new WatchedScope(abort, { sessionId, caller, ...call.span.place }),
          ),
  });
}

function endingOf(error: unknown, { found }: FoundCall, limitMs: number): Ending {
  if (!(error instanceof TimeLimitError)) return failed(error);
  const limit = `${Math.round(limitMs / 100) / 10} s`;
  return refused("timed_out", "TOOL_TIMEOUT", `${found.info.title} did not end within ${limit}.`);
}
