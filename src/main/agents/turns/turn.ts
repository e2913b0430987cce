import type { TurnChannel } from "@patchbay/plugin-sdk";
import {
  type Agent,
  type Aside,
  PatchbayError,
  RECORD_VERSION,
  type SessionEntry,
  toProblem,
} from "../../../contract/index.ts";
import { isoTime } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { Transformed } from "../bus/event-bus.ts";
import type { HookScope } from "../bus/hook-scope.ts";
import { type AskedModel, modelFor, thinkingAfter } from "../effects/ahead.ts";
import { TurnEffects } from "../effects/turn-effects.ts";
import { loadPictures } from "../files/pictures.ts";
import { noPauses } from "../pause/desk.ts";
import type { Span } from "../record/recorder.ts";
import { missingResults } from "../sessions/repair.ts";
import { untitled } from "../sessions/sessions.ts";
import { TurnIds } from "../sessions/turn-ids.ts";
import { AgentRun, runProblem } from "./agent-run.ts";
import { titleFrom } from "./message.ts";
import { promptSections, systemPrompt } from "./prompt.ts";
import type { RunBoundary } from "./run-input.ts";
import { begunMessages, toMessages } from "./transcript.ts";
import type { TurnEnd, TurnInput, TurnServices } from "./turn-input.ts";
import { offerWatch, worldOf } from "./world.ts";

/** What all steps of one turn share. */
interface Begun {
  services: TurnServices;
  input: TurnInput;
  turn: Span;
  ids: Ids;
  scope: HookScope;
  /** Records a change of what plugins offer. Call it wherever the turn reads that. */
  noteOffer(): void;
  /** Called when nothing can stop the turn any more: a later stop is not recorded. */
  letGo(): void;
  effects: TurnEffects;
  boundary: RunBoundary;
  /** The scope of hooks at the end: they are told even when the turn was stopped. */
  lasting: HookScope;
  /** How the model of its last run is named to plugins. */
  model: { name: string };
}

/**
 * Runs one turn: a user message to its final answer. Resolves whatever happens; the end is recorded, and with that stored
 * and streamed.
 */
export async function runTurn(services: TurnServices, input: TurnInput): Promise<TurnEnd> {
  const { session, agent, signal } = input;
  const begun = begin(services, input);
  session.setStatus("running");
  let end: TurnEnd;
  try {
    const { text, aside } = await receive(begun);
    if (aside) return finish(begun, asideEnd(aside, text));
    end = await answer(begun, text);
  } catch (error) {
    end = { outcome: "failed", text: "", problem: runProblem(error) };
  }
  if (signal.aborted) {
    const problem = new PatchbayError("ABORTED", "The turn was stopped.").toProblem();
    end = { outcome: "aborted", text: end.text, problem };
  }
  try {
    await begun.boundary.ended();
    begun.effects.runsEnded();
    const ids = { agentId: agent.id, sessionId: session.id, turnId: input.turnId };
    const { outcome, text, problem } = end;
    const error = outcome === "failed" && problem ? { error: problem.message } : {};
    const told = { ...ids, outcome, text, model: begun.model.name, ...error, ...from(input) };
    await services.bus.emit("turn.end@v1", told, begun.lasting);
  } catch (error) {
    end = { ...end, outcome: "failed", problem: end.problem ?? runProblem(error) };
  }
  return finish(begun, end);
}

