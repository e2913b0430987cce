import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { PatchbayError } from "../../contract/index.ts";
import { traceFormats } from "../../contract/procedures/debug/traces.ts";
import { english } from "../../main/agents/traces/telling/english.ts";
import { type Perform, withClient } from "../command.ts";
import { table } from "../terminal/output.ts";
import { conversationOf, findTurn } from "./find-turn.ts";
import { shownTurn } from "./shown-turn.ts";

interface Place {
  agent: string;
  session?: string;
}

/** `patchbay trace list | show | export`: what happened in an agent's turns. */
export function addTraceCommands(program: Command, perform: Perform): void {
  const trace = program.command("trace").description("what happened in an agent's turns, step by step");

  trace
    .command("list")
    .description("the recorded turns of a conversation, oldest first")
    .requiredOption("--agent <id>", "the agent")
    .option("--session <id>", "the conversation (default: the newest one)")
    .action(({ agent: agentId, session }: Place) =>
      perform(
        withClient(async ({ output }, client) => {
          const sessionId = await conversationOf(client, agentId, session);
          const turns = await client.traces.turns({ agentId, sessionId });
          output.result({ sessionId, turns }, () =>
            turns.length === 0
              ? "No turn of this conversation is recorded."
              : table(
                  turns.map(({ turnId, at, outcome, cut, ms, text }) => [
                    output.paint.bold(turnId),
                    at,
                    cut ? "cut" : english.outcomes[outcome ?? "running"],
                    ms === null ? "" : `${Math.round(ms)} ms`,
                    text,
                  ]),
                ),
          );
        }),
      ),
    );

  trace
    .command("show <turn>")
    .description("one turn as a timeline; its id may be cut short")
    .requiredOption("--agent <id>", "the agent")
    .option("--session <id>", "the conversation, when the id alone fits several turns")
    .action((turn: string, { agent, session }: Place) =>
      perform(
        withClient(async ({ output }, client) => {
          const found = await findTurn(client, agent, session, turn);
          const events = await client.traces.turn(found);
          output.result({ ...found, events }, () => shownTurn(events, output.paint));
        }),
      ),
    );

  trace
    .command("export <turn> [file]")
    .description("write one turn to a file: for other programs, for OpenTelemetry, or as a page")
    .requiredOption("--agent <id>", "the agent")
    .option("--session <id>", "the conversation, when the id alone fits several turns")
    .addOption(new Option("--as <format>", "what kind of file").choices([...traceFormats]).default("jsonl"))
    .option(
      "--contents",
      "for otlp: with what was said, asked and answered (default: names, numbers and decisions)",
    )
    .action(
      (
        turn: string,
        file: string | undefined,
        options: Place & { as: (typeof traceFormats)[number]; contents?: boolean },
      ) =>
        perform(
          withClient(async ({ output, cwd }, client) => {
            const { as, contents = false } = options;
            const found = await findTurn(client, options.agent, options.session, turn);
            const { fileName, text } = await client.traces.export({ ...found, as, contents });
            const path = resolve(cwd, file ?? fileName);
            writeNew(path, text);
            output.result({ ok: true, file: path, as }, () =>
              [
                `${output.paint.good("✓")} ${path} is written.`,
                ...(as === "otlp" && !contents
                  ? []
                  : ["  It holds what was said, asked and answered: look into it before you hand it on."]),
              ].join("\n"),
            );
          }),
        ),
    );
}

function writeNew(path: string, content: string): void {
  try {
    writeFileSync(path, content, { mode: 0o600, flag: "wx" });
  } catch (cause) {
    const taken = cause instanceof Error && "code" in cause && cause.code === "EEXIST";
    throw new PatchbayError(
      "WRITE_FAILED",
      taken ? `${path} is there already.` : `${path} could not be written.`,
      { ...(taken && { help: "Give another name as the last argument." }), cause },
    );
  }
}
