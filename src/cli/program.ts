import { Command, CommanderError } from "commander";
import { errorCatalogue, PatchbayError, type Problem, problemFromWire } from "../contract/index.ts";
import { cleanText } from "../contract/shown/clean-text.ts";
import { installation } from "../main/platform/node-platform.ts";
import { ownStore, storeAt } from "../main/store/address.ts";
import type { Perform } from "./command.ts";
import { addAgentCommands } from "./commands/agent.ts";
import { addAgentPluginCommands } from "./commands/agent-plugin.ts";
import { addAuditCommands } from "./commands/audit.ts";
import { addChannelTrafficCommands } from "./commands/channel-traffic.ts";
import { addDiagnosticsCommands } from "./commands/diagnostics.ts";
import { addImportCommands } from "./commands/import.ts";
import { addPeopleCommands } from "./commands/people.ts";
import { addPermissionCommands } from "./commands/permissions.ts";
import { addPluginCommands } from "./commands/plugin.ts";
import { addRunCommands } from "./commands/run.ts";
import { addSecretCommands } from "./commands/secret.ts";
import { addServeCommand } from "./commands/serve.ts";
import { addSessionCommands } from "./commands/session.ts";
import { addStateCommands } from "./commands/state.ts";
import { addToolCommands } from "./commands/tool.ts";
import { addCompletionCommand } from "./completion/command.ts";
import { complete, completeWord } from "./completion/complete.ts";
import { addExamples } from "./examples.ts";
import { addJobCommands } from "./jobs/commands.ts";
import { addMcpCommand } from "./mcp/command.ts";
import { addMcpClientCommand } from "./mcp-client/command.ts";
import { addRemovedCommands } from "./removed/commands.ts";
import { addReviewCommands } from "./review/commands.ts";
import { Output } from "./terminal/output.ts";
import { createTerminal } from "./terminal/terminal.ts";
import { addTraceCommands } from "./traces/commands.ts";
import { connectUnlocked } from "./unlock.ts";
import { addApprovalCommands } from "./waiting/approval-commands.ts";
import { addDialogCommands } from "./waiting/dialog-commands.ts";

/** Signals by which a person or the system asks a process to end; SIGHUP comes when the terminal is closed. */
const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/**
 * Milliseconds in which a second signal is an echo of the first: a library that tidies up at the end of a process
 * (`when-exit`, below `conf`) sends the signal to its own process once more. A person takes longer.
 */
const echoMs = 300;
/** The exit code of a command that was stopped on request: by Ctrl+C, by Ctrl+D at a question, or by a signal. */
const stopped = 130;

/**
 * Runs one command line (without node and script).
 * @returns 0 done, 1 failed, 2 bad usage, 130 stopped on request
 */
export async function run(argv: string[]): Promise<number> {
  // Decided before the arguments are parsed: an error in the arguments has to be printed in the wanted form, too.
  const output = new Output({
    json: argv.includes("--json"),
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
  });
  const program = new Command("patchbay");
  let exitCode = 0;
  let called = program;
  program.hook("preAction", (_program, command) => {
    called = command;
  });

  const perform: Perform = async (action) => {
    const interrupted = new AbortController();
    let askedAt = 0;
    const interrupt = () => {
      if (!interrupted.signal.aborted) askedAt = performance.now();
      else if (performance.now() - askedAt > echoMs) process.exit(stopped);
      interrupted.abort();
    };
    for (const signal of endings) process.on(signal, interrupt);
    const { home, confirm } = program.opts<{ home?: string; confirm?: string }>();
    const store = home === undefined ? ownStore() : storeAt(home);
    const terminal = createTerminal(process.stdin, process.stderr, interrupt, (text) => output.note(text));
    try {
      exitCode =
        (await action({
          output,
          terminal,
          store,
          cwd: process.cwd(),
          env: process.env,
          signal: interrupted.signal,
          connect: (options) =>
            connectUnlocked(store, terminal, output, interrupted.signal, confirm, options),
        })) ?? 0;
    } catch (error) {
      output.failure(failureOf(error, interrupted.signal, wordsOf(called)));
      exitCode = interrupted.signal.aborted ? stopped : 1;
    } finally {
      terminal.close();
      for (const signal of endings) process.off(signal, interrupt);
    }
  };

  program
    .description("Installs plugins, switches them on for agents, and runs those agents.")
    .version(installation().version)
    .option(
      "--home <dir>",
      "folder of Patchbay's state (default: PATCHBAY_HOME, else the system's own place)",
    )
    .option(
      "--confirm <code>",
      "your word for what is for you alone to decide: the code that the running Patchbay showed in its terminal",
    )
    .option("--json", "print one JSON document and nothing else")
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => process.stdout.write(text),
      writeErr: (text) => {
        if (!output.json) process.stderr.write(cleanText(text));
      },
    });
  for (const add of [
    addServeCommand,
    addSessionCommands,
    addPluginCommands,
    addAgentPluginCommands,
    addJobCommands,
    addPermissionCommands,
    addReviewCommands,
    addChannelTrafficCommands,
    addPeopleCommands,
    addAgentCommands,
    addToolCommands,
    addRunCommands,
    addMcpCommand,
    addSecretCommands,
    addImportCommands,
    addApprovalCommands,
    addDialogCommands,
    addDiagnosticsCommands,
    addTraceCommands,
    addAuditCommands,
    addStateCommands,
    addRemovedCommands,
    addCompletionCommand,
    addMcpClientCommand,
  ])
    add(program, perform);
  addExamples(program);

  if (argv[0] === completeWord) {
    process.stdout.write(await complete(program, argv.slice(1)));
    return 0;
  }

  try {
    await program.parseAsync(withoutChannelAlias(argv, output), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    if (output.json)
      output.failure({
        code: "BAD_INPUT",
        message: sentence(error.message),
        help: "See `patchbay --help`.",
      });
    return 2;
  }
  return exitCode;
}

function withoutChannelAlias(argv: string[], output: Output): string[] {
  const at = argv.findIndex(
    (word, index) => !word.startsWith("-") && !["--home", "--confirm"].includes(argv[index - 1] ?? ""),
  );
  if (argv[at] !== "channel") return argv;
  output.note("`patchbay channel` is the old name of `patchbay plugin`; use the new one.");
  return argv.with(at, "plugin");
}

/** The words by which a command is called: `patchbay tool call`. */
function wordsOf(command: Command): string {
  return command.parent ? `${wordsOf(command.parent)} ${command.name()}` : command.name();
}

/** @param words the command's own */
function failureOf(error: unknown, signal: AbortSignal, words: string): Problem {
  if (signal.aborted) return stoppedProblem(error, words);
  if (error instanceof PatchbayError) return error.toProblem();
  if (!isLostConnection(error)) return problemFromWire(error);
  return new PatchbayError("SHUTTING_DOWN", "The running Patchbay does not answer any more.").toProblem();
}

/** Whoever stopped a command knows how it is started again: said is what was stopped, and what is left of it, if known. */
function stoppedProblem(error: unknown, words: string): Problem {
  const { code, help = "" } = problemFromWire(error);
  const known = code === "ABORTED" && help !== errorCatalogue.ABORTED.help ? help : "";
  return new PatchbayError("ABORTED", `\`${words}\` was stopped on request.`, { help: known }).toProblem();
}

/** What `fetch` throws when the other side is gone, before or while it answers. */
function isLostConnection(error: unknown): boolean {
  return error instanceof TypeError && ["fetch failed", "terminated"].includes(error.message);
}

function sentence(message: string): string {
  const text = message.replace(/^error: /, "");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
