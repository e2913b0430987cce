import { type Caller, type CommandInfo, PatchbayError } from "../../contract/index.ts";
import { type Clock, isoTime } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import { TimeLimitError } from "../base/limit.ts";
import { WatchedScope } from "../runtimes/plugin-call.ts";
import type { EventBus } from "./bus/event-bus.ts";
import type { HookScope } from "./bus/hook-scope.ts";
import { aborted, type LimitKeeper, withinLimit } from "./call-limit.ts";
import { type ChatWords, chatWords, commandsFor, englishOnly, GERMAN_HELP } from "./chat-words.ts";
import { called, commandIn, nearTo } from "./command-text.ts";
import { type EffectSink, handingTo } from "./effects/effect-sink.ts";
import { LaterEffects } from "./effects/later-effects.ts";
import { heldCommands, listedCommands } from "./offered/listed-commands.ts";
import type {
  AgentDirectory,
  AgentPool,
  AuditSink,
  ChatLanguages,
  LimitSource,
  SecretLookup,
} from "./ports.ts";
import type { Span } from "./record/recorder.ts";
import type { RecordPlace } from "./record/recording.ts";
import type { LiveSession } from "./sessions/session.ts";
import { CLEAR } from "./turns/transcript.ts";

export interface CommandInput {
  /** With its slash: `/name args`. */
  text: string;
  /** Null outside of a conversation. */
  session: LiveSession | null;
  caller: Caller;
  signal: AbortSignal;
  id?: string;
}
/** A command that runs, with what it asks for beside its text. */
type Running = CommandInput & { asked: LaterEffects };
export interface CommandEnd {
  output: string;
  /** True when the conversation before the command is no longer sent to the model. */
  cleared: boolean;
}

/** Slash commands. They never reach the model; the built-in ones cannot be shadowed. */
export class Commands {
  private readonly options: {
    pool: AgentPool;
    agents: AgentDirectory;
    settings: LimitSource;
    secrets: SecretLookup;
    audit: AuditSink;
    keeper: LimitKeeper;
    clock: Clock;
    ids: Ids;
    /** Makes a place for what belongs to no turn. */
    outside(place: RecordPlace): Span;
    busOf(agentId: string): EventBus;
    languages: ChatLanguages | undefined;
    /** Takes what is asked for beside answers in a conversation. */
    effectsOf(agentId: string, sessionId: string, caller: Caller): EffectSink | undefined;
    /** Opens a new conversation for the same caller and returns its id. A channel's old conversation is closed. */
    openNew(agentId: string, from: LiveSession | null): Promise<string>;
  };

  constructor(options: Commands["options"]) {
    this.options = options;
  }

  /** Every command that can be run. @throws PatchbayError AGENT_NOT_FOUND */
  list(agentId: string): CommandInfo[] {
    if (!this.options.agents.get(agentId)) throw agentNotFound(agentId);
    return listedCommands(this.options.pool.live(agentId));
  }

  /** Starts what starts at its first use, because it may have prompts. Never rejects. */
  wake(agentId: string): Promise<void> {
    return this.options.pool.wake(agentId);
  }

  /**
   * Runs a command within the order of its session. An unknown name is answered with a sentence.
   * @throws PatchbayError AGENT_NOT_FOUND, PROMPT_HELD, COMMAND_FAILED, ABORTED, or what /compact fails with
   */
  async run(agentId: string, input: CommandInput): Promise<CommandEnd> {
    const { session } = input;
    const work = (signal: AbortSignal) => this.runWithin(agentId, { ...input, signal });
    return session ? session.serial(work, input.signal) : work(input.signal);
  }

  /** Whether a text is a command of this agent, and no prompt. @throws PatchbayError AGENT_NOT_FOUND */
  has(agentId: string, text: string): boolean {
    const found = text.startsWith("/") && this.find(agentId, commandIn(text).name);
    return found !== undefined && found !== false && !found.prompt;
  }

