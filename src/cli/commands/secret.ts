import type { Command } from "commander";
import { type Perform, withClient } from "../command.ts";
import { table } from "../output.ts";

/** `patchbay secret set | list | remove`. Values go in and never come out. */
export function addSecretCommands(program: Command, perform: Perform): void {
  const secret = program.command("secret").description("the secrets that settings refer to as ${NAME}");

  secret
    .command("set <name>")
    .description("store a secret; its value is asked for, or read from stdin")
    .option("--agent <id>", "for this agent alone (default: for all)")
    .option("--value <value>", "the value; other programs can see it in the list of processes")
    .action((name: string, options: { agent?: string; value?: string }) =>
      perform(async (context) => {
        const value = options.value ?? (await context.terminal.secret(`Value of ${name}: `, context.signal));
        return withClient(async ({ output }, client) => {
          await client.secrets.set({ name, value, agentId: options.agent ?? null });
          output.result(
            { ok: true, name, agentId: options.agent ?? null },
            () => `${output.paint.good("✓")} ${name} is stored.`,
          );
          return 0;
        })(context);
      }),
    );

  secret
    .command("list")
    .description("the names of the stored secrets and who uses them")
    .action(() =>
      perform(
        withClient(async ({ output }, client) => {
          const secrets = await client.secrets.list();
          output.result(secrets, () =>
            secrets.length === 0
              ? "No secrets are stored."
              : table(
                  secrets.map((one) => [
                    output.paint.bold(one.name),
                    one.agentId ?? "all agents",
                    one.usedBy.map((use) => `${use.agentId}/${use.pluginKey ?? "model"}`).join(", ") ||
                      "not used",
                    one.updatedAt,
                  ]),
                ),
          );
        }),
      ),
    );

  secret
    .command("remove <name>")
    .description("forget a secret; plugins that need it show that it is missing")
    .option("--agent <id>", "the one of this agent (default: the shared one)")
    .action((name: string, options: { agent?: string }) =>
      perform(
        withClient(async ({ output }, client) => {
          await client.secrets.remove({ name, agentId: options.agent ?? null });
          output.result(
            { ok: true, name, agentId: options.agent ?? null },
            () => `${output.paint.good("✓")} ${name} is removed.`,
          );
        }),
      ),
    );
}
