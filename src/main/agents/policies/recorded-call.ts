import {
  type Agent,
  type Caller,
  type CallWhy,
  PatchbayError,
  type RecordEvent,
  type RecordEventOf,
  type Trust,
} from "../../../contract/index.ts";
import { turnOf, whole } from "../record/read-record.ts";
import type { LiveSession } from "../sessions/session.ts";
import { builtinTools } from "../tools/builtin/index.ts";
import { explain } from "../tools/explain.ts";
import { decidePolicy } from "../tools/policy.ts";
import { subjectOf } from "../tools/rights.ts";
import type { FoundTool } from "../tools/tool-catalog.ts";
import type { Offer, TurnWorld } from "../turns/world.ts";

/** What the rules of now say of a tool; null: it is not there. */
type Now = (tool: string, caller: Caller) => CallWhy["now"];

/**
 * Why a call of a recorded turn was allowed, asked about or refused.
 * @throws PatchbayError TURN_NOT_FOUND when there is no record of it, or it never came to the rules
 */
export async function whyCalled(
  { events }: Pick<LiveSession, "events">,
  turnId: string,
  toolCallId: string,
  now: Now,
): Promise<CallWhy> {
  const turn = turnOf(await events.readEvents(), turnId);
  const own = turn.filter((event) => "toolCallId" in event && event.toolCallId === toolCallId);
  const called = own.find((event) => event.type === "tool_called");
  const judged = own.find((event) => event.type === "tool_judged");
  if (!called || !judged)
    throw new PatchbayError("TURN_NOT_FOUND", `There is no record of the rules for the call ${toolCallId}.`);
  const { tool, caller } = called;
  const before = turn.filter(
    (event) => event.type === "turn_begun" || (event.type === "offer_changed" && event.seq < judged.seq),
  );
  const spanHooks = turn.filter(
    (event): event is RecordEventOf<"hook_answered"> =>
      event.type === "hook_answered" && event.event === "tool.before@v1" && event.parentId === called.spanId,
  );
  return {
    tool,
    title: judged.title ?? called.title,
    owner: judged.owner,
    caller,
    effect: judged.effect,
    rule: judged.rule,
    judgement: judgedThen(await whole(before, (address) => events.getBlob(address)), called, judged),
    after: own.flatMap((event) => afterRules(event, spanHooks)),
    now: now(tool, caller),
  };
}

/** By the rules and the offer of the record. Null when they lead elsewhere than the call: a rule changed meanwhile. */
function judgedThen(
  before: readonly RecordEvent[],
  { tool, caller }: RecordEventOf<"tool_called">,
  { effect, rule }: RecordEventOf<"tool_judged">,
): CallWhy["judgement"] {
  let agent: Pick<Agent, "policy"> | undefined;
  let offer: Offer | undefined;
  for (const event of before) {
    // We wrote both ourselves; what is no longer stored has no such fields.
    if (event.type === "turn_begun") offer = event.world as TurnWorld;
    if (event.type === "turn_begun") agent = (event.world as TurnWorld).agent;
    if (event.type === "offer_changed") offer = event.offer as Offer;
  }
  const found = offer && foundIn(offer, tool);
  if (!agent?.policy || !offer || !found) return null;
  const trust = { get: (key: string) => trustIn(offer, key) };
  const verdict = decidePolicy(agent.policy, subjectOf(found, caller, trust));
  if (verdict.effect !== effect || verdict.rule !== rule) return null;
  return explain(agent, found, caller, trust);
}

function foundIn({ live }: Offer, name: string): FoundTool | undefined {
  const builtin = builtinTools.get(name);
  if (builtin) return { kind: "builtin", info: builtin.info, tool: builtin };
  const info = live?.tools?.find((tool) => tool.name === name);
  return info?.owner ? { kind: "plugin", info, owner: info.owner } : undefined;
}

function trustIn({ trust }: Offer, key: string): { trust: Trust } | undefined {
  const known = trust?.[key];
  return known && { trust: known };
}

function afterRules(
  event: RecordEvent,
  hooks: readonly RecordEventOf<"hook_answered">[],
): CallWhy["after"][number][] {
  switch (event.type) {
    case "tool_rewritten":
      return [{ kind: "rewritten", by: event.changedBy }];
    case "approval_known":
      return [{ kind: "known", basis: event.basis }];
    case "approval_answered": {
      const { status, scope, decidedBy, reason } = event;
      return [{ kind: "answered", status, scope, by: decidedBy, reason }];
    }
    case "tool_ended": {
      if (event.outcome !== "vetoed") return [];
      const blocker = hooks.findLast(({ decision }) => blocks.has(decision));
      return blocker ? [{ kind: "vetoed", by: blocker.owner, reason: blocker.reason ?? null }] : [];
    }
    default:
      return [];
  }
}

const blocks: ReadonlySet<RecordEventOf<"hook_answered">["decision"]> = new Set([
  "denied",
  "failed",
  "timed_out",
  "not_running",
]);
