import { type Caller, PatchbayError } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import { TimeLimitError } from "../../base/limit.ts";
import { WatchedScope } from "../../runtimes/plugin-call.ts";
import { aborted, type LimitKeeper, withinLimit } from "../call-limit.ts";
import { type EffectSink, handingTo } from "../effects/effect-sink.ts";
import type { AgentDirectory, AgentPool, LimitSource, SecretLookup } from "../ports.ts";
import type { Span } from "../record/recorder.ts";
import type { RecordPlace } from "../record/recording.ts";

export interface ShortcutPress {
  plugin: string;
  /** Of the plugin's `contributions.shortcuts`. */
  id: string;
  /** Empty: it belongs to no conversation. */
  sessionId: string;
  signal: AbortSignal;
}

const owner: Caller = { kind: "owner" };

/** Keys of plugins, pressed by the person. They wait for no turn: some are there to change what goes on. */
export class Shortcuts {
  private readonly options: {
    pool: AgentPool;
    agents: AgentDirectory;
    settings: LimitSource;
    secrets: SecretLookup;
    keeper: LimitKeeper;
    clock: Clock;
    /** Makes a place for what belongs to no turn. */
    outside(place: RecordPlace): Span;
    /** Takes what is asked for beside answers in a conversation. */
    effectsOf(agentId: string, sessionId: string, caller: Caller): EffectSink | undefined;
  };
  /** Those whose call has not ended. */
  private readonly running = new Set<string>();

  constructor(options: Shortcuts["options"]) {
    this.options = options;
  }

  /**
   * Calls the plugin. What it says is left in the conversation.
   * @throws PatchbayError AGENT_NOT_FOUND, PLUGIN_NOT_RUNNING, CALL_UNSUPPORTED, COMMAND_TIMEOUT, COMMAND_FAILED, ABORTED
   */
  async press(agentId: string, { plugin, id, sessionId, signal }: ShortcutPress) {
    const { agents, secrets } = this.options;
    if (!agents.get(agentId))
      throw new PatchbayError("AGENT_NOT_FOUND", `There is no agent named ${agentId}.`);
    const name = JSON.stringify([agentId, plugin, id]);
    if (this.running.has(name)) return { output: "", busy: true };
    this.running.add(name);
    try {
      const sink = this.options.effectsOf(agentId, sessionId, owner);
      const span = this.options.outside({ agentId, sessionId });
      const said = await this.call(agentId, { plugin, id, sessionId, signal }, sink, span);
      const output = secrets.redact(said).trim();
      if (output !== "") sink?.take(plugin, [{ kind: "notify", text: output, level: "info" }], span);
      return { output, busy: false };
    } finally {
      this.running.delete(name);
    }
  }

  private async call(
    agentId: string,
    { plugin, id, sessionId, signal }: ShortcutPress,
    sink: EffectSink | undefined,
    span: Span,
  ): Promise<string> {
    const { pool, keeper, settings, clock } = this.options;
    const limitMs = settings.get().limits.toolMs;
    const effects = handingTo(sink, plugin, span);
    try {
      return await withinLimit({
        limitMs,
        clock,
        signal,
        keeper,
        agentId,
        pluginKey: plugin,
        sessionId,
        run: (abort) => {
          const scope = new WatchedScope(abort, { sessionId, caller: owner, effects });
          return pool.call(agentId, plugin, { kind: "shortcut", id }, scope);
        },
      });
    } catch (error) {
      if (signal.aborted) throw aborted("The shortcut");
      if (error instanceof TimeLimitError) {
        const text = `The shortcut of ${plugin} did not end within ${Math.round(limitMs / 1000)} s.`;
        throw new PatchbayError("COMMAND_TIMEOUT", text, { cause: error });
      }
      throw error;
    }
  }
}