/** Begins the record of the turn. */
function begin(services: TurnServices, input: TurnInput): Begun {
  const { session, turnId, agent, caller, signal, channel } = input;
  const world = worldOf(services, input);
  const recorder = services.recording.begin(turnId, { agentId: agent.id, sessionId: session.id }, session);
  const turn = recorder.root;
  turn.record({
    type: "turn_begun",
    v: RECORD_VERSION,
    sessionId: session.id,
    agentId: agent.id,
    text: input.text,
    caller,
    ...(channel && { channel }),
    ...(input.from && { from: input.from }),
    world,
  });
  const onStop = () => turn.record({ type: "stop_asked" });
  if (signal.aborted) onStop();
  else signal.addEventListener("abort", onStop, { once: true });
  const letGo = () => signal.removeEventListener("abort", onStop);
  const ids = new TurnIds(turnId, session.entries.length);
  const effects = new TurnEffects({
    turn,
    ids,
    secrets: services.secrets,
    isChat: session.view.source.kind === "channel",
    thinking: thinkingAfter(session.path),
  });
  services.watchEffects?.(effects);
  const scope: HookScope = { sessionId: session.id, caller, signal, span: turn, effects };
  const lasting = { ...scope, signal: new AbortController().signal, until: signal };
  const noteOffer = offerWatch(services, agent.id, turn);
  const boundary = boundaryOf(services, input, lasting);
  const model = { name: services.modelName(agent) };
  return { services, input, turn, ids, scope, lasting, noteOffer, letGo, effects, boundary, model };
}

function boundaryOf({ bus }: TurnServices, input: TurnInput, lasting: HookScope): RunBoundary {
  const ids = { agentId: input.agent.id, sessionId: input.session.id, turnId: input.turnId };
  let isOpen = true;
  return {
    ended: async () => {
      if (!isOpen) return;
      isOpen = false;
      await bus.emit("run.end@v1", ids, lasting);
      await bus.emit("run.prepare@v1", ids, lasting);
    },
    begins: () => {
      isOpen = true;
    },
  };
}

/** The end of a turn whose message is not for the model. Its hooks are not told: it has not started. */
function asideEnd(aside: Aside, text: string): TurnEnd {
  const end: TurnEnd = { outcome: "done", text: "", problem: null };
  return aside.kind === "command" ? { ...end, command: text } : end;
}

/** Takes the message in: hooks may change or drop it, then it is stored and the turn has begun. */
async function receive(begun: Begun): Promise<{ text: string; aside?: Aside | undefined }> {
  const { services, input, turn, ids, scope } = begun;
  const { session, agent, caller, messageId, attachments = [], sorry, by, prompt } = input;
  const base = { type: "message_received" as const, id: ids.next(), sessionId: session.id, caller };
  if (input.resumes) {
    turn.record({ ...base, text: input.text, changedBy: [], resumes: true });
    return { text: input.text };
  }
  let { text } = input;
  let changedBy: string[] = [];
  let aside: Aside | undefined;
  let refusal: unknown;
  if (services.bus.has("session.message.received@v1")) {
    const payload = { agentId: agent.id, sessionId: session.id, text, ...from(input) };
    try {
      const received = await services.bus.transform("session.message.received@v1", payload, scope);
      ({ text } = received.payload);
      ({ changedBy } = received);
      aside = asideOf(begun, received);
    } catch (error) {
      refusal = error;
    }
  }
  // What is not for the model stays as the person wrote it.
  const said = aside ? input.text : text;
  const isFirst = !session.entries.some((entry) => entry.type === "user");
  const isUntitled = session.view.source.kind === "owner" && session.view.title === untitled;
  turn.record({
    ...base,
    text: said,
    changedBy,
    ...(aside && { aside }),
    ...(isFirst && isUntitled && { title: titleFrom(said) }),
    ...(messageId !== undefined && { messageId }),
    ...(attachments.length > 0 && { attachments }),
    ...(sorry !== undefined && { sorry }),
    ...(by !== undefined && { by }),
    ...(prompt && { prompt }),
  });
  await session.settled();
  if (refusal !== undefined) throw refusal;
  return { text, aside };
}

/** What hooks made of a message, when that is not for the model. */
function asideOf(
  { services, input }: Begun,
  { payload, dropped, changedBy }: Transformed<{ text: string }>,
): Aside | undefined {
  if (dropped) return { kind: "dropped", ...dropped };
  const by = changedBy.at(-1);
  const isCommand = by !== undefined && services.isCommand(input.agent.id, payload.text);
  return isCommand ? { kind: "command", by } : undefined;
}

