import type { AgentTool } from "@earendil-works/pi-agent-core";
import type { Message, ToolResultMessage } from "@earendil-works/pi-ai";
import type { ToolInfo, ToolOutcome } from "../../../contract/index.ts";
import { keepForChat } from "../files/sent-files.ts";
import type { LiveSession } from "../sessions/session.ts";
import type { ToolPipeline } from "../tools/pipeline.ts";
import type { RunInput } from "./run-input.ts";
import { forModel } from "./transcript.ts";

/** The tools of one run, in the form that the agent loop expects. Every call of one goes through the pipeline. */
export class RunTools {
  /**
   * The tools that the loop may execute. Before each model call the loop compares them with those that it has told the
   * model, and tells it of tools that came or went. Between two calls the list grows when the model calls an unknown
   * tool (`admit`).
   */
  readonly executors: AgentTool[] = [];
  failuresInARow = 0;
  private readonly input: RunInput;
  private readonly session: LiveSession;
  private readonly pipeline: ToolPipeline;
  /** Every tool that the model was told of, with its present description, or its last one when it is gone. */
  private readonly declared = new Map<string, ToolInfo>();
  private readonly outcomes = new Map<string, ToolOutcome>();

  constructor(input: RunInput, session: LiveSession, pipeline: ToolPipeline) {
    this.input = input;
    this.session = session;
    this.pipeline = pipeline;
    this.offer(input.tools);
  }

  /** How many tools the model may call. */
  get count(): number {
    return this.executors.filter(({ name }) => this.declared.has(name)).length;
  }

  /** Reads again what plugins offer, so that the next model call sees changes. */
  refresh(): void {
    this.offer(this.pipeline.offered(this.input.agent.id, this.input.caller));
  }

  /** Undefined for a call that never reached the pipeline: it was cut off, or the turn was stopped before it. */
  outcomeOf(toolCallId: string): ToolOutcome | undefined {
    return this.outcomes.get(toolCallId);
  }

  /** Records a call that never reached the pipeline; the loop has answered it by itself. */
  async noteSkipped({ toolCallId, toolName: tool, content, details }: ToolResultMessage): Promise<void> {
    if (this.outcomes.has(toolCallId)) return;
    this.input.turn.record({
      type: "tool_skipped",
      id: this.input.ids.next(),
      toolCallId,
      tool,
      content: content.map((part) =>
        part.type === "text"
          ? { type: "text", text: part.text }
          : { type: "image", data: part.data, mimeType: part.mimeType },
      ),
      ...(details !== undefined && { details }),
    });
    await this.session.settled();
  }

  /** Lets the loop execute an unknown tool: the pipeline then answers that it does not exist. */
  admit(name: string): void {
    if (!this.executors.some((tool) => tool.name === name)) this.executors.push(this.executor(name));
  }

  /**
   * Puts the real schemas into a message. The loop itself gets schemas that accept anything, because its own check is
   * more lenient than ours.
   */
  withRealSchemas(message: Message): Message {
    if (message.role !== "system" || !message.toolsAdded) return message;
    const toolsAdded = message.toolsAdded.flatMap((tool) => {
      const real = this.declared.get(tool.name);
      return real ? [{ ...tool, parameters: real.parameters }] : [];
    });
    return { ...message, toolsAdded };
  }

  private offer(tools: readonly ToolInfo[]): void {
    for (const tool of tools) this.declared.set(tool.name, tool);
    this.executors.splice(0, this.executors.length, ...tools.map(({ name }) => this.executor(name)));
  }

  private executor(name: string): AgentTool {
    const tool = this.declared.get(name);
    return {
      name,
      label: tool?.title ?? name,
      description: tool?.description ?? "",
      parameters: { type: "object" },
      execute: async (id, params) => {
        const { content, details } = await this.call(id, name, params as Record<string, unknown>);
        return { content: forModel(content), details };
      },
    };
  }

  private async call(toolCallId: string, tool: string, input: Record<string, unknown>) {
    const { session } = this;
    const { turnId, agent, caller, signal } = this.input;
    this.input.noteOffer();
    const { output, outcome } = await this.pipeline.call({
      agentId: agent.id,
      sessionId: session.id,
      turnId,
      tool,
      input,
      caller,
      signal,
      toolCallId,
      span: this.input.turn.child(),
      effects: this.input.effects,
      entryId: this.input.ids.next(),
      ...(caller.kind === "channel" && { keepForChat: (file) => keepForChat(session, turnId, file) }),
    });
    this.outcomes.set(toolCallId, outcome);
    this.failuresInARow = outcome === "executed" ? 0 : this.failuresInARow + 1;
    await session.settled();
    return output;
  }
}
