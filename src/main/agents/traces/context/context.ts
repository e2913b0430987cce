import type { Message } from "@earendil-works/pi-ai";
import { z } from "zod";
import {
  type ContextShare,
  contextTextLimit,
  type ModelContext,
  PatchbayError,
  type RecordEvent,
  type RecordEventOf,
} from "../../../../contract/index.ts";
import { turnOf, whole } from "../../record/read-record.ts";
import type { LiveSession } from "../../sessions/session.ts";
import type { PromptSection } from "../../turns/prompt.ts";
import type { Offer } from "../../turns/world.ts";
import { messageChanges, sectionChanges } from "./changes.ts";
import { partsOf, type WholePart } from "./parts.ts";
import { estimate, shareOut, weightOf } from "./tokens.ts";

type Recorded = Pick<LiveSession, "events">;

/** The part of a request that is read here. We wrote it ourselves; what is no longer kept has no such fields. */
const requestSchema = z.looseObject({
  model: z.looseObject({ id: z.string(), contextWindow: z.number().optional() }),
  messages: z.array(z.looseObject({ role: z.string() })),
});

/** One model call of a turn, with all that is kept of it. */
export interface SentCall {
  asked: RecordEventOf<"model_asked">;
  answered: RecordEventOf<"model_answered"> | undefined;
  window: number | null;
  model: string;
  parts: WholePart[];
  /** Of each part; together `tokens`. */
  shares: number[];
  tokens: number;
  counted: boolean;
}

/** What the model was sent in a call of a turn; the last one without `index`. @throws PatchbayError TURN_NOT_FOUND */
export async function contextOf(session: Recorded, turnId: string, index?: number): Promise<ModelContext> {
  const turn = await eventsOf(session, turnId);
  const { calls, asked } = callIn(turn, turnId, index);
  const events = await whole(
    turn.filter((event) => isNeeded(event, [asked])),
    getter(session),
  );
  const call = sentCall(events, asked.spanId, turnId);
  const { answered, parts, shares, tokens, counted } = call;
  return {
    call: calls.indexOf(asked) + 1,
    calls: calls.length,
    model: answered?.model ?? call.model,
    window: call.window,
    tokens,
    counted,
    answer: answered?.usage?.output ?? null,
    cost: requestCost(answered),
    parts: parts.map(({ text, changes, ...part }, at) => ({
      ...part,
      index: at,
      ...cut(text),
      tokens: shares[at] ?? 0,
      changes: changes.map(({ owner, before, after }) => ({
        owner,
        before: before && cut(before).text,
        after: cut(after).text,
      })),
    })),
    changes: messageChanges(events, asked.spanId).map(({ owner, removed, added }) => ({
      owner,
      removed: removed.map(({ role, text }) => ({ role, ...cut(text) })),
      added: added.map(({ role, text }) => ({ role, ...cut(text) })),
    })),
    shares: sharesOf([call]),
  };
}

/** The whole text of a part. @throws PatchbayError TURN_NOT_FOUND */
export async function contextText(
  session: Recorded,
  turnId: string,
  index: number,
  part: number,
): Promise<string> {
  const turn = await eventsOf(session, turnId);
  const { asked } = callIn(turn, turnId, index);
  const events = await whole(
    turn.filter((event) => isNeeded(event, [asked])),
    getter(session),
  );
  const found = sentCall(events, asked.spanId, turnId).parts[part];
  if (!found) throw notKept(turnId);
  return found.text;
}

/** Every call of a turn whose request is still kept. */
export async function callsOfTurn(session: Recorded, turnId: string): Promise<SentCall[]> {
  const turn = await eventsOf(session, turnId);
  const calls = turn.filter((event) => event.type === "model_asked");
  const events = await whole(
    turn.filter((event) => isNeeded(event, calls)),
    getter(session),
  );
  return calls.flatMap(({ spanId }) => {
    const asked = events.find((event) => event.type === "model_asked" && event.spanId === spanId);
    return asked?.type === "model_asked" && requestSchema.safeParse(asked.request).success
      ? [sentCall(events, spanId, turnId)]
      : [];
  });
}

