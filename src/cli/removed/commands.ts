import type { Command } from "commander";
import { PatchbayError, type RemovedThing, removedForDays } from "../../contract/index.ts";
import { type Perform, withClient } from "../command.ts";
import type { Client } from "../context.ts";
import { followJob } from "../follow-job.ts";
import { table } from "../terminal/output.ts";

const given = "its id, the beginning of that, or its name where nothing else has it";

/** `patchbay removed list | restore | delete`: what was removed and is kept for a while. */
export function addRemovedCommands(program: Command, perform: Perform): void {
  const removed = program
    .command("removed")
    .description(`what was removed and is kept: plugins, agents, conversations, for ${removedForDays} days`);

  removed
    .command("list")
    .description("all of it, the newest first, with what is kept")
    .action(() =>
      perform(
        withClient(async ({ output }, client) => {
          const things = await client.removed.list();
          output.result(things, () =>
            things.length === 0
              ? "Nothing that was removed is kept."
              : table(
                  things.map((one) => [
                    output.paint.bold(one.id),
                    one.kind === "session" ? "conversation" : one.kind,
                    [one.name, one.version].filter(Boolean).join(" "),
                    `removed ${one.at}`,
                    ...[sizeOf(one), keptOf(one), one.until === null ? "" : `until ${one.until}`],
                  ]),
                ),
          );
        }),
      ),
    );

  removed
    .command("restore")
    .argument("<thing>", given)
    .description("bring it back; nothing that is there by now is overwritten")
    .action((name: string) =>
      perform(
        withClient(async (context, client) => {
          const { output } = context;
          const found = await find(client, name);
          const { job } = await client.removed.restore({ id: found.id });
          if (job) return followJob(context, client, job, "restored");
          output.result({ ok: true, id: found.id }, () => `${output.paint.good("✓")} ${found.name} is back.`);
          return 0;
        }),
      ),
    );

  removed
    .command("delete")
    .argument("<thing>", given)
    .description("delete it for good, with everything that is kept of it")
    .option("--yes", "do not ask")
    .action((name: string, options: { yes?: boolean }) =>
      perform(
        withClient(async ({ output, terminal, signal }, client) => {
          const found = await find(client, name);
          if (!options.yes) {
            if (!terminal.interactive || output.json) throw nobodyToAsk(found);
            const question = `Delete ${found.name} for good${withWhat(found)}? This cannot be undone.`;
            if (!(await terminal.confirm(question, signal))) {
              output.line("Nothing was deleted.");
              return 1;
            }
          }
          await client.removed.delete({ id: found.id });
          output.result(
            { ok: true, id: found.id },
            () => `${output.paint.good("✓")} ${found.name} is deleted for good.`,
          );
          return 0;
        }),
      ),
    );
}

/** @throws PatchbayError REMOVED_NOT_FOUND, or BAD_INPUT when several are meant */
async function find(client: Client, name: string): Promise<RemovedThing> {
  const things = await client.removed.list();
  const exact = things.filter(({ id }) => id === name);
  const named = things.filter((one) => one.name === name || (one.kind !== "session" && one.key === name));
  const begun = things.filter(({ id }) => id.startsWith(name));
  const [found, ...others] = [exact, named, begun].find(({ length }) => length > 0) ?? [];
  if (found && others.length === 0) return found;
  if (found)
    throw new PatchbayError("BAD_INPUT", `${others.length + 1} removed things are called “${name}”.`, {
      help: "Give the id of one of them: `patchbay removed list`.",
    });
  throw new PatchbayError("REMOVED_NOT_FOUND", `Nothing that was removed is kept as “${name}”.`);
}

function nobodyToAsk({ name }: RemovedThing): PatchbayError {
  return new PatchbayError(
    "CONSENT_REFUSED",
    `${name} is deleted for good only when you say so, and nobody can be asked here.`,
    {
      help: "Say so with --yes.",
    },
  );
}

function keptOf(thing: RemovedThing): string {
  const { settingsOf, plugins, secrets, conversations } = thing;
  return [
    ...(settingsOf.length > 0 ? [`settings of ${settingsOf.join(", ")}`] : []),
    ...(plugins > 0 ? [`settings of ${plugins} ${plugins === 1 ? "plugin" : "plugins"}`] : []),
    ...(conversations > 0
      ? [`${conversations} ${conversations === 1 ? "conversation" : "conversations"}`]
      : []),
    ...(secrets > 0 ? [`${secrets} ${secrets === 1 ? "secret" : "secrets"}`] : []),
  ].join(", ");
}

function withWhat(thing: RemovedThing): string {
  const kept = keptOf(thing);
  return kept === "" ? "" : `, with ${kept}`;
}

function sizeOf({ bytes }: RemovedThing): string {
  return bytes === null ? "" : `${bytes} bytes`;
}
