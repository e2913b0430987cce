import type { Command } from "commander";
import type { SetAside } from "../../contract/index.ts";
import { type Perform, withClient } from "../command.ts";

/** `patchbay state list | accept | dismiss`: what something other than Patchbay changed in what it keeps. */
export function addStateCommands(program: Command, perform: Perform): void {
  const state = program.command("state").description("what something else changed in Patchbay's files");

  state
    .command("list")
    .description("what was set aside, with what was found")
    .action(() =>
      perform(
        withClient(async ({ output }, client) => {
          const found = await client.diagnostics.setAside();
          output.result(found, () =>
            found.length === 0
              ? "Nothing was set aside."
              : found.map((one) => `${output.paint.bold(one.id)}  ${linesOf(one)}`).join("\n"),
          );
        }),
      ),
    );

  state
    .command("accept <id>")
    .description("use what was found: it was your own change")
    .action((id: string) =>
      perform(
        withClient(async ({ output }, client) => {
          await client.diagnostics.acceptSetAside({ id });
          output.result({ ok: true, id }, () => `${output.paint.good("✓")} It is used from now on.`);
        }),
      ),
    );

  state
    .command("dismiss <id>")
    .description("keep what is in use, and forget what was found")
    .action((id: string) =>
      perform(
        withClient(async ({ output }, client) => {
          await client.diagnostics.dismissSetAside({ id });
          output.result({ ok: true, id }, () => `${output.paint.good("✓")} It is forgotten.`);
        }),
      ),
    );
}

function linesOf({ at, collection, agentId, rowId, value, file, restored }: SetAside): string {
  return [
    `${at} ${value === null ? "removed" : "changed"}: ${wordsFor(collection, agentId, rowId)}`,
    `   in use: ${restored ? "the last genuine state" : "nothing of it"}`,
    ...(value === null ? [] : [`   found: ${JSON.stringify(value)}`]),
    ...(file === null ? [] : [`   the file as it was: ${file}`]),
  ].join("\n");
}

function wordsFor(collection: SetAside["collection"], agentId: string | null, rowId: string): string {
  switch (collection) {
    case "plugins":
      return `the plugin ${rowId}`;
    case "agents":
      return `the agent ${rowId}`;
    case "agent-plugins":
      return `the plugin ${rowId} of the agent ${agentId}`;
  }
}