/** What each plugin put into requests, the most first, and its part of what they cost. */
export function sharesOf(calls: readonly SentCall[]): ContextShare[] {
  const all = new Map<string | null, ContextShare>();
  for (const { answered, parts, shares, tokens } of calls) {
    const price = requestCost(answered);
    for (const [at, { owner }] of parts.entries()) {
      const share = shares[at] ?? 0;
      const known = all.get(owner) ?? { owner, tokens: 0, cost: 0 };
      const cost =
        price === null || known.cost === null ? null : known.cost + (price * share) / (tokens || 1);
      all.set(owner, { owner, tokens: known.tokens + share, cost });
    }
  }
  return [...all.values()].sort((one, other) => other.tokens - one.tokens);
}

/** What a request cost without its answer; null where no price is known. */
function requestCost(answered: SentCall["answered"]): number | null {
  const cost = answered?.cost;
  return cost ? cost.input + cost.cacheRead + cost.cacheWrite : null;
}

function sentCall(events: readonly RecordEvent[], spanId: string, turnId: string): SentCall {
  const asked = events.find((event) => event.type === "model_asked" && event.spanId === spanId);
  const answered = events.find((event) => event.type === "model_answered" && event.spanId === spanId);
  const request = requestSchema.safeParse(asked?.type === "model_asked" ? asked.request : undefined).data;
  if (asked?.type !== "model_asked" || !request) throw notKept(turnId);
  const begun = events.find((event) => event.type === "turn_begun");
  const prompt = events.findLast((event) => event.type === "prompt_made" && event.seq < asked.seq);
  const received = events.find((event) => event.type === "message_received");
  let offer: Offer | undefined;
  for (const event of events) {
    if (event.seq > asked.seq) break;
    if (event.type === "turn_begun") offer = event.world as Offer;
    if (event.type === "offer_changed") offer = event.offer as Offer;
  }
  const parts = partsOf(request.messages as unknown as Message[], {
    sections:
      prompt?.type === "prompt_made" && Array.isArray(prompt.sections)
        ? (prompt.sections as PromptSection[])
        : [],
    changes: sectionChanges(events, begun?.spanId ?? ""),
    live: offer?.live,
    received: received?.type === "message_received" ? received : undefined,
    promptBy: messageChanges(events, spanId).at(-1)?.owner ?? null,
  });
  const answer = answered?.type === "model_answered" ? answered : undefined;
  const usage = answer?.usage;
  const counted = usage ? usage.input + usage.cacheRead + usage.cacheWrite : 0;
  const weights = parts.map((part) => weightOf({ characters: part.text.length, pictures: part.pictures }));
  const tokens = counted > 0 ? counted : estimate(weights.reduce((all, one) => all + one, 0));
  const { contextWindow = 0 } = request.model;
  return {
    asked,
    answered: answer,
    model: request.model.id,
    window: contextWindow > 0 ? contextWindow : null,
    parts,
    shares: shareOut(weights, tokens),
    tokens,
    counted: counted > 0,
  };
}

/** What of a turn has to be read whole for these calls: not their answers, which may be as large. */
function isNeeded(event: RecordEvent, calls: readonly RecordEventOf<"model_asked">[]): boolean {
  switch (event.type) {
    case "turn_begun":
    case "offer_changed":
    case "prompt_made":
    case "message_received":
      return true;
    case "hook_asked":
    case "hook_answered":
      return (
        event.event === "prompt.assemble@v1" ||
        (event.event === "model.before@v1" && calls.some(({ spanId }) => spanId === event.parentId))
      );
    case "model_asked":
    case "model_answered":
      return calls.some(({ spanId }) => spanId === event.spanId);
    default:
      return false;
  }
}

function callIn(turn: readonly RecordEvent[], turnId: string, index?: number) {
  const calls = turn.filter((event) => event.type === "model_asked");
  const asked = index === undefined ? calls.at(-1) : calls[index - 1];
  if (!asked) throw notKept(turnId);
  return { calls, asked };
}

async function eventsOf({ events }: Recorded, turnId: string): Promise<RecordEvent[]> {
  return turnOf(await events.readEvents(), turnId);
}

function getter({ events }: Recorded): (address: string) => Promise<string | undefined> {
  return (address) => events.getBlob(address);
}

function cut(text: string): { text: string; characters: number } {
  return { text: text.slice(0, contextTextLimit).toWellFormed(), characters: text.length };
}

function notKept(turnId: string): PatchbayError {
  return new PatchbayError("TURN_NOT_FOUND", `What the model was sent in the turn ${turnId} is not kept.`);
}
