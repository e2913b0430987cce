import { randomUUID } from "node:crypto";
import {
  type Agent,
  type Caller,
  type HookTrace,
  PatchbayError,
  type Problem,
  type SessionEntry,
  type StoredAttachment,
  toProblem,
} from "../../../contract/index.ts";
import type { EventBus, HookScope } from "../bus/event-bus.ts";
import { loadPictures } from "../channels/pictures.ts";
import { readyModel } from "../models/index.ts";
import type { AgentPool, SecretLookup } from "../ports.ts";
import { missingResults } from "../sessions/repair.ts";
import type { LiveSession } from "../sessions/session.ts";
import { untitled } from "../sessions/sessions.ts";
import type { ToolPipeline } from "../tools/pipeline.ts";
import { AgentRun, runProblem } from "./agent-run.ts";
import { promptSections, systemPrompt } from "./prompt.ts";
import { begunMessages, toMessages } from "./transcript.ts";

export interface TurnServices {
  pool: AgentPool;
  bus: EventBus;
  pipeline: ToolPipeline;
  secrets: SecretLookup;
}

export interface TurnInput {
  turnId: string;
  agent: Agent;
  session: LiveSession;
  text: string;
  caller: Caller;
  signal: AbortSignal;
  /** The chat that the message came through. */
  channel?: { name: string; group: boolean };
  messageId?: string | undefined;
  attachments?: StoredAttachment[];
  /** The message is stored already and its turn was cut short: it goes on where it ended. */
  resumes?: boolean;
}

export interface TurnEnd {
  outcome: "done" | "failed" | "aborted";
  text: string;
  problem: Problem | null;
}

/** Runs one turn: a user message to its final answer. Resolves whatever happens; the end is stored and streamed. */
export async function runTurn(services: TurnServices, input: TurnInput): Promise<TurnEnd> {
  const { session, turnId, agent, signal } = input;
  const begin = performance.now();
  const scope: HookScope = {
    sessionId: session.id,
    caller: input.caller,
    signal,
    turnId,
    trace: (hook: HookTrace) => session.trace({ type: "hook", turnId, hook }),
  };
  session.setStatus("running");
  let end: TurnEnd;
  try {
    const text = await receive(services, input, scope);
    end = await answer(services, { ...input, text }, scope);
  } catch (error) {
    end = { outcome: "failed", text: "", problem: runProblem(error) };
  }
  if (signal.aborted) {
    const problem = new PatchbayError("ABORTED", "The turn was stopped.").toProblem();
    end = { outcome: "aborted", text: end.text, problem };
  }
  // What ends is told even when the turn was stopped.
  const lasting = { ...scope, signal: new AbortController().signal };
  const ids = { agentId: agent.id, sessionId: session.id, turnId };
  await services.bus.emit("run.end@v1", ids, lasting);
  await services.bus.emit("turn.end@v1", { ...ids, outcome: end.outcome, text: end.text }, lasting);
  return store(session, turnId, end, performance.now() - begin);
}

/** Takes the message in: hooks may change it, then it is stored and the turn has begun. */
async function receive(services: TurnServices, input: TurnInput, scope: HookScope): Promise<string> {
  const { session, turnId, agent, caller } = input;
  let { text } = input;
  if (input.resumes) {
    const at = new Date().toISOString();
    session.trace({ type: "turn", turnId, at, text });
    session.publish({ type: "turn_started", turnId, sessionId: session.id, text, at });
    return text;
  }
  let refusal: unknown;
  if (services.bus.has("session.message.received@v1")) {
    const payload = { agentId: agent.id, sessionId: session.id, text, caller: caller as unknown };
    try {
      ({ text } = (await services.bus.transform("session.message.received@v1", payload, scope)).payload);
    } catch (error) {
      refusal = error;
    }
  }
  const at = new Date().toISOString();
  const isFirst = !session.entries.some((entry) => entry.type === "user");
  const { messageId, attachments = [] } = input;
  await session.append({
    type: "user",
    id: randomUUID(),
    turnId,
    text,
    caller,
    ...(messageId !== undefined && { messageId }),
    ...(attachments.length > 0 && { attachments }),
    at,
  });
  if (isFirst && session.view.source.kind === "owner" && session.view.title === untitled) {
    await session.append({ type: "title", title: titleFrom(text), at });
  }
  session.trace({ type: "turn", turnId, at, text });
  session.publish({ type: "turn_started", turnId, sessionId: session.id, text, at });
  if (refusal !== undefined) throw refusal;
  return text;
}

async function answer(services: TurnServices, input: TurnInput, scope: HookScope): Promise<TurnEnd> {
  const { bus, pool, pipeline, secrets } = services;
  const { agent, session, turnId, text, caller, signal } = input;
  const ids = { agentId: agent.id, sessionId: session.id };
  await bus.emit("turn.start@v1", { ...ids, turnId, text }, scope);
  await pool.wake(agent.id);
  const model = await readyModel(agent, secrets, session.entries);
  let sections = promptSections(agent, pool.live(agent.id), input.channel);
  if (bus.has("prompt.assemble@v1")) {
    sections = (await bus.transform("prompt.assemble@v1", { ...ids, sections }, scope)).payload.sections;
  }
  signal.throwIfAborted();
  const isOwn = (entry: SessionEntry) => "turnId" in entry && entry.turnId === turnId;
  const pictures = await loadPictures(session.filesFolder, session.entries);
  const run = new AgentRun(
    {
      turnId,
      agent,
      caller,
      signal,
      systemPrompt: systemPrompt(sections),
      history: toMessages(
        session.entries.filter((entry) => !isOwn(entry)),
        pictures,
      ),
      begun: begunMessages(session.entries.filter(isOwn), pictures),
      tools: pipeline.offered(agent.id, caller),
    },
    { model, session, bus, pipeline, secrets },
  );
  const { text: said, problem } = await run.run();
  return { outcome: problem ? "failed" : "done", text: said, problem };
}

/** The last lines of a turn. A disk that takes no more lines fails the turn, and everybody who watches hears of it. */
async function store(session: LiveSession, turnId: string, end: TurnEnd, ms: number): Promise<TurnEnd> {
  const at = new Date().toISOString();
  let final = end;
  session.trace({ type: "turn_end", turnId, at, outcome: end.outcome, ms });
  try {
    for (const missing of missingResults(session.entries, turnId)) await session.append(missing);
    await session.append({ type: "turn_end", turnId, outcome: end.outcome, problem: end.problem, at });
    await session.flush();
  } catch (error) {
    final = { ...end, outcome: "failed", problem: toProblem(error, "WRITE_FAILED") };
  }
  session.setStatus("idle");
  session.publish({ type: "turn_ended", turnId, ...final, ms });
  return final;
}

function titleFrom(text: string): string {
  const line = text.trim().split("\n")[0]?.trim() ?? "";
  return line.length > 60 ? `${line.slice(0, 59).trimEnd()}…` : line || untitled;
}
