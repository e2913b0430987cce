import type { Command } from "commander";
import { attended } from "../attend.ts";
import { firedWords } from "../by-hand/fired-words.ts";
import { type Perform, waitOption, withClient } from "../command.ts";
import type { Client } from "../context.ts";
import { promptAgent } from "../prompt.ts";
import { table } from "../terminal/output.ts";
import { parseInput } from "./tool.ts";

/** `patchbay command run`, `patchbay hook fire`, `patchbay doctor`. */
export function addRunCommands(program: Command, perform: Perform): void {
  const command = program.command("command").description("the slash commands of an agent");

  command
    .command("list")
    .description("every slash command of an agent")
    .requiredOption("--agent <id>", "the agent")
    .action(({ agent }: { agent: string }) =>
      perform(
        withClient(async ({ output }, client) => {
          const commands = await client.commands.list({ agentId: agent, wait: true });
          output.result(commands, () =>
            table(
              commands.map((one) => [
                output.paint.bold(`/${one.name}${one.argsHint ? ` ${one.argsHint}` : ""}`),
                one.owner ?? "built-in",
                one.description,
              ]),
            ),
          );
        }),
      ),
    );

  command
    .command("run <text>")
    .description('run a slash command, such as "/help"')
    .requiredOption("--agent <id>", "the agent")
    .option("--session <id>", "in this conversation")
    .option("--yes", "allow every tool call that asks")
    .option(...waitOption)
    .action((text: string, options: { agent: string; session?: string; yes?: boolean; wait?: boolean }) =>
      perform(
        withClient(async (context, client, connection) => {
          const { agent: agentId, session: sessionId, yes = false, wait = false } = options;
          if (await isPrompt(client, agentId, text))
            return promptAgent(context, client, connection, {
              agentId,
              text,
              sessionId,
              attach: [],
              yes,
              wait,
            });
          const answer = await attended(context, client, connection, { agentId, yes, wait }, (signal) =>
            client.commands.run({ agentId, text, sessionId }, { signal }),
          );
          context.output.result(answer, () => answer.output);
          return undefined;
        }),
      ),
    );

  const hook = program.command("hook").description("the hooks of an agent");

  hook
    .command("list")
    .description("who listens to what, in order")
    .requiredOption("--agent <id>", "the agent")
    .action(({ agent }: { agent: string }) =>
      perform(
        withClient(async ({ output }, client) => {
          const hooks = await client.hooks.list({ agentId: agent });
          output.result(hooks, () =>
            hooks.length === 0
              ? "No plugin listens to this agent."
              : table(
                  hooks.map((one) => [
                    output.paint.bold(one.event),
                    one.owner,
                    `priority ${one.priority}`,
                    `${one.calls} calls, ${one.failures} failed`,
                  ]),
                ),
          );
        }),
      ),
    );

  const fire = hook
    .command("fire <event>")
    .description(
      "fire an event by hand, without a model, and show what each hook did to it; the hooks really run",
    )
    .requiredOption("--agent <id>", "the agent")
    .option("--input <json>", "the payload as a JSON object", "{}")
    .option(...waitOption)
    .action((event: string, options: { agent: string; input: string; wait?: boolean }) => {
      const input = parseInput(fire, options.input);
      return perform(
        withClient(async (context, client, connection) => {
          const answer = await attended(
            context,
            client,
            connection,
            { agentId: options.agent, yes: false, wait: options.wait ?? false },
            (signal) => client.hooks.fire({ agentId: options.agent, event, input }, { signal }),
          );
          context.output.result(answer, () =>
            [
              firedWords(answer.hooks, context.output.paint),
              answer.denied
                ? `Blocked by ${answer.denied.owner}: ${answer.denied.reason}`
                : JSON.stringify(answer.payload, null, 2),
            ].join("\n"),
          );
        }),
      );
    });

  program
    .command("doctor")
    .description("check what Patchbay needs to work")
    .action(() =>
      perform(
        withClient(async ({ output }, client) => {
          const checks = await client.app.doctor();
          const ok = checks.every((check) => check.ok);
          output.result({ ok, checks }, () =>
            table(
              checks.map((check) => [
                check.ok ? output.paint.good("✓ good") : output.paint.bad("✗ bad"),
                check.name,
                check.ok ? check.text : [check.text, check.help].filter(Boolean).join(" "),
              ]),
            ),
          );
          return ok ? 0 : 1;
        }),
      ),
    );
}

/** Whether a command is a prompt of a plugin: it is sent as a message, and the agent answers. */
async function isPrompt(client: Client, agentId: string, text: string): Promise<boolean> {
  const name = /^\/(\S+)/.exec(text)?.[1]?.toLowerCase() ?? "";
  if (!name.includes(":")) return false;
  const commands = await client.commands.list({ agentId, wait: true });
  return commands.some((one) => one.prompt !== undefined && one.name.toLowerCase() === name);
}
