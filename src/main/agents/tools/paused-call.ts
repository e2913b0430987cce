import { PatchbayError, type PauseEdit } from "../../../contract/index.ts";
import { type PauseDesk, type PausePoint, pauseAt } from "../pause/desk.ts";
import type { ArgumentChecker } from "./arguments.ts";
import { type Ending, type FoundCall, payloadOf, readable, scopeOf, vetoed } from "./tool-call.ts";

/** The person gave the result in the tool's place, between the two rounds of the hooks. */
class GivenResult extends Error {
  readonly ending: Ending;
  constructor(ending: Ending) {
    super("the person gave the result");
    this.ending = ending;
  }
}

/**
 * Asks the hooks on tool.before, and stops between their rounds if somebody wants that: every plugin has changed what it
 * wants to change by then, and every hook that may refuse is asked about what the person made of it. Undefined: the call may
 * go on.
 * @throws PatchbayError ABORTED when the person stopped the turn
 */
export async function askPausing(
  call: FoundCall,
  desk: PauseDesk,
  checker: ArgumentChecker,
): Promise<Ending | undefined> {
  if (!call.bus.has("tool.before@v1")) return pauseBefore(call, desk, checker);
  const payload = payloadOf(call, { caller: call.request.caller as unknown });
  try {
    const answer = await call.bus.veto("tool.before@v1", payload, scopeOf(call), async (now, by, edited) => {
      call.changedBy = [...by];
      take(call, now.args, edited);
      const given = await pauseBefore(call, desk, checker);
      if (given) throw new GivenResult(given);
      return call.args === now.args ? now : { ...now, args: call.args };
    });
    return answer.allowed ? undefined : vetoed(call, answer);
  } catch (error) {
    if (error instanceof GivenResult) return error.ending;
    throw error;
  }
}

/** Stops before the tool runs. An ending: the person gave the result. */
async function pauseBefore(
  call: FoundCall,
  desk: PauseDesk,
  checker: ArgumentChecker,
): Promise<Ending | undefined> {
  const { title, parameters } = call.found.info;
  const went = await pauseAt(desk, {
    ...placeOf(call),
    where: "tool",
    canSkip: true,
    facts: () => factsOf(call),
    subject: () => ({ where: "tool", arguments: call.args }),
    more: () => ({ schema: parameters }),
    check: (edit) => {
      if (edit.where === "tool") checker.check(title, parameters, edit.arguments);
    },
  });
  if (went?.action === "skip")
    return { outcome: "executed", output: { content: [{ type: "text", text: went.given }] }, problem: null };
  if (went?.edit?.where === "tool") take(call, went.edit.arguments, true);
  return undefined;
}

/** Stops after the tool has answered, before the hooks on its result: they get what the person made of it. */
export async function pauseAfter(call: FoundCall, ending: Ending, desk: PauseDesk): Promise<Ending> {
  const { content } = readable(ending);
  const isError = ending.outcome !== "executed";
  const subject: PauseEdit = { where: "result", content, isError };
  const went = await pauseAt(desk, {
    ...placeOf(call),
    where: "result",
    canSkip: false,
    facts: () => ({ ...factsOf(call), isError, ms: call.tookMs, result: textOf(content) }),
    subject: () => subject,
    more: () => ({ arguments: call.args, problem: ending.problem }),
    check: () => {},
  });
  if (went?.action !== "continue" || went.edit?.where !== "result") return ending;
  const output = { ...ending.output, content: went.edit.content };
  if (!went.edit.isError) return { outcome: "executed", output, problem: null };
  const message = `The result of ${call.found.info.title} was marked as failed by you.`;
  return {
    outcome: "failed",
    output,
    problem: ending.problem ?? new PatchbayError("TOOL_FAILED", message).toProblem(),
  };
}

/** Other arguments from here on; `byPerson`: the person has a hand in it. Records it when they are others. */
function take(call: FoundCall, args: Record<string, unknown>, byPerson: boolean): void {
  const { id: toolCallId, changedBy } = call;
  if (args === call.args) return;
  if (byPerson) call.editedByPerson ??= { before: call.args };
  call.args = args;
  const mark = byPerson && { byPerson: true as const };
  call.span.record({ type: "tool_rewritten", toolCallId, arguments: args, changedBy, ...mark });
}

function placeOf(
  call: FoundCall,
): Omit<PausePoint, "where" | "canSkip" | "facts" | "subject" | "more" | "check"> {
  const { agentId, sessionId, tool, caller, signal } = call.request;
  return {
    agentId,
    sessionId,
    caller,
    title: call.found.info.title,
    tool: { name: tool, callId: call.id },
    plugin: call.owner,
    hook: null,
    span: call.span,
    signal,
    canEdit: true,
  };
}

function factsOf({ request, args, owner, found }: FoundCall): Record<string, unknown> {
  const { tool, caller, sessionId } = request;
  return { tool, title: found.info.title, plugin: owner, args, caller, session: sessionId };
}

function textOf(content: readonly { type: string; text?: string }[]): string {
  return content.map(({ text = "" }) => text).join("\n");
}