async function answer(begun: Begun, text: string): Promise<TurnEnd> {
  const { services, input, turn, ids, scope, noteOffer, effects, boundary } = begun;
  const { bus, pool, pipeline, secrets, clock, recording, pauses = noPauses } = services;
  const { agent, session, turnId, caller, signal } = input;
  const place = { agentId: agent.id, sessionId: session.id };
  // What was asked for before the run began is for this run, and not for the one after it.
  effects.takeModel();
  let running = await withModel(begun, modelFor(session.path, turnId, input.resumes === true));
  const modelName = begun.model.name;
  await bus.emit("turn.start@v1", { ...place, turnId, text, model: modelName, ...from(input) }, scope);
  await pool.wake(agent.id);
  noteOffer();
  const model = await services.readyModel(running, session.path);
  let sections = promptSections(agent, pool.live(agent.id), input.channel, input.roomPrompt);
  if (bus.has("prompt.assemble@v1")) {
    sections = (await bus.transform("prompt.assemble@v1", { ...place, sections }, scope)).payload.sections;
  }
  signal.throwIfAborted();
  const isOwn = (entry: SessionEntry) => "turnId" in entry && entry.turnId === turnId;
  const pictures = await loadPictures(session.files, session.path);
  const before = session.path.filter((entry) => !isOwn(entry));
  turn.record({ type: "prompt_made", sections, history: before.length });
  const run = new AgentRun(
    {
      turnId,
      agent,
      caller,
      signal,
      turn,
      ids,
      noteOffer,
      effects,
      boundary,
      nextModel: async () => {
        const before = running;
        running = await withModel(begun, effects.takeModel());
        if (running === before) return null;
        return { model: await services.readyModel(running, session.path), modelName: begun.model.name };
      },
      modelName,
      systemPrompt: systemPrompt(sections),
      history: toMessages(before, pictures),
      begun: begunMessages(session.path.filter(isOwn), pictures),
      tools: pipeline.offered(agent.id, caller),
    },
    { model, session, bus, pipeline, secrets, clock, pauses, outside: () => recording.outside(place) },
  );
  const { text: said, problem } = await run.run();
  return { outcome: problem ? "failed" : "done", text: said, problem };
}

/** The agent with the model that a plugin asked for, or with its own; the person is told of one that is not known. */
async function withModel(
  { services, input, effects, model }: Begun,
  asked: AskedModel | null,
): Promise<Agent> {
  const { agent } = input;
  const named = asked && (await services.modelNamed(agent, asked.model));
  if (asked && !named)
    effects.refuse(asked.owner, {
      effect: "nextModel",
      why: { kind: "unknown_model", model: asked.model },
    });
  const running = named ? { ...agent, model: named } : agent;
  model.name = services.modelName(running);
  return running;
}

/** Records the last events of a turn. When the disk refuses them, the turn fails, and everybody who watches is told. */
async function finish({ services, input, turn, letGo, effects }: Begun, end: TurnEnd): Promise<TurnEnd> {
  const { session, turnId } = input;
  const after = effects.close(input.signal.aborted);
  let final: TurnEnd = after ? { ...end, after } : end;
  try {
    await session.settled();
  } catch (error) {
    final = { ...final, outcome: "failed", problem: toProblem(error, "WRITE_FAILED") };
  }
  for (const missing of missingResults(session.entries, turnId, isoTime(services.clock))) {
    const { id, toolCallId, tool, content } = missing;
    turn.record({ type: "tool_skipped", id, toolCallId, tool, content });
  }
  letGo();
  services.pauses?.turnEnded?.(session.agentId, session.id);
  turn.recorder.closeNoise();
  const { outcome, text, problem } = final;
  turn.record({ type: "turn_ended", outcome, text, problem });
  try {
    await session.settled();
  } catch (error) {
    final = { ...final, outcome: "failed", problem: toProblem(error, "WRITE_FAILED") };
  }
  return final;
}

/** Whose message a turn answers, as hooks are told. */
function from({ caller, channel }: TurnInput): { caller: unknown; channel: TurnChannel } {
  return { caller, channel: channel ?? null };
}
