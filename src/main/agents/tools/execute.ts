import { PatchbayError } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import { TimeLimitError } from "../../base/limit.ts";
import { publicJudge } from "../../platform/walls/network/public-judge.ts";
import type { NetworkJudge } from "../../platform/walls/wall.ts";
import { type ToolOutput, WatchedScope } from "../../runtimes/plugin-call.ts";
import { type LimitKeeper, withinLimit } from "../call-limit.ts";
import { handingTo } from "../effects/effect-sink.ts";
import { callPassed } from "../offered/passed-on.ts";
import type {
  AgentPool,
  AuditSink,
  JudgeRefusedHost,
  LimitSource,
  LiveContributions,
  SecretLookup,
} from "../ports.ts";
import { between } from "../record/project-tool.ts";
import type { Span } from "../record/recorder.ts";
import { redactDeep } from "../redact.ts";
import { type Ending, type FoundCall, failed, refused } from "./tool-call.ts";
import type { FoundTool } from "./tool-catalog.ts";

interface ExecuteServices {
  pool: AgentPool;
  keeper: LimitKeeper;
  settings: LimitSource;
  clock: Clock;
  /** Patchbay's own folder. */
  root: string;
  audit: AuditSink;
  secrets: SecretLookup;
  /** What the commands of a call reach; absent: the public internet. */
  networkOf?(agentId: string, during: Span["place"]): NetworkJudge;
  refusedHost?: JudgeRefusedHost | undefined;
}

/** Runs the tool itself, under its time limit and the signal of the request. Never rejects. */
export function execute(call: FoundCall, services: ExecuteServices): Promise<Ending> {
  const { span, id: toolCallId } = call;
  const limitMs = services.settings.get().limits.toolMs;
  const since = services.clock.now();
  let running = true;
  call.ran = true;
  const started = span.record({ type: "tool_started", toolCallId });
  const end = (ending: Ending): Ending => {
    running = false;
    const { output, problem } = ending;
    const answered = span.record({ type: "tool_answered", toolCallId, output, problem });
    call.tookMs = between(started.at, answered.at);
    return ending;
  };
  const onUpdate = (text: string) => {
    if (!running) return;
    span.recorder.recordNoise(span, { type: "tool_progress", toolCallId, text });
    call.request.onProgress?.(redactDeep(text, services.secrets));
  };
  return run(call, limitMs, services, onUpdate).then(
    (output) => end({ outcome: "executed", output, problem: null }),
    (error) => end(withOffer(endingOf(error, call, limitMs), call, since, services.refusedHost)),
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
    sessionId,
    run: (abort, goesOn) =>
      found.kind === "builtin"
        ? found.tool.execute(call.args, {
            workspace: call.agent.workspace,
            root: services.root,
            skills: () => skillFiles(pool.live(request.agentId).skills),
            network: services.networkOf?.(request.agentId, call.span.place) ?? publicJudge(),
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
        : askPlugin(
            call,
            found,
            pool,
            onUpdate,
            new WatchedScope(abort, {
              sessionId,
              caller,
              ...call.span.place,
              goesOn,
              effects: handingTo(call.effects, found.owner, call.span),
            }),
          ),
  });
}

function askPlugin(
  { id: toolCallId, args, request }: FoundCall,
  { info, owner }: FoundTool & { kind: "plugin" },
  pool: AgentPool,
  onUpdate: (text: string) => void,
  scope: WatchedScope,
): Promise<ToolOutput> {
  const { agentId, tool: name } = request;
  if (info.passes) return callPassed({ agentId, owner, passes: info.passes }, args, pool, scope);
  return pool.call(agentId, owner, { kind: "tool", name, input: args, toolCallId, onUpdate }, scope);
}

function endingOf(error: unknown, { found }: FoundCall, limitMs: number): Ending {
  if (!(error instanceof TimeLimitError)) return failed(error);
  const limit = `${Math.round(limitMs / 100) / 10} s`;
  return refused("timed_out", "TOOL_TIMEOUT", `${found.info.title} did not end within ${limit}.`);
}

function skillFiles(skills: LiveContributions["skills"]): string[] {
  return skills.flatMap(({ file }) => (file === undefined ? [] : [file]));
}

/**
 * The end of a failed call with the host that the person may add, as the core judges it. Only for calls of the owner: what
 * comes through a channel was asked for by somebody else. A replay has no judge: what was recorded was judged then.
 */
function withOffer(
  ending: Ending,
  { request, args, owner }: FoundCall,
  since: number,
  judge: JudgeRefusedHost | undefined,
): Ending {
  const { problem, outcome } = ending;
  if (!judge || !problem || outcome !== "failed" || owner === null) return ending;
  const { refusedHost: _forged, ...rest } = problem.details ?? {};
  const isSaid = problem.code === "HOST_NOT_ALLOWED";
  const told = isSaid ? failed(new PatchbayError("TOOL_FAILED", problem.message)) : ending;
  const plain = isSaid || !problem.details ? told : { ...ending, problem: { ...problem, details: rest } };
  const { agentId, caller, input } = request;
  if (caller.kind !== "owner") return plain;
  const said = isSaid ? rest.host : undefined;
  const found = judge({ agentId, pluginKey: owner, said, inputs: [input, args], since });
  if (!found) return plain;
  const { plugin, host, reads, by } = found;
  const offer = { refusedHost: { host, ...(reads !== undefined && { reads }) } };
  if (by === "settings") {
    const details = { plugin, host, ...offer };
    return failed(new PatchbayError("HOST_NOT_ALLOWED", `${plugin} may not reach ${host} yet.`, { details }));
  }
  // What the wall refused may not be why the call failed, so the plugin's own sentence stays.
  return { ...plain, problem: plain.problem && { ...plain.problem, details: { ...rest, ...offer } } };
}
