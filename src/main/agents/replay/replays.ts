import {
  type Agent,
  type ComparedTurns,
  compareTurns,
  PatchbayError,
  type RecordEvent,
  type Replay,
  type ReplayWish,
  type TestPart,
  type TurnSide,
} from "../../../contract/index.ts";
import { isoTime } from "../../base/clock.ts";
import type { AgentDirectory, OtherVersions } from "../ports.ts";
import { encode } from "../record/encode.ts";
import { between } from "../record/project-tool.ts";
import { turnOf, whole, withoutExchange, withPayloads } from "../record/read-record.ts";
import type { LiveSession } from "../sessions/session.ts";
import { type KeptTurn, readTestFile, writeTestFile } from "./kept/test-file.ts";
import { type LiveReplayInput, type LiveReplayServices, replayLive } from "./live/live-replay.ts";
import { withVersions } from "./live/other-versions.ts";
import { RecordedTurn } from "./recorded/recorded-turn.ts";
import { type ReplayInput, replayTurn } from "./replay.ts";

/** Most replays that are kept, of all agents together, and most characters of them. */
const mostKept = 20;
const mostChars = 96 * 1024 * 1024;

interface TurnRef {
  agentId: string;
  sessionId: string;
  turnId: string;
}

/** A replay as it is kept: like the lines of a record, with large parts once. */
interface Kept {
  view: Replay;
  events: readonly RecordEvent[];
  blobs: ReadonlyMap<string, string>;
  chars: number;
}

/** A recorded turn, found in its conversation. */
interface Found extends ReplayInput {
  turn: RecordedTurn;
}

export interface ReplaysOptions extends LiveReplayServices {
  agents: Pick<AgentDirectory, "get">;
  versions: OtherVersions;
  /** @throws PatchbayError SESSION_NOT_FOUND */
  open(agentId: string, sessionId: string): Promise<Pick<LiveSession, "entries" | "files" | "events">>;
}

/** Recorded turns that are run again. What comes of it is kept in memory, the newest, and never part of a conversation. */
export class Replays {
  private readonly options: ReplaysOptions;
  private kept: readonly Kept[] = [];

  constructor(options: ReplaysOptions) {
    this.options = options;
  }

  /**
   * Runs a turn again, to its end.
   * @throws PatchbayError TURN_NOT_FOUND, BAD_INPUT, READ_FAILED when the record is no longer whole
   */
  async run(of: TurnRef, wish: ReplayWish, signal: AbortSignal): Promise<Replay> {
    const { clock, ids } = this.options;
    const agent = this.agent(of.agentId);
    const found = await this.find(of);
    refuseGaps(found.turn);
    const isExact = isRecorded(wish);
    const events = isExact
      ? await exactly(found)
      : await this.runLive({ ...found, agent, isOwn: true, signal }, wish);
    const end = events.at(-1);
    const { own, following } = compareTurns(found.turn.events, events);
    const view: Replay = {
      ...wish,
      id: ids.next(),
      ...of,
      text: found.turn.begun.text,
      at: isoTime(clock),
      ms: between(events[0]?.at ?? 0, end?.at ?? 0),
      outcome: end?.type === "turn_ended" ? end.outcome : "aborted",
      own,
      following,
    };
    this.keepReplay(view, events);
    return view;
  }

  list(agentId: string): Replay[] {
    return this.kept.flatMap(({ view }) => (view.agentId === agentId ? [view] : [])).reverse();
  }

  /** Its events, without what the model was sent. @throws PatchbayError REPLAY_NOT_FOUND */
  turn(agentId: string, id: string): Promise<RecordEvent[]> {
    const { events, blobs } = this.one(agentId, id);
    return withPayloads(events.map(withoutExchange), async (address) => blobs.get(address));
  }

  discard(agentId: string, id: string): void {
    const one = this.one(agentId, id);
    this.kept = this.kept.filter((kept) => kept !== one);
  }

  /** @throws PatchbayError TURN_NOT_FOUND, REPLAY_NOT_FOUND */
  async compare(agentId: string, left: TurnSide, right: TurnSide): Promise<ComparedTurns> {
    const [one, other] = await Promise.all([this.side(agentId, left), this.side(agentId, right)]);
    return compareTurns(one, other);
  }

  /** The text of a file for a turn that is kept as a test. @throws PatchbayError TURN_NOT_FOUND, PAYLOAD_TOO_LARGE */
  async keep(of: TurnRef): Promise<{ name: string; text: string }> {
    const { turn, entries, files } = await this.find(of);
    refuseGaps(turn);
    const before = entries.slice(0, turn.world.entries);
    const own = entries
      .slice(turn.world.entries)
      .filter((entry) => "turnId" in entry && entry.turnId === of.turnId);
    const name = turn.begun.text.split("\n")[0]?.trim().slice(0, 80) || of.turnId;
    const keptAt = isoTime(this.options.clock);
    const kept = { name, keptAt, events: turn.events, entries: [...before, ...own], files };
    return { name, text: await writeTestFile(kept, this.options.secrets) };
  }

  /**
   * Runs a kept turn with the plugins that the agent has now; its tools answer from the file. Somebody else may have written
   * the file, so it does not answer the questions of plugins.
   * @throws PatchbayError REPLAY_FILE_INVALID, AGENT_NOT_FOUND
   */
  async judge(
    agentId: string,
    { file, ...wish }: { file: string } & Pick<ReplayWish, "without" | "versions" | "model">,
    signal: AbortSignal,
  ): Promise<{ name: string; expect: TestPart[]; compared: ComparedTurns }> {
    refuseBoth(wish);
    const agent = this.agent(agentId);
    const kept = await readTestFile(file);
    const turn = await RecordedTurn.read(kept.lines, kept.getBlob);
    const { entries, files, name, expect } = kept;
    const input = { turn, entries, files, agent, signal, isOwn: false };
    const events = await this.runLive(input, { ...wish, plugins: "live", tools: "recorded" });
    return { name, expect, compared: compareTurns(turn.events, events) };
  }

