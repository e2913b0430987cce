import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { PatchbayError } from "../../contract/index.ts";
import { type Perform, withClient } from "../command.ts";
import type { CliContext } from "../context.ts";
import { type Output, table } from "../terminal/output.ts";

/**
 * `patchbay secret set
 * list
 * remove`. No command prints a stored value.
 */
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

  for (const [verb, give, description] of answers) {
    secret
      .command(`${verb} <name> <plugin>`)
      .description(description)
      .requiredOption("--agent <id>", "the agent that has the plugin")
      .action((name: string, key: string, { agent }: { agent: string }) =>
        perform(
          withClient(async ({ output }, client) => {
            await client.agentPlugins.answerSecret({ agentId: agent, key, name, give });
            output.result(
              { ok: true, name, pluginKey: key, given: give },
              () => `${output.paint.good("✓")} ${key} ${give ? "gets" : "does not get"} ${name}.`,
            );
          }),
        ),
      );
  }

  secret
    .command("unlock")
    .description("open the stored secrets of the running app with their passphrase")
    .action(() =>
      perform(async (context) => {
        const passphrase = await askPassphrase(context);
        return withClient(async ({ output }, client) => {
          const { backend } = await client.secrets.unlock({ passphrase });
          output.result({ ok: true, backend }, () => `${output.paint.good("✓")} The secrets are open.`);
          return 0;
        })(context);
      }),
    );

  secret
    .command("status")
    .description("whether the stored secrets are open, and what opens them")
    .action(() =>
      perform(
        withClient(async ({ output }, client) => {
          const status = await client.secrets.vault();
          output.result(status, () =>
            [
              status.open ? `Open, with ${status.backend}.` : (status.problem?.message ?? "Closed."),
              ...status.keys.map(({ kind, name, opens, reason }) =>
                [
                  opens === false ? output.paint.bad("✗") : opens ? output.paint.good("✓") : "?",
                  kind === name ? kind : `${kind} ${name}`,
                  reason ?? "",
                ].join(" "),
              ),
            ].join("\n"),
          );
          return status.open ? 0 : 1;
        }),
      ),
    );

  secret
    .command("import <file>")
    .description("store secrets that another program kept: lines NAME=value, or a JSON object")
    .option("--agent <id>", "for this agent alone (default: for all)")
    .option("--replace", "also those that are stored under the same name")
    .action((file: string, options: { agent?: string; replace?: boolean }) =>
      perform(
        withClient(async ({ output, cwd }, client) => {
          const brought = await client.secrets.import({
            text: readText(resolve(cwd, file)),
            agentId: options.agent ?? null,
            replace: options.replace === true,
          });
          output.result(brought, () => broughtIn(output, brought));
          return 0;
        }),
      ),
    );

  secret
    .command("passphrase")
    .description("let the stored secrets be opened with a passphrase too (PATCHBAY_PASSPHRASE)")
    .option("--ask-at-start", "with the passphrase alone: it is asked for at each start")
    .option("--remove", "take that away")
    .action((options: { remove?: boolean; askAtStart?: boolean }) =>
      perform(async (context) => {
        const passphrase = options.remove ? null : await askPassphrase(context);
        return withClient(async ({ output }, client) => {
          const askAtStart = options.askAtStart === true;
          await client.secrets.setPassphrase({ passphrase, askAtStart });
          const is = passphrase === null ? "removed" : "set";
          const note =
            passphrase !== null && !askAtStart
              ? "\nIt is a second way in: the secrets still open by themselves on this computer. `--ask-at-start` changes that."
              : "";
          output.result({ ok: true }, () => `${output.paint.good("✓")} The passphrase is ${is}.${note}`);
          return 0;
        })(context);
      }),
    );

  secret
    .command("backup <file>")
    .description("write all secrets to a file that opens with a passphrase alone")
    .action((file: string) =>
      perform(async (context) => {
        const passphrase = await askPassphrase(context);
        return withClient(async ({ output, cwd }, client) => {
          const { backup } = await client.secrets.backup({ passphrase });
          const path = resolve(cwd, file);
          writeFileSync(path, backup, { mode: 0o600, flag: "wx" });
          output.result({ ok: true, file: path }, () => `${output.paint.good("✓")} ${path} is written.`);
          return 0;
        })(context);
      }),
    );

  secret
    .command("restore <file>")
    .description("store the secrets of a backup")
    .option("--replace", "also those that are stored under the same name")
    .action((file: string, options: { replace?: boolean }) =>
      perform(async (context) => {
        const backup = readText(resolve(context.cwd, file));
        const passphrase = await askPassphrase(context);
        return withClient(async ({ output }, client) => {
          const replace = options.replace === true;
          const restored = await client.secrets.restore({ backup, passphrase, replace });
          output.result(restored, () => broughtIn(output, restored));
          return 0;
        })(context);
      }),
    );
}

const answers: readonly [verb: string, give: boolean, description: string][] = [
  ["give", true, "let a plugin that names a stored secret have it"],
  ["refuse", false, "refuse a secret to a plugin that names it, or take it back"],
];

function broughtIn(output: Output, { stored, kept }: { stored: string[]; kept: string[] }): string {
  return [
    `${output.paint.good("✓")} ${stored.length} stored${stored.length > 0 ? `: ${stored.join(", ")}` : ""}`,
    ...(kept.length > 0 ? [`  ${kept.length} left as they were: ${kept.join(", ")}`] : []),
  ].join("\n");
}

function askPassphrase({ terminal, signal }: CliContext): Promise<string> {
  return terminal.secret("Passphrase: ", signal);
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new PatchbayError("SOURCE_MISSING", `The file ${path} cannot be read.`, { cause });
  }
}
