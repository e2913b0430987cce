import { argumentsIn, type Caller, type CommandInfo, PatchbayError } from "../../../contract/index.ts";
import { commandIn } from "../command-text.ts";
import type { AuditSink } from "../ports.ts";
import { type PromptMessage, promptMessage } from "./filled-prompt.ts";
import { type CallingOptions, callPlugin } from "./plugin-calls.ts";

export interface PromptRequest {
  agentId: string;
  /** The command with its slash and its arguments. */
  text: string;
  /** Empty: none yet. */
  sessionId: string;
  caller: Caller;
  signal: AbortSignal;
}

/** Prompts of plugins that the person calls by a slash command. */
export class Prompts {
  private readonly options: CallingOptions & {
    audit: AuditSink;
    commands: { find(agentId: string, name: string): CommandInfo | undefined };
  };

  constructor(options: Prompts["options"]) {
    this.options = options;
  }

  /** Whether a text calls a prompt of a plugin that runs. */
  isOne(agentId: string, text: string): boolean {
    return this.commandOf(agentId, text) !== undefined;
  }

  /** As {@link isOne}; starts the agent's plugins when no command has that name and it could be a prompt of one of them. */
  async isOneOf(agentId: string, text: string): Promise<boolean> {
    if (!text.startsWith("/")) return false;
    const { name } = commandIn(text);
    if (this.options.commands.find(agentId, name)) return this.isOne(agentId, text);
    if (name.includes(":")) await this.options.pool.wake(agentId);
    return this.isOne(agentId, text);
  }

  /**
   * The message that a command with a prompt stands for.
   * @throws PatchbayError PROMPT_INCOMPLETE, COMMAND_FAILED, COMMAND_TIMEOUT, PLUGIN_NOT_RUNNING, ABORTED
   */
  async fill({ agentId, text, sessionId, caller, signal }: PromptRequest): Promise<PromptMessage> {
    const command = this.commandOf(agentId, text);
    if (!command) throw new PatchbayError("NOT_FOUND", "There is no such prompt any more.");
    const { name, owner, prompt } = command;
    if (caller.kind !== "owner" && caller.role !== "owner")
      throw new PatchbayError("COMMAND_FAILED", `/${name} is a command for the owner of this agent.`);
    const { args, missing } = argumentsIn(commandIn(text).args, prompt.arguments);
    if (missing.length > 0) {
      const names = missing.slice(0, 8).join(", ");
      throw new PatchbayError("PROMPT_INCOMPLETE", `/${name} lacks ${names}.`, {
        help: `Write it as /${name} ${missing[0]}="…".`,
        details: { command: `/${name}`, missing: names },
      });
    }
    const { audit, clock } = this.options;
    const since = clock.ticks();
    const written = (outcome: "done" | "failed") =>
      audit.record({
        kind: "command.run",
        ...{ agentId, pluginKey: owner, command: name, sessionId, caller, outcome },
        ms: Math.round(clock.ticks() - since),
      });
    try {
      const call = { kind: "prompt" as const, name: prompt.name, args };
      const of = { agentId, owner, sessionId, caller, signal };
      const output = await callPlugin(this.options, call, of);
      const message = promptMessage(output, owner, text);
      written("done");
      return message;
    } catch (error) {
      written("failed");
      if (signal.aborted) throw error;
      const why = (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
      throw new PatchbayError("COMMAND_FAILED", `/${name} of the plugin ${owner} failed: ${why}.`, {
        cause: error,
      });
    }
  }

  private commandOf(agentId: string, text: string) {
    if (!text.startsWith("/")) return undefined;
    const found = this.options.commands.find(agentId, commandIn(text).name);
    return found?.prompt && found.owner !== null
      ? { name: found.name, owner: found.owner, prompt: found.prompt }
      : undefined;
  }
}