  /** As {@link run}, for work that runs within the order of the session already. */
  async runWithin(agentId: string, input: CommandInput): Promise<CommandEnd> {
    const { session, caller } = input;
    const asked = new LaterEffects(session ? this.options.effectsOf(agentId, session.id, caller) : undefined);
    try {
      return await this.runAsking(agentId, { ...input, asked });
    } finally {
      asked.release();
    }
  }

  private async runAsking(agentId: string, input: Running): Promise<CommandEnd> {
    const { name, args } = commandIn(input.text);
    const end = await this.recorded(agentId, name, input, () => this.execute(agentId, name, args, input));
    const output = this.options.secrets.redact([end.output, ...input.asked.lines].join("\n"));
    const id = input.id ?? this.options.ids.next();
    if (input.session && input.session.view.status !== "closed") {
      await input.session.append({
        type: "command",
        id,
        text: end.cleared ? CLEAR : input.text,
        output,
        at: isoTime(this.options.clock),
      });
      if (end.cleared) input.session.publish({ type: "session_cleared", sessionId: input.session.id });
      input.session.publish({ type: "command", id, text: input.text, output });
    }
    return { ...end, output };
  }

  /** Runs a command and writes its line of the audit, also when it fails; none for a name that there is not. */
  private async recorded(
    agentId: string,
    name: string,
    { session, caller }: CommandInput,
    run: () => Promise<CommandEnd>,
  ): Promise<CommandEnd> {
    const { audit, clock } = this.options;
    const command = this.find(agentId, name);
    const since = clock.ticks();
    const write = (outcome: "done" | "failed") => {
      if (!command) return;
      const owner = command.owner === null ? {} : { pluginKey: command.owner };
      const place = { agentId, ...owner, command: command.name, sessionId: session?.id ?? "" };
      audit.record({ kind: "command.run", ...place, caller, outcome, ms: Math.round(clock.ticks() - since) });
    };
    try {
      const end = await run();
      write("done");
      return end;
    } catch (error) {
      write("failed");
      throw error;
    }
  }

  private async execute(agentId: string, name: string, args: string, input: Running): Promise<CommandEnd> {
    const words = this.words(agentId);
    const command = this.find(agentId, name);
    if (!command) return this.unknown(agentId, name, input.caller);
    const { owner, prompt } = command;
    if (prompt) throw new PatchbayError("BAD_INPUT", `/${name} is a prompt: send it as a message.`);
    if (owner !== null) return this.runPlugin(agentId, { ...command, owner }, args, input);
    switch (command.name) {
      case "help":
      case GERMAN_HELP:
        return say(this.help(agentId, input.caller, args.replace(/^[/!]/, "").toLowerCase()));
      case "new": {
        const id = await this.options.openNew(agentId, input.session);
        // A chat goes on where it is written.
        if (input.session?.view.source.kind === "owner")
          input.session.publish({ type: "session_left", sessionId: input.session.id, to: id });
        return say(words.begunAnew(id));
      }
      case "clear":
        return input.session ? { output: words.cleared, cleared: true } : say(words.nothingToClear);
      case "compact":
        return input.session
          ? say(await this.compact(agentId, input.session, input))
          : say(words.nothingToCompact);
      default:
        return say(words.noCommand(name));
    }
  }

  /** What is said of a name that nothing has. Of a prompt that is held the owner is told so. @throws PatchbayError PROMPT_HELD */
  private unknown(agentId: string, name: string, caller: Caller): CommandEnd {
    const words = this.words(agentId);
    const held = isOwner(caller) ? called(heldCommands(this.options.pool.live(agentId)), name) : undefined;
    if (!held) return say(words.noCommand(name, nearTo(name, this.listedFor(agentId, caller))));
    const { owner: plugin } = held;
    if (caller.kind === "channel") return say(words.heldPrompt(held.name, plugin ?? ""));
    throw new PatchbayError(
      "PROMPT_HELD",
      `/${held.name} is held: ${plugin} says of it what you have not agreed to.`,
      { details: { command: `/${held.name}`, plugin, key: plugin } },
    );
  }