  private async runLive(
    input: Omit<LiveReplayInput, "tools" | "without" | "model" | "others">,
    { tools, without, versions, ...wish }: ReplayWish,
  ): Promise<RecordEvent[]> {
    const { agent, signal } = input;
    const model = await this.modelFor(agent, wish);
    return withVersions(this.options.versions, { agentId: agent.id, versions, signal }, (others) =>
      replayLive({ ...input, tools, without, model, others }, this.options),
    );
  }

  private agent(agentId: string): Agent {
    const agent = this.options.agents.get(agentId);
    if (!agent) throw new PatchbayError("AGENT_NOT_FOUND", `There is no agent named ${agentId}.`);
    return agent;
  }

  private async find({ agentId, sessionId, turnId }: TurnRef): Promise<Found> {
    const { entries, files, events } = await this.options.open(agentId, sessionId);
    const own = turnOf(await events.readEvents(), turnId);
    if (own.length === 0)
      throw new PatchbayError("TURN_NOT_FOUND", `There is no record of the turn ${turnId}.`);
    if (own.at(-1)?.type !== "turn_ended")
      throw new PatchbayError("BAD_INPUT", "The turn still runs.", { help: "Wait until it has ended." });
    const lines = own.map((event) => JSON.stringify(event));
    const getBlob = (address: string) => events.getBlob(address);
    return { lines, getBlob, entries, files, turn: await RecordedTurn.read(lines, getBlob) };
  }

  private async side(agentId: string, side: TurnSide): Promise<readonly RecordEvent[]> {
    if ("turnId" in side) return (await this.find({ agentId, ...side })).turn.events;
    const { events, blobs } = this.one(agentId, side.replayId);
    return whole(events, async (address) => blobs.get(address));
  }

  private async modelFor(agent: Agent, { model }: Pick<ReplayWish, "model">): Promise<Agent["model"] | null> {
    if (model === "recorded") return null;
    if (model === "own") return agent.model;
    const named = await this.options.modelNamed(agent, model);
    if (!named)
      throw new PatchbayError("BAD_INPUT", `The provider of ${agent.name} has no model named ${model}.`, {
        help: "Choose one that its provider has.",
      });
    return named;
  }

  private one(agentId: string, id: string): Kept {
    const one = this.kept.find(({ view }) => view.id === id && view.agentId === agentId);
    if (!one) throw new PatchbayError("REPLAY_NOT_FOUND", "There is no such replay any more.");
    return one;
  }

  private keepReplay(view: Replay, events: readonly RecordEvent[]): void {
    const blobs = new Map<string, string>();
    let chars = 0;
    const lines = events.map((event) => {
      const { line, blobs: own } = encode(event, this.options.secrets);
      for (const [address, text] of own) blobs.set(address, text);
      return line;
    });
    for (const text of blobs.values()) chars += text.length;
    chars += lines.reduce((sum, line) => sum + JSON.stringify(line).length, 0);
    const kept = [...this.kept, { view, events: lines, blobs, chars }].slice(-mostKept);
    // The newest stays, however large it is.
    let total = kept.reduce((sum, one) => sum + one.chars, 0);
    while (kept.length > 1 && total > mostChars) total -= kept.shift()?.chars ?? 0;
    this.kept = kept;
  }
}

/** Runs a kept turn with nothing but what the file holds. @throws PatchbayError REPLAY_FILE_INVALID */
export async function judgeRecorded(kept: KeptTurn): Promise<ComparedTurns> {
  const turn = await RecordedTurn.read(kept.lines, kept.getBlob);
  return compareTurns(turn.events, await exactly({ ...kept, turn }));
}

async function exactly({ turn, ...input }: Found): Promise<RecordEvent[]> {
  const { lines, blobs } = await replayTurn(input);
  const events = lines.map((line) => JSON.parse(line) as RecordEvent);
  return whole(events, async (address) => blobs.get(address) ?? input.getBlob(address));
}

function refuseBoth({ without, versions }: Pick<ReplayWish, "without" | "versions">): void {
  const both = Object.keys(versions).find((key) => without.includes(key));
  if (both !== undefined)
    throw new PatchbayError("BAD_INPUT", `${both} is to be left out, and to be asked at another version.`, {
      help: "Choose one of the two.",
    });
}

function isRecorded(wish: ReplayWish): boolean {
  refuseBoth(wish);
  const { plugins, tools, without, versions, model } = wish;
  const others = Object.keys(versions);
  if (plugins === "live") return false;
  if (tools === "recorded" && without.length === 0 && others.length === 0 && model === "recorded")
    return true;
  throw new PatchbayError(
    "BAD_INPUT",
    "Something is to be another than it was, so the plugins have to be asked.",
    {
      help: "Let the plugins really be asked.",
    },
  );
}

/** @throws PatchbayError READ_FAILED when parts of the record had to make room for newer ones */
function refuseGaps(turn: RecordedTurn): void {
  const isGone = (value: unknown) => JSON.stringify(value ?? null).startsWith('{"$blob":');
  const gone =
    isGone(turn.begun.world) ||
    turn.all("model_answered").some(({ response }) => isGone(response)) ||
    turn.all("tool_answered").some(({ output }) => isGone(output));
  if (gone)
    throw new PatchbayError(
      "READ_FAILED",
      "Parts of this turn are no longer kept, so it cannot be run again.",
      {
        help: "Choose a newer turn.",
      },
    );
}
