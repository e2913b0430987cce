import type { Command } from "commander";
import { gatewayLink, PatchbayError } from "../../contract/index.ts";
import { whereIs } from "../../main/store/address.ts";
import { type Perform, withClient } from "../command.ts";
import { table } from "../terminal/output.ts";

/** `patchbay session list | end | link`: the pages that may talk to this Patchbay. */
export function addSessionCommands(program: Command, perform: Perform): void {
  const session = program.command("session").description("the browser pages that may use this Patchbay");

  session
    .command("list")
    .description("who they are and when they were used last")
    .action(() =>
      perform(
        withClient(async ({ output }, client) => {
          const screens = await client.access.screens();
          output.result(screens, () =>
            screens.length === 0
              ? "No page may use this Patchbay."
              : table(screens.map((one) => [output.paint.bold(one.id), one.name, `used ${one.usedAt}`])),
          );
        }),
      ),
    );

  session
    .command("end <id>")
    .description("end one: its page is refused from now on")
    .action((id: string) =>
      perform(
        withClient(async ({ output }, client) => {
          await client.access.endScreen({ id });
          output.result({ ok: true, id }, () => `${output.paint.good("✓")} ${id} is ended.`);
        }),
      ),
    );

  session
    .command("link")
    .description("print a link that opens one more page of the running Patchbay, once")
    .action(() =>
      perform(
        withClient(async ({ output, store }, client, connection) => {
          const running = connection.alone ? undefined : whereIs(store);
          if (!running)
            throw new PatchbayError("SHUTTING_DOWN", "No Patchbay with screens runs.", {
              help: "Start one with `patchbay serve`; it prints a link.",
            });
          const { code } = await client.access.openScreen();
          const link = gatewayLink({ url: running.url, code });
          output.result({ link }, () => link);
        }),
      ),
    );
}
