import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { PatchbayError, removedForDays, type Session } from "../../contract/index.ts";
import { type Perform, withClient } from "../command.ts";
import type { Client } from "../context.ts";
import { writeNew } from "../files/write-new.ts";
import { table } from "../terminal/output.ts";

/** `patchbay agent session list | show | export | pin | unpin | rename | remove`: the conversations of an agent. */
export function addConversationCommands(agent: Command, perform: Perform): void {
  const session = agent
    .command("session")
    .description("the conversations of an agent; the beginning of an id is enough");

  session
    .command("list <agent> [words]")
    .description("its conversations, pinned ones first, or those in which words were said")
    .action((agentId: string, words = "") =>
      perform(
        withClient(async ({ output }, client) => {
          const found = await client.sessions.search({ agentId, words });
          const rows = found.map(({ session: one, excerpt }) => [
            output.paint.bold(one.id),
            `${one.pinned ? "* " : ""}${one.title}`,
            one.status,
            excerpt ?? one.updatedAt,
          ]);
          output.result(found, () => (rows.length === 0 ? "No conversation." : table(rows)));
        }),
      ),
    );

  session
    .command("show <agent> <session>")
    .description("what was said in a conversation, as it stands now")
    .action((agentId: string, beginning: string) =>
      perform(
        withClient(async ({ output }, client) => {
          const { id: sessionId } = await sessionOf(client, agentId, beginning);
          const file = await client.sessions.export({ agentId, sessionId, format: "markdown" });
          const text = await file.text();
          output.result(await client.sessions.entries({ agentId, sessionId }), () => text.trimEnd());
        }),
      ),
    );

  session
    .command("export <agent> <session> [file]")
    .description("write a conversation to a file, without stored secrets")
    .addOption(
      new Option("--format <format>", "markdown: to be read; json: every line, with versions that were left")
        .choices(["markdown", "json"])
        .default("markdown"),
    )
    .action(
      (
        agentId: string,
        beginning: string,
        to: string | undefined,
        options: { format: "markdown" | "json" },
      ) =>
        perform(
          withClient(async ({ output, cwd }, client) => {
            const { id: sessionId } = await sessionOf(client, agentId, beginning);
            const file = await client.sessions.export({ agentId, sessionId, format: options.format });
            const path = resolve(cwd, to ?? file.name);
            writeNew(path, Buffer.from(await file.arrayBuffer()));
            output.result(
              { ok: true, file: path, bytes: file.size },
              () => `${output.paint.good("✓")} ${path} is written.`,
            );
          }),
        ),
    );

  for (const [name, pinned] of [
    ["pin", true],
    ["unpin", false],
  ] as const) {
    session
      .command(`${name} <agent> <session>`)
      .description(pinned ? "put a conversation to the top of lists" : "take it down from there")
      .action((agentId: string, beginning: string) =>
        perform(
          withClient(async ({ output }, client) => {
            const { id: sessionId } = await sessionOf(client, agentId, beginning);
            const changed = await client.sessions.pin({ agentId, sessionId, pinned });
            output.result(
              changed,
              () =>
                `${output.paint.good("✓")} ${changed.title} is ${pinned ? "pinned" : "not pinned any more"}.`,
            );
          }),
        ),
      );
  }

  session
    .command("rename <agent> <session> <title>")
    .description("give a conversation another name")
    .action((agentId: string, beginning: string, title: string) =>
      perform(
        withClient(async ({ output }, client) => {
          const { id: sessionId } = await sessionOf(client, agentId, beginning);
          const changed = await client.sessions.rename({ agentId, sessionId, title });
          output.result(changed, () => `${output.paint.good("✓")} It is called ${changed.title} now.`);
        }),
      ),
    );

  session
    .command("remove <agent> <session>")
    .description("remove a conversation; it can be restored for a while")
    .option("--yes", "do not ask")
    .action((agentId: string, beginning: string, options: { yes?: boolean }) =>
      perform(
        withClient(async ({ output, terminal, signal }, client) => {
          const { id: sessionId, title } = await sessionOf(client, agentId, beginning);
          if (!options.yes && terminal.interactive && !output.json) {
            const question = `Remove ${title}? It is kept for ${removedForDays} days; see \`patchbay removed list\`.`;
            if (!(await terminal.confirm(question, signal))) {
              output.line("Nothing was removed.");
              return 1;
            }
          }
          await client.sessions.remove({ agentId, sessionId });
          output.result({ ok: true, sessionId }, () => `${output.paint.good("✓")} ${title} is removed.`);
          return 0;
        }),
      ),
    );
}

/** The one conversation whose id begins so. @throws PatchbayError SESSION_NOT_FOUND, BAD_INPUT */
async function sessionOf(client: Client, agentId: string, beginning: string): Promise<Session> {
  const found = (await client.sessions.list({ agentId })).filter(({ id }) => id.startsWith(beginning));
  const exact = found.find(({ id }) => id === beginning) ?? found[0];
  if (!exact)
    throw new PatchbayError(
      "SESSION_NOT_FOUND",
      `No conversation of ${agentId} has an id that begins with "${beginning}".`,
      {
        help: `List them with \`patchbay agent session list ${agentId}\`.`,
      },
    );
  if (found.length > 1 && exact.id !== beginning)
    throw new PatchbayError("BAD_INPUT", `Several conversations begin with "${beginning}".`, {
      help: "Give more of the id.",
    });
  return exact;
}
