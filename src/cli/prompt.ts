import {
  type Aside,
  fromProblem,
  type PluginSaid,
  type Problem,
  type ToolTrace,
  type TurnEvent,
} from "../contract/index.ts";
import { cleanJson } from "../contract/shown/clean-text.ts";
import { attachedFiles } from "./agents/attach.ts";
import { saidText } from "./agents/said-text.ts";
import { attended } from "./attend.ts";
import type { CliContext, Client, Connection, ExitCode } from "./context.ts";

export interface PromptRequest {
  agentId: string;
  text: string;
  sessionId: string | undefined;
  /** Paths of files that go with the message. */
  attach: readonly string[];
  yes: boolean;
  wait: boolean;
}

/** Runs one turn and shows it: the text as it comes, a line for each tool call. Ends with the turn's outcome. */
export async function promptAgent(
  context: CliContext,
  client: Client,
  connection: Connection,
  request: PromptRequest,
): Promise<ExitCode | undefined> {
  const { agentId, text, yes, wait } = request;
  const sessionId = request.sessionId ?? (await client.sessions.create({ agentId })).id;
  const { output, signal } = context;
  const abort = () => void client.sessions.abort({ agentId, sessionId }).catch(() => {});
  signal.addEventListener("abort", abort, { once: true });
  const view = new TurnView(context);
  try {
    const attachments = await attachedFiles(context, client, { agentId, sessionId }, request.attach);
    const message = { agentId, text, sessionId, ...(attachments.length > 0 && { attachments }) };
    await attended(context, client, connection, { agentId, yes, wait }, async () => {
      for await (const event of await client.sessions.prompt(message)) view.show(event);
    });
  } finally {
    signal.removeEventListener("abort", abort);
  }
  if (output.json && !view.problem) output.result({ sessionId, ...view.summary() }, () => "");
  if (view.problem) throw fromProblem(view.problem);
  if (!output.json) output.note(output.paint.dim(`Conversation ${sessionId}`));
  return view.outcome === "done" ? 0 : 1;
}

/** What a person sees of a turn, and what `--json` prints at its end. */
class TurnView {
  problem: Problem | null = null;
  outcome: "done" | "failed" | "aborted" = "done";
  private readonly context: CliContext;
  private readonly tools: ToolTrace[] = [];
  private readonly titles = new Map<string, string>();
  private turnId: string | null = null;
  private text = "";
  private dropped: { by: string; reason: string } | null = null;
  private streamed = new Set<string>();
  private openLine = false;

  constructor(context: CliContext) {
    this.context = context;
  }

  summary() {
    const { turnId, outcome, text, tools, dropped } = this;
    return { turnId, outcome, text, tools, ...(dropped && { dropped }) };
  }

  show(event: TurnEvent): void {
    const { output } = this.context;
    switch (event.type) {
      case "turn_started":
        this.turnId = event.turnId;
        this.aside(event.aside);
        break;
      case "text_delta":
        this.streamed.add(event.messageId);
        this.write(event.text);
        break;
      case "message":
        if (!this.streamed.has(event.messageId) && event.text !== "") this.write(event.text);
        this.endLine();
        break;
      case "plugin_said":
        this.said(event.owner, event.said);
        break;
      case "steered":
        this.endLine();
        output.line(output.paint.dim(`[${event.owner}] to the agent: ${event.text}`));
        break;
      case "tool_started":
        this.titles.set(event.toolCallId, event.title);
        this.endLine();
        output.line(output.paint.dim(`→ ${event.title} ${cleanJson(JSON.stringify(event.arguments))}`));
        break;
      case "tool_progress":
        output.line(output.paint.dim(`  ${event.text}`));
        break;
      case "tool_ended":
        this.tools.push(event.trace);
        output.line(this.toolLine(event.trace));
        break;
      case "command":
        this.text = event.output;
        this.write(event.output);
        this.endLine();
        break;
      case "turn_ended":
        this.endLine();
        this.outcome = event.outcome;
        this.problem = event.problem;
        this.text = event.text;
        break;
      case "approval_requested":
      case "approval_resolved":
      case "model_call":
      case "session_cleared":
      case "session_compacted":
      case "thinking_delta":
      case "thinking":
        break;
    }
  }

  /** What a plugin left for the person. */
  private said(owner: string, said: PluginSaid): void {
    const text = saidText(said);
    if (text === null) return;
    const { output } = this.context;
    this.endLine();
    output.line(output.paint.dim(`[${owner}] ${text}`));
  }

  /** Says why the agent does not answer. */
  private aside(aside: Aside | undefined): void {
    if (!aside) return;
    const { output } = this.context;
    const { by } = aside;
    if (aside.kind === "command") {
      output.line(output.paint.dim(`${by} made this a command.`));
      return;
    }
    this.dropped = { by, reason: aside.reason };
    const why = aside.reason === "" ? "." : `: ${aside.reason}`;
    output.line(output.paint.warn(`${by} dropped this message${why}`));
  }

  private toolLine(trace: ToolTrace): string {
    const { paint } = this.context.output;
    const ran = trace.outcome === "executed";
    const mark = ran ? paint.good("✓") : paint.bad("✗");
    const why = trace.problem ? `: ${trace.problem.message}` : "";
    return `${mark} ${this.titles.get(trace.toolCallId) ?? trace.tool} ${outcomeWords[trace.outcome]}${why} ${paint.dim(`${Math.round(trace.ms)} ms`)}`;
  }

  private write(text: string): void {
    this.context.output.stream(text);
    this.openLine = !text.endsWith("\n");
  }

  private endLine(): void {
    if (this.openLine) this.context.output.stream("\n");
    this.openLine = false;
  }
}

const outcomeWords: Record<ToolTrace["outcome"], string> = {
  executed: "done",
  failed: "failed",
  vetoed: "blocked by a hook",
  denied: "forbidden by the policy",
  rejected: "not allowed",
  timed_out: "took too long",
};
