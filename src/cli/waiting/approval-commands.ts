import type { Command } from "commander";
import { Option } from "commander";
import { type Approval, type ApprovalDecision, PatchbayError } from "../../contract/index.ts";
import { cleanJson } from "../../contract/shown/clean-text.ts";
import { type Perform, usageError, withClient } from "../command.ts";
import type { CliContext, Client } from "../context.ts";
import { table } from "../terminal/output.ts";
import { alwaysWords, askApproval, callWords } from "./call-words.ts";

/** `patchbay approval list | review`: the questions that tool calls put to the person. */
export function addApprovalCommands(program: Command, perform: Perform): void {
  const approval = program.command("approval").description("tool calls that wait for an answer");

  approval
    .command("list")
    .description("what waits, and what was decided")
    .option("--waiting", "only what waits")
    .action((options: { waiting?: boolean }) =>
      perform(
        withClient(async ({ output }, client) => {
          const all = await client.approvals.list();
          const shown = options.waiting ? all.filter((one) => one.status === "waiting") : all;
          output.result(shown, () =>
            shown.length === 0 ? "Nothing waits for an answer." : table(shown.map(approvalRow)),
          );
        }),
      ),
    );

  const review = approval
    .command("review [id]")
    .description("answer a waiting call; without an id, ask about each at the terminal")
    .option("--allow", "let it run")
    .addOption(
      new Option(
        "--scope <scope>",
        "how far it reaches; always: every later call of the tool by whoever asked, whatever the arguments",
      )
        .choices(["once", "session", "always"])
        .default("once"),
    )
    .option("--deny", "refuse it")
    .option("--reason <text>", "why it is refused")
    .action((id: string | undefined, options: ReviewOptions) => {
      const decision = decisionOf(options);
      if (options.allow && options.deny) usageError(review, "give --allow or --deny, not both");
      if (decision && id === undefined) usageError(review, "--allow and --deny need the id of a call");
      if (!options.allow && review.getOptionValueSource("scope") === "cli")
        usageError(review, "--scope says how far --allow reaches");
      return perform(
        withClient(async (context, client) => {
          if (id !== undefined && decision) {
            if (isAlways(decision)) await explainAlways(context, client, id);
            const decided = await client.approvals.decide({ id, answer: decision });
            context.output.result(
              decided,
              () => `${context.output.paint.good("✓")} ${decided.title}: ${decided.status}.`,
            );
            return;
          }
          await reviewAtTerminal(context, client, id);
        }),
      );
    });
}

interface ReviewOptions {
  allow?: boolean;
  deny?: boolean;
  scope: "once" | "session" | "always";
  reason?: string;
}

function decisionOf(options: ReviewOptions): ApprovalDecision | undefined {
  if (options.allow) return { decision: "allow", scope: options.scope };
  return options.deny ? { decision: "deny", reason: options.reason } : undefined;
}

function isAlways(decision: ApprovalDecision): boolean {
  return decision.decision === "allow" && decision.scope === "always";
}

/** Says what "always" will store before it is sent; whoever sits at a terminal can still say no. */
async function explainAlways(context: CliContext, client: Client, id: string): Promise<void> {
  const { output, terminal, signal } = context;
  const one = (await client.approvals.list()).find((each) => each.id === id && each.status === "waiting");
  if (!one) return;
  output.note(`${alwaysWords(one)}. “patchbay agent rule” takes it back.`);
  if (!terminal.interactive || output.json) return;
  if (await terminal.confirm("Allow it always?", signal)) return;
  throw new PatchbayError("ABORTED", "Nothing was decided. The call still waits.");
}

async function reviewAtTerminal(context: CliContext, client: Client, id: string | undefined): Promise<void> {
  const { output, terminal, signal } = context;
  if (!terminal.interactive || output.json) {
    throw new PatchbayError("BAD_INPUT", "Nobody can be asked here.", {
      help: "Give the id of the call and --allow or --deny.",
    });
  }
  const waiting = (await client.approvals.list()).filter((one) => one.status === "waiting");
  const chosen = id === undefined ? waiting : waiting.filter((one) => one.id === id);
  if (id !== undefined && chosen.length === 0)
    throw new PatchbayError("APPROVAL_NOT_FOUND", `No waiting call has the id ${id}.`);
  if (chosen.length === 0) output.line("Nothing waits for an answer.");
  for (const one of chosen) {
    output.note(`${one.agentId}: ${one.title}\n${callWords(one)}`);
    const answer = await askApproval(terminal, one, signal);
    const decided = await client.approvals.decide({ id: one.id, answer });
    output.line(`${one.title}: ${decided.status}`);
  }
}

function approvalRow(one: Approval): string[] {
  return [
    one.id,
    one.status.replaceAll("_", " "),
    one.agentId,
    one.tool,
    cleanJson(JSON.stringify(one.arguments)),
  ];
}
