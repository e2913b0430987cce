import type { Agent, Effect, RecordEvent, RecordFact } from "../../../contract/index.ts";
import { EventBus } from "../bus/event-bus.ts";
import type { EffectSink } from "../effects/effect-sink.ts";
import { Span, type TurnRecorder } from "../record/recorder.ts";
import { builtinTools } from "../tools/builtin/index.ts";
import { ToolPipeline } from "../tools/pipeline.ts";
import { allowFromNowOn } from "../tools/rules.ts";
import { runTurn } from "../turns/turn.ts";
import type { Offer } from "../turns/world.ts";
import { Following } from "./recorded/following.ts";
import { recordedApprovals } from "./recorded/recorded-approvals.ts";
import { RecordedClock } from "./recorded/recorded-clock.ts";
import { RecordedCut } from "./recorded/recorded-cut.ts";
import { namedModel, RecordedModels } from "./recorded/recorded-model.ts";
import { recordedPauses } from "./recorded/recorded-pauses.ts";
import { RecordedTurn } from "./recorded/recorded-turn.ts";
import { type KeptLines, type ReplayedSession, sessionBefore } from "./recorded/replay-session.ts";
import { StandInPool } from "./recorded/stand-in-pool.ts";

export interface ReplayInput extends ReplayedSession {
  /** The lines of one turn, as they stand in the record file. */
  lines: readonly string[];
  getBlob(address: string): Promise<string | undefined>;
  /** Changes recorded answers before the replay, to see what they would have led to. */
  change?(event: RecordEvent): RecordEvent;
}

/** The first event at which the replay differs from the record. A side that has ended before it has no line. */
export interface Difference {
  seq: number;
  type: string;
  recorded: string | undefined;
  replayed: string | undefined;
}

/**
 * Runs a recorded turn again: the same code, with the recorded answers of the model, the plugins and the owner, and the
 * recorded times and ids. The new record equals the old one byte for byte, unless the code or an answer has changed.
 * @throws PatchbayError READ_FAILED
 */
export async function replayTurn(
  input: ReplayInput,
): Promise<{ lines: string[]; blobs: ReadonlyMap<string, string>; difference: Difference | null }> {
  const recorded = await RecordedTurn.read(input.lines, input.getBlob);
  const turn = input.change ? recorded.changed(input.change) : recorded;
  const { lines, blobs } = await run(turn, input);
  return { lines, blobs, difference: firstDifference(input.lines, lines) };
}

