import type { Message } from "@earendil-works/pi-ai";
import type { AgentMessage } from "@patchbay/plugin-sdk";
import { type Agent, PatchbayError } from "../../../../contract/index.ts";
import { type Clock, isoTime } from "../../../base/clock.ts";
import type { Ids } from "../../../base/ids.ts";
import type { EventBus } from "../../bus/event-bus.ts";
import type { HookScope } from "../../bus/hook-scope.ts";
import { type ReadyModel, readyModel } from "../../models/index.ts";
import type { SecretLookup } from "../../ports.ts";
import { answerOf, requestOf } from "../../record/exchange.ts";
import { type RecordSink, TurnRecorder } from "../../record/recorder.ts";
import type { LiveSession } from "../../sessions/session.ts";
import { heardBy } from "../asking.ts";
import { textOf, toMessages, toNeutral, userMessage } from "../transcript.ts";

/** Characters of the conversation that are kept when no model can summarise it. */
const PLAIN_LIMIT = 4_000;
const CHARACTERS_OF_A_TOKEN = 4;
/** Into so many parts at most a conversation is cut to find an end of it that a model can still summarise. */
const mostParts = 8;

const request =
  "Summarise this conversation so that it can go on from the summary alone: what was asked, what was done and found, " +
  "what is still open, and every name, path and number that matters. Answer with the summary only.";

interface SummaryServices {
  secrets: SecretLookup;
  clock: Clock;
  signal: AbortSignal;
  /** Under this id the request to the model and its answer are kept in the session's record, beside those of its turns. */
  turnId: string;
}

/**
 * Puts a summary, which hooks may write in the model's place, where the conversation was.
 * @returns the summary
 * @throws PatchbayError when the model cannot be used, HOOK_BLOCKED, ABORTED
 */
export async function compact(
  agent: Agent,
  session: LiveSession,
  {
    bus,
    scope,
    ids,
    secrets,
    clock,
  }: { bus: EventBus; scope: HookScope; ids: Ids } & Pick<SummaryServices, "secrets" | "clock">,
): Promise<string> {
  const place = { agentId: agent.id, sessionId: session.id };
  const { messages, tokens } = toBeSummarised(session);
  await bus.emit("compact.before@v1", { ...place, messages: session.view.messages, tokens }, scope);
  const { signal } = scope;
  let summary = await summarise(agent, session, { secrets, clock, signal, turnId: ids.next() });
  if (bus.has("compact.summary@v1")) {
    const given = await bus.transform("compact.summary@v1", { ...place, summary, messages }, scope);
    ({ summary } = given.payload);
  }
  await session.append({ type: "compaction", id: ids.next(), summary, at: isoTime(clock) });
  return summary;
}

/**
 * A summary of what the model would be sent of a session, written by the agent's model. Without a model, or with a
 * scripted one, the end of the conversation is used.
 * @throws PatchbayError when the model cannot be used, ABORTED
 */
async function summarise(agent: Agent, session: LiveSession, services: SummaryServices): Promise<string> {
  const { secrets, clock } = services;
  const messages = toMessages(session.path);
  if (agent.model.kind === "none") return plainSummary(messages);
  const model = await readyModel(agent, secrets, session.path, clock);
  return model.canSummarise ? summaryThatFits(model, messages, session, services) : plainSummary(messages);
}

/** Of a conversation that is too long even for a summary, the end is summarised: a half of it, then a quarter. */
async function summaryThatFits(
  model: ReadyModel,
  messages: Message[],
  session: LiveSession,
  services: SummaryServices,
): Promise<string> {
  let rest = messages;
  for (let parts = 1; parts <= mostParts; parts *= 2) {
    try {
      return await askForSummary(model, rest, session, services);
    } catch (error) {
      if (!(error instanceof PatchbayError) || error.code !== "MODEL_CONTEXT_FULL") throw error;
      // It begins with what somebody said: an answer or a result alone would be refused.
      const half = rest.slice(Math.ceil(rest.length / 2));
      rest = half.slice(
        Math.max(
          0,
          half.findIndex(({ role }) => role === "user"),
        ),
      );
      if (rest[0]?.role !== "user") break;
    }
  }
  return plainSummary(messages);
}

/** What a summary is to stand for, as hooks are told it, and about how many tokens that is. */
function toBeSummarised(session: LiveSession): { messages: AgentMessage[]; tokens: number } {
  const messages = toNeutral(toMessages(session.path));
  const characters = messages.reduce((sum, { text }) => sum + text.length, 0);
  return { messages, tokens: Math.ceil(characters / CHARACTERS_OF_A_TOKEN) };
}

async function askForSummary(
  model: ReadyModel,
  messages: Message[],
  session: LiveSession,
  { signal, clock, turnId }: SummaryServices,
): Promise<string> {
  const { normalizeContext } = await import("@earendil-works/pi-ai");
  const context = normalizeContext({ messages: [...messages, userMessage(request, isoTime(clock))] });
  const sink: RecordSink = { take: (event) => session.keep(event), stream() {} };
  const { root: call } = new TurnRecorder({ turnId, clock, sink });
  const asked = { index: 1, messages: context.messages.length, tools: 0 };
  call.record({ type: "model_asked", ...asked, request: requestOf(model.model, context.messages) });
  const stream = await model.stream(model.model, context, { signal }, heardBy(call));
  const answer = await stream.result();
  const problem = answer.stopReason === "error" && !signal.aborted ? model.problemOf(answer) : null;
  call.record(answerOf(answer, problem));
  if (signal.aborted) throw new PatchbayError("ABORTED", "The summary was stopped.");
  if (problem) throw new PatchbayError(problem.code, problem.message, { details: problem.details });
  const text = textOf(answer).trim();
  if (!text) throw new PatchbayError("MODEL_FAILED", "The model answered with an empty summary.");
  return text;
}

/** The end of the conversation, as much as fits. */
function plainSummary(messages: readonly Message[]): string {
  const said = messages
    .filter((message) => message.role === "user" || message.role === "assistant")
    .map((message) => `${message.role === "user" ? "User" : "Assistant"}: ${textOf(message)}`)
    .join("\n");
  return said.length > PLAIN_LIMIT ? `…${said.slice(-PLAIN_LIMIT)}` : said || "Nothing was said yet.";
}
