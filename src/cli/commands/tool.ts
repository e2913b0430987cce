import type { Command } from "commander";
import { mostRepetitions } from "../../contract/index.ts";
import { attended } from "../attend.ts";
import { repeatCall } from "../by-hand/repeat-call.ts";
import { callTool } from "../call-tool.ts";
import { type Perform, usageError, waitOption, withClient } from "../command.ts";
import type { ExitCode } from "../context.ts";
import { table } from "../terminal/output.ts";

/** `patchbay tool list | call`: what an agent can use, and using it without a model. */
export function addToolCommands(program: Command, perform: Perform): void {
  const tool = program.command("tool").description("the tools of an agent");

  tool
    .command("list")
    .description("every tool of an agent")
    .requiredOption("--agent <id>", "the agent")
    .action(({ agent }: { agent: string }) =>
      perform(
        withClient(async ({ output }, client) => {
          const tools = await client.tools.list({ agentId: agent });
          output.result(tools, () =>
            table(
              tools.map((one) => [
                output.paint.bold(one.name),
                one.owner ?? "built-in",
                one.readOnly ? "reads only" : "",
                one.description,
              ]),
            ),
          );
        }),
      ),
    );

  const call = tool
    .command("call <name>")
    .description("run a tool as the agent would: with its policy, hooks and approval")
    .requiredOption("--agent <id>", "the agent")
    .option("--input <json>", "the arguments as a JSON object", "{}")
    .option("--session <id>", "in the name of this conversation")
    .option("--yes", "allow exactly this call in advance")
    .option("--straight", "without any hook; its schema and the agent's rules hold, and you allow the call")
    .option("--times <n>", `the same call so often, 1 to ${mostRepetitions}; prints how long they took`)
    .option(...waitOption)
    .action((name: string, options: CallOptions) => {
      const input = parseInput(call, options.input);
      const { agent: agentId, yes = false, straight = false, wait = false } = options;
      const request = { agentId, yes, wait };
      const times = options.times === undefined ? null : timesOf(call, options.times);
      if (times !== null && yes)
        usageError(call, "--times does not go with --yes; use --straight, or allow the tool");
      return perform(
        withClient(async (context, client, connection) => {
          const asked = { ...request, name, input, straight, sessionId: options.session };
          return attended<ExitCode | undefined>(context, client, connection, request, (signal) =>
            times === null
              ? callTool(context, client, asked, signal)
              : repeatCall(context, client, { ...asked, times }, signal),
          );
        }),
      );
    });
}

interface CallOptions {
  agent: string;
  input: string;
  session?: string;
  yes?: boolean;
  straight?: boolean;
  times?: string;
  wait?: boolean;
}

function timesOf(command: Command, text: string): number {
  const times = Number(text);
  if (Number.isInteger(times) && times >= 1 && times <= mostRepetitions) return times;
  return usageError(command, `--times expects a number from 1 to ${mostRepetitions}`);
}

/** A JSON object from an option's text; anything else is bad usage. */
export function parseInput(command: Command, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    usageError(command, "--input expects JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    usageError(command, "--input expects a JSON object");
  return value as Record<string, unknown>;
}