async function run(turn: RecordedTurn, input: ReplayInput): Promise<KeptLines> {
  const { begun, world } = turn;
  const { turnId, text, caller, channel, sessionId, agentId } = begun;
  const clock = new RecordedClock(begun.at);
  const ids = { next: () => `${turnId}-outside` };
  const stop = new AbortController();
  const pool = new StandInPool(turn);
  // The agent's own model is never asked: the recorded answers stand for it.
  let agent = { ...world.agent, model: { kind: "none" } } as Agent;
  let effects: EffectSink | undefined;
  /** The span of the tool call that is under way. */
  let current = "";
  const driver = (recorder: TurnRecorder, event: RecordEvent) => {
    if (event.type.startsWith("tool_")) current = event.spanId;
    follow(turn, event, { recorder, clock, stop, pool, effects });
  };
  const kept: KeptLines = { lines: [], blobs: new Map() };
  const { session, writer } = sessionBefore(turn, input, { clock, secrets: noSecrets, kept });
  const cut = RecordedCut.of(turn);
  const recording = new Following({ clock, audit: { record() {} } }, driver, cut?.seq);
  const outside = () => recording.outside({ agentId, sessionId });
  const keeper = { attach: () => () => {} };
  const pauses = recordedPauses(turn);
  const bus = new EventBus({ agentId, pool, keeper, clock, onFailure() {}, outside, pauses });
  const agents = { get: () => agent };
  const builtins = new Map(
    [...builtinTools].map(([name, tool]) => [
      name,
      {
        ...tool,
        execute: async (_input, { onUpdate }) => pool.tool(current, onUpdate),
      } satisfies typeof tool,
    ]),
  );
  const pipeline = new ToolPipeline({
    pool,
    agents,
    trust: {
      get: (key) => {
        const trust = pool.trustOf(key);
        return trust && { trust };
      },
    },
    settings: { get: () => ({ limits: world.limits }) },
    secrets: noSecrets,
    approvals: recordedApprovals(
      turn,
      () => current,
      ({ tool, caller: who }) => {
        agent = { ...agent, policy: allowFromNowOn(agent.policy, tool, who) };
      },
    ),
    clock,
    ids,
    outside,
    builtins,
    root: "",
    audit: { record() {} },
    keeper,
    pauses,
    busOf: () => bus,
  });
  const models = new RecordedModels(turn);
  const received = turn.all("message_received")[0];
  const running = runTurn(
    {
      pool,
      bus,
      pipeline,
      pauses,
      secrets: noSecrets,
      recording,
      clock,
      limits: () => world.limits,
      trustOf: (key) => pool.trustOf(key),
      isCommand: () => received?.aside?.kind === "command",
      modelName: ({ model }) => ("model" in model && model.model) || (world.modelName ?? ""),
      modelNamed: async (_agent, name) => (turn.refusedModel(name) ? null : namedModel(name)),
      readyModel: () => models.next(),
      watchEffects: (sink) => {
        effects = sink;
      },
    },
    {
      turnId,
      // The kind of model is part of the record, so it is put back.
      agent: { ...agent, model: world.agent.model } as Agent,
      session,
      text,
      caller,
      signal: stop.signal,
      ...(channel && { channel }),
      ...(begun.from && { from: begun.from }),
      ...(world.messageId !== undefined && { messageId: world.messageId }),
      ...(received?.attachments && { attachments: received.attachments }),
      ...(world.resumes && { resumes: true }),
      ...(received?.by !== undefined && { by: received.by }),
      ...(received?.prompt && { prompt: received.prompt }),
      ...(received?.sorry !== undefined && { sorry: received.sorry }),
    },
  );
  const end = await Promise.race([running, recording.cutOff]);
  if (cut && !end) {
    for (const event of cut.mend(recording.events, input.entries)) writer.add(event);
    stop.abort();
  }
  await session.dispose();
  return kept;
}

/**
 * Prepares the next recorded event: sets the clock to its time, and repeats what came from outside (changed plugins, a
 * stop, a log line).
 */
function follow(
  turn: RecordedTurn,
  event: RecordEvent,
  parts: {
    recorder: TurnRecorder;
    clock: RecordedClock;
    stop: AbortController;
    pool: StandInPool;
    effects: EffectSink | undefined;
  },
): void {
  const { recorder, clock, stop, pool, effects } = parts;
  const next = turn.events[event.seq + 1];
  if (!next || turn.events[event.seq]?.type !== event.type) return;
  clock.moveTo(next.at);
  if (next.type === "offer_changed") pool.offer(next.offer as Offer);
  if (next.type === "stop_asked") stop.abort();
  // Asked for by a hook that was told of a piece of an answer, which is not part of the record.
  if (next.type === "effects_asked" && next.spanId === recorder.root.id)
    effects?.take(next.owner, next.effects as Effect[], recorder.root);
  const span = new Span(recorder, next.spanId, next.parentId);
  if (next.type === "log") recorder.recordNoise(span, factOf(next));
  else if (isFromOutside(next)) span.record(factOf(next));
}

/** Whether it is recorded where it happens, and not by the code of the turn. */
function isFromOutside(event: RecordEvent): boolean {
  switch (event.type) {
    case "dialog_asked":
    case "dialog_answered":
    case "model_lent":
    case "plugin_ran":
      return true;
    default:
      return false;
  }
}

/** What an event says, without its place. */
function factOf<T extends RecordEvent>(event: T): Extract<RecordFact, { type: T["type"] }> {
  const { turnId, seq, spanId, parentId, at, ...fact } = event;
  return fact as Extract<RecordFact, { type: T["type"] }>;
}

function firstDifference(recorded: readonly string[], replayed: readonly string[]): Difference | null {
  const length = Math.max(recorded.length, replayed.length);
  for (let seq = 0; seq < length; seq += 1) {
    if (recorded[seq] === replayed[seq]) continue;
    const { type } = JSON.parse(replayed[seq] ?? recorded[seq] ?? "{}") as RecordEvent;
    return { seq, type, recorded: recorded[seq], replayed: replayed[seq] };
  }
  return null;
}

/** The secrets were taken out when the turn was recorded, so there is nothing to redact. */
const noSecrets = { resolve: () => undefined, redact: (text: string) => text };
