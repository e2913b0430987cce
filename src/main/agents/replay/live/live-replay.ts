import { isDeepStrictEqual } from "node:util";
import type {
  Agent,
  Dialog,
  DialogAnswer,
  LogEntry,
  RecordEvent,
  SessionEntry,
  Settings,
} from "../../../../contract/index.ts";
import type { Clock } from "../../../base/clock.ts";
import type { Ids } from "../../../base/ids.ts";
import type { ToolOutput } from "../../../runtimes/plugin-call.ts";
import { EventBus } from "../../bus/event-bus.ts";
import type { DialogStep, Dialogs } from "../../dialogs.ts";
import type { ReadyModel } from "../../models/index.ts";
import type { AgentPool, AuditSink, OtherVersion, PluginTrust, SecretLookup } from "../../ports.ts";
import type { TurnRecorder } from "../../record/recorder.ts";
import { redactDeep } from "../../redact.ts";
import type { ApprovalDesk } from "../../tools/approval-step.ts";
import { builtinTools } from "../../tools/builtin/index.ts";
import { ToolPipeline } from "../../tools/pipeline.ts";
import { allowFromNowOn } from "../../tools/rules.ts";
import { runTurn } from "../../turns/turn.ts";
import { Following } from "../recorded/following.ts";
import { namedModel, RecordedModels } from "../recorded/recorded-model.ts";
import { recordedPauses } from "../recorded/recorded-pauses.ts";
import type { RecordedTurn } from "../recorded/recorded-turn.ts";
import { type ReplayedSession, sessionBefore } from "../recorded/replay-session.ts";
import { AnswerBook } from "./answer-book.ts";
import { approvalsAgain, type PresentCall } from "./live-approvals.ts";
import { answerFrom, LivePool, refuseMasked } from "./live-pool.ts";
import { RecordedStops } from "./stops.ts";

/** What a replay with the agent's running plugins needs. */
export interface LiveReplayServices {
  pool: AgentPool;
  dialogs: Pick<Dialogs, "limits" | "answer" | "changes">;
  secrets: SecretLookup;
  trust: PluginTrust;
  approvals: ApprovalDesk;
  audit: AuditSink;
  clock: Clock;
  ids: Ids;
  limits(): Settings["limits"];
  /** How a model is named to plugins. */
  modelName(agent: Agent): string;
  /** The agent with a model that a plugin asked for; null: its provider does not know it. */
  modelNamed(agent: Agent, name: string): Promise<Agent["model"] | null>;
  /** @throws PatchbayError MODEL_NOT_SET, MISSING_SECRET, SCRIPT_INVALID */
  readyModel(agent: Agent, entries: readonly SessionEntry[]): Promise<ReadyModel>;
  isCommand(agentId: string, text: string): boolean;
  /** What tools that are really run need besides. */
  tools: Pick<ConstructorParameters<typeof ToolPipeline>[0], "root" | "networkOf" | "refusedHost">;
}

export interface LiveReplayInput extends ReplayedSession {
  turn: RecordedTurn;
  /** The agent as it is now. Where tools are recorded, its rules and its instructions are those of the record. */
  agent: Agent;
  tools: "recorded" | "live";
  /** Keys of plugins that are left out. */
  without: readonly string[];
  /** By plugin key the version that is asked in the place of the running one. */
  others: ReadonlyMap<string, OtherVersion>;
  /** Null: the recorded answers. */
  model: Agent["model"] | null;
  /** The record is the person's own: what they answered in it to plugins' questions holds again. */
  isOwn: boolean;
  /** Ends the replay as the person would. */
  signal: AbortSignal;
}

/**
 * Runs a recorded turn again and really asks the agent's plugins. Nothing of it is kept: no conversation, and, unless tools are
 * run, nothing outside of the plugins. Resolves with the events of the new turn, without stored secrets, whatever its outcome.
 */
