import { type Effect, fromProblem, PatchbayError, type Problem } from "../../../../contract/index.ts";
import type { CallResult, CallScope, PluginCall, ToolOutput } from "../../../runtimes/plugin-call.ts";
import type { AgentPool, LiveContributions, OtherVersion, RequiredHooks } from "../../ports.ts";
import type { AnswerBook } from "./answer-book.ts";
import { withVersion } from "./other-versions.ts";

/**
 * The agent's running plugins, for a replay: some may be left out, of some another version is asked, and instead of their
 * tools the record may answer. `book` is null when tools are really run.
 */
export class LivePool implements AgentPool {
  readonly changes: AgentPool["changes"];
  private readonly pool: AgentPool;
  private readonly without: ReadonlySet<string>;
  private readonly book: AnswerBook | null;
  private readonly others: ReadonlyMap<string, OtherVersion>;
  private last: { of: readonly unknown[]; offers: LiveContributions } | undefined;

  constructor(options: {
    pool: AgentPool;
    without: ReadonlySet<string>;
    others: ReadonlyMap<string, OtherVersion>;
    book: AnswerBook | null;
  }) {
    this.pool = options.pool;
    this.changes = options.pool.changes;
    this.without = options.without;
    this.others = options.others;
    this.book = options.book;
  }

  live(agentId: string): LiveContributions {
    const all = this.pool.live(agentId);
    if (this.without.size === 0 && this.others.size === 0) return all;
    const others = [...this.others.values()];
    const of = [all, ...others.map(({ contributions }) => contributions)];
    // The same object until something changes.
    if (this.last?.of.every((one, at) => one === of[at])) return this.last.offers;
    const stays = ({ owner }: { owner?: string | null }) =>
      owner == null || !(this.without.has(owner) || this.others.has(owner));
    const rest: LiveContributions = {
      tools: all.tools.filter(stays),
      toolsets: all.toolsets.filter(stays),
      hooks: all.hooks.filter(stays),
      commands: all.commands.filter(stays),
      skills: all.skills.filter(stays),
    };
    this.last = { of, offers: others.reduce(withVersion, rest) };
    return this.last.offers;
  }

  required(agentId: string): readonly RequiredHooks[] {
    const running = this.pool
      .required(agentId)
      .filter(({ owner }) => !this.without.has(owner) && !this.others.has(owner));
    return [...running, ...[...this.others.values()].flatMap(({ required }) => required)];
  }

  whyMissing(agentId: string, tool: string): { plugin: string; problem: Problem | null } | undefined {
    const owner = this.pool.live(agentId).tools.find(({ name }) => name === tool)?.owner;
    if (!owner || !this.without.has(owner)) return this.pool.whyMissing(agentId, tool);
    const problem = new PatchbayError(
      "PLUGIN_NOT_RUNNING",
      `${owner} is left out of this replay.`,
    ).toProblem();
    return { plugin: owner, problem };
  }

  wake(agentId: string): Promise<void> {
    return this.pool.wake(agentId);
  }

  view(agentId: string, key: string): ReturnType<AgentPool["view"]> {
    const other = this.others.get(key);
    if (!other) return this.pool.view(agentId, key);
    return { state: other.contributions ? "running" : "failed", generation: other.generation };
  }

  async call<C extends PluginCall>(
    agentId: string,
    key: string,
    call: C,
    scope: CallScope,
  ): Promise<CallResult<C>> {
    if (call.kind !== "tool") return this.really(agentId, key, call, scope);
    if (!this.book) {
      refuseMasked(call.name, call.input);
      return this.really(agentId, key, call, scope);
    }
    // The type of a result follows from the kind of its call.
    return answerFrom(this.book, call.name, call.input, call.onUpdate, scope.effects) as CallResult<C>;
  }

  private really<C extends PluginCall>(
    agentId: string,
    key: string,
    call: C,
    scope: CallScope,
  ): Promise<CallResult<C>> {
    const other = this.others.get(key);
    return other ? other.call(call, scope) : this.pool.call(agentId, key, call, scope);
  }
}

/** What a tool came to when the turn was recorded. @throws PatchbayError REPLAY_NO_ANSWER, and what it failed with */
export function answerFrom(
  book: AnswerBook,
  tool: string,
  input: Record<string, unknown>,
  onUpdate: (text: string) => void,
  effects?: CallScope["effects"],
): ToolOutput {
  const { answered, progress, effects: asked } = book.answerTo(tool, input);
  for (const text of progress) onUpdate(text);
  if (asked.length > 0) effects?.(asked as Effect[]);
  if (answered.problem) throw fromProblem(answered.problem);
  // As the tool gave it.
  return answered.output as ToolOutput;
}

/** What stands where a secret was taken out. */
const mask = "•••";

/** @throws PatchbayError REPLAY_NO_ANSWER when a secret was taken out of what a tool would be run with */
export function refuseMasked(tool: string, input: Record<string, unknown>): undefined {
  if (!JSON.stringify(input).includes(mask)) return undefined;
  throw new PatchbayError(
    "REPLAY_NO_ANSWER",
    `${tool} was not run: a secret was taken out of the recorded arguments.`,
  );
}