  /** The command of that name, whatever its case where none has exactly that; undefined when there is none. */
  find(agentId: string, name: string): CommandInfo | undefined {
    return called([{ name: GERMAN_HELP, description: "", owner: null }, ...this.list(agentId)], name);
  }

  private async runPlugin(
    agentId: string,
    { name, owner }: CommandInfo & { owner: string },
    args: string,
    input: Running,
  ): Promise<CommandEnd> {
    const words = this.words(agentId);
    if (!isOwner(input.caller)) return say(words.ownersCommand(name));
    const { pool, keeper, settings, clock } = this.options;
    const limitMs = settings.get().limits.toolMs;
    const sessionId = input.session?.id ?? "";
    const effects = handingTo(input.asked, owner, this.options.outside({ agentId, sessionId }));
    const place = { agentId, pluginKey: owner, sessionId };
    try {
      const output = await withinLimit({
        limitMs,
        clock,
        signal: input.signal,
        keeper,
        ...place,
        run: (abort) =>
          pool.call(
            agentId,
            owner,
            { kind: "command", name, args },
            new WatchedScope(abort, { sessionId, caller: input.caller, effects }),
          ),
      });
      return say(output || words.done);
    } catch (error) {
      if (input.signal.aborted) throw aborted(`/${name}`);
      const why =
        error instanceof TimeLimitError
          ? `it did not end within ${Math.round(limitMs / 1000)} s`
          : (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
      throw new PatchbayError("COMMAND_FAILED", `/${name} of the plugin ${owner} failed: ${why}.`, {
        cause: error,
      });
    }
  }

  private async compact(agentId: string, session: LiveSession, input: Running): Promise<string> {
    const agent = this.options.agents.get(agentId);
    if (!agent) throw agentNotFound(agentId);
    const { compact } = await import("./turns/compact/compaction.ts");
    const { secrets, clock, ids } = this.options;
    const { caller, signal, asked: effects } = input;
    const span = this.options.outside({ agentId, sessionId: session.id });
    const scope: HookScope = { sessionId: session.id, caller, signal, span, effects };
    const bus = this.options.busOf(agentId);
    const summary = await compact(agent, session, { bus, scope, ids, secrets, clock });
    return this.words(agentId).compacted(summary);
  }

  /**
   * The commands that this caller may use, or the one that was asked for; people without the right to use plugins'
   * commands do not see them.
   */
  private help(agentId: string, caller: Caller, name: string): string {
    const words = this.words(agentId);
    const known = this.listedFor(agentId, caller);
    const shown = name === "" ? known : known.filter((command) => command.name.toLowerCase() === name);
    if (shown.length === 0) return words.noCommand(name);
    return shown
      .map(({ name: called, argsHint, description, owner }) => {
        const from = owner ? ` [${owner}]` : "";
        return `/${called}${argsHint ? ` ${argsHint}` : ""}: ${description}${from}`;
      })
      .join("\n");
  }

  private listedFor(agentId: string, caller: Caller): CommandInfo[] {
    const plugins = isOwner(caller) ? this.list(agentId).filter(({ owner }) => owner !== null) : [];
    return commandsFor(this.words(agentId), plugins, caller.kind === "channel");
  }

  private words(agentId: string): ChatWords {
    return chatWords((this.options.languages ?? englishOnly).of(agentId));
  }
}

/** The person at this desktop, or somebody whom a channel's own settings name as an owner. */
function isOwner(caller: Caller): boolean {
  return caller.kind === "owner" || caller.role === "owner";
}

function say(output: string): CommandEnd {
  return { output, cleared: false };
}

function agentNotFound(agentId: string): PatchbayError {
  return new PatchbayError("AGENT_NOT_FOUND", `There is no agent named ${agentId}.`);
}