export async function replayLive(
  input: LiveReplayInput,
  services: LiveReplayServices,
): Promise<RecordEvent[]> {
  const { turn, signal, tools, model, others } = input;
  const { begun, world } = turn;
  const { pool: plugins, dialogs, secrets, clock, ids } = services;
  const agentId = input.agent.id;
  const isLive = tools === "live";
  const book = new AnswerBook(turn, secrets);
  const without = new Set(input.without);
  const pool = new LivePool({ pool: plugins, without, others, book: isLive ? null : book });
  let agent = isLive ? input.agent : ({ ...world.agent, id: agentId, model: world.agent.model } as Agent);
  const audit = isLive ? services.audit : { record() {} };

  const stop = new AbortController();
  const onStop = () => stop.abort();
  signal.addEventListener("abort", onStop, { once: true });
  if (signal.aborted) onStop();
  const stops = new RecordedStops(turn);
  const calls = new PresentCalls();
  const recording = new Following({ clock, audit }, (_recorder: TurnRecorder, event: RecordEvent) => {
    calls.note(event);
    if (stops.isAt(event)) stop.abort();
  });
  const onLog = (_agentId: string, key: string, entry: LogEntry) => {
    if (!others.has(key)) recording.log(key, entry);
  };
  for (const [key, { changes }] of others) changes.on("log", (entry) => recording.log(key, entry));
  const turnId = `replay-${ids.next()}`;
  const onStep = (step: DialogStep) => {
    recording.dialog(step);
    if (input.isOwn && step.during.turnId === turnId && !step.over) answerAsThen(turn, step.dialog, dialogs);
  };
  const outside = () => recording.outside({ agentId, sessionId: begun.sessionId });
  const pauses = recordedPauses(turn, { bySpan: false });
  const bus = new EventBus({ agentId, pool, keeper: dialogs.limits, clock, onFailure() {}, outside, pauses });
  const pipeline = new ToolPipeline({
    pool,
    agents: { get: () => agent },
    trust: services.trust,
    settings: { get: () => ({ limits: services.limits() }) },
    secrets,
    approvals: approvalsAgain(book, {
      present: () => calls.present,
      desk: isLive ? services.approvals : null,
      onAlways: ({ tool, caller }) => {
        agent = { ...agent, policy: allowFromNowOn(agent.policy, tool, caller) };
      },
    }),
    clock,
    ids,
    outside,
    keeper: dialogs.limits,
    pauses,
    audit,
    busOf: () => bus,
    ...(isLive
      ? { ...services.tools, builtins: builtinsThat((tool, given) => refuseMasked(tool, given)) }
      : {
          root: "",
          builtins: builtinsThat((tool, given, onUpdate) => answerFrom(book, tool, given, onUpdate)),
        }),
  });
  const models = new RecordedModels(turn, { speaks: true });
  const received = turn.all("message_received")[0];
  const { session } = sessionBefore(turn, input, { clock, secrets });
  plugins.changes.on("log", onLog);
  dialogs.changes.on("step", onStep);
  try {
    await runTurn(
      {
        pool,
        bus,
        pipeline,
        pauses,
        secrets,
        recording,
        clock,
        limits: services.limits,
        trustOf: (key) => services.trust.get(key)?.trust,
        isCommand: (id, text) => (model ? services.isCommand(id, text) : received?.aside?.kind === "command"),
        modelName: (running) =>
          model
            ? services.modelName(running)
            : "model" in running.model
              ? running.model.model
              : (world.modelName ?? ""),
        modelNamed: async (running, name) => {
          if (model) return services.modelNamed(running, name);
          return turn.refusedModel(name) ? null : namedModel(name);
        },
        readyModel: (running, entries) => (model ? services.readyModel(running, entries) : models.next()),
      },
      {
        turnId,
        agent: { ...agent, model: model ?? world.agent.model } as Agent,
        session,
        text: begun.text,
        caller: begun.caller,
        signal: stop.signal,
        ...(begun.channel && { channel: begun.channel }),
        ...(begun.from && { from: begun.from }),
        ...(world.messageId !== undefined && { messageId: world.messageId }),
        ...(received?.attachments && { attachments: received.attachments }),
        ...(world.resumes && { resumes: true }),
        ...(received?.by !== undefined && { by: received.by }),
        ...(received?.prompt && { prompt: received.prompt }),
        ...(received?.sorry !== undefined && { sorry: received.sorry }),
      },
    );
    await bus.settle();
  } finally {
    plugins.changes.off("log", onLog);
    dialogs.changes.off("step", onStep);
    signal.removeEventListener("abort", onStop);
    await session.dispose();
  }
  return recording.events.map((event) => redactDeep(event, secrets));
}

/**
 * Answers a plugin's question as the person did when it was recorded, if it is the very same. What Patchbay itself asks, about
 * what a plugin may reach, is for the person alone, and so is what was secret.
 */
function answerAsThen(turn: RecordedTurn, dialog: Dialog, dialogs: Pick<Dialogs, "answer">): void {
  if (dialog.about) return;
  const asked = turn
    .all("dialog_asked")
    .find((one) => one.owner === dialog.pluginKey && isDeepStrictEqual(one.question, dialog.question));
  const answered = turn.all("dialog_answered").find(({ dialogId }) => dialogId === asked?.dialogId);
  if (answered?.end !== "answered" || answered.secret) return;
  // After everybody was told of the question.
  queueMicrotask(() => {
    try {
      dialogs.answer(dialog.id, answered.answer as DialogAnswer);
    } catch {
      // Somebody was quicker, or the answer does not fit any more: then the person is asked.
    }
  });
}

/** Patchbay's own tools, of which `first` may answer or refuse. */
function builtinsThat(
  first: (
    tool: string,
    given: Record<string, unknown>,
    onUpdate: (text: string) => void,
  ) => ToolOutput | undefined,
): typeof builtinTools {
  return new Map(
    [...builtinTools].map(([name, tool]) => [
      name,
      {
        ...tool,
        execute: async (given, call) => first(name, given, call.onUpdate) ?? tool.execute(given, call),
      } satisfies typeof tool,
    ]),
  );
}

/** Follows which tool call is under way. Calls come one after the other. */
class PresentCalls {
  present: PresentCall | undefined;

  note(event: RecordEvent): void {
    if (event.type === "tool_called") this.present = { tool: event.tool, arguments: event.arguments };
    if (event.type === "tool_rewritten" && this.present)
      this.present = { ...this.present, arguments: event.arguments };
    if (event.type === "tool_ended") this.present = undefined;
  }
}
