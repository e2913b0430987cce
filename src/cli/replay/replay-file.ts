import { open, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { Command } from "commander";
import { type ComparedTurns, failedRows, PatchbayError, type TestPart } from "../../contract/index.ts";
import { type Perform, usageError, withClient } from "../command.ts";
import type { CliContext } from "../context.ts";
import { differenceLines } from "./difference-words.ts";

interface ReplayOptions {
  agent?: string;
  live?: boolean;
  without: string[];
}

interface Judged {
  name: string;
  expect: TestPart[];
  compared: ComparedTurns;
}

/** `patchbay agent replay`: runs a turn that was kept as a test. Ends with 0: as it was; 1: not so; 2: no such file. */
export function addReplayCommand(agent: Command, perform: Perform): void {
  const replay = agent
    .command("replay <file>")
    .description("run a turn that was kept as a test, and say what of it is not as it was")
    .option("--live", "really ask the agent's plugins; their tools answer from the file (default: all does)")
    .option("--agent <id>", "whose plugins are asked, with --live")
    .option("--without <key>", "leave a plugin out, with --live (repeatable)", collect, [])
    .action((file: string, options: ReplayOptions) => {
      const isLive = options.live === true;
      if (isLive && !options.agent) return usageError(replay, "--live needs --agent");
      if (!isLive && (options.agent || options.without.length > 0))
        return usageError(replay, "--agent and --without need --live");
      return perform(async (context) => {
        try {
          const text = await textOf(resolve(context.cwd, file));
          return told(context, await (isLive ? live(context, text, options) : recorded(text)));
        } catch (error) {
          if (!(error instanceof PatchbayError) || error.code !== "REPLAY_FILE_INVALID") throw error;
          context.output.failure(error.toProblem());
          return 2;
        }
      });
    });
}

/** Nothing runs for it but this process: neither an app nor the agent is needed. */
async function recorded(text: string): Promise<Judged> {
  const [{ readTestFile }, { judgeRecorded }] = await Promise.all([
    import("../../main/agents/replay/kept/test-file.ts"),
    import("../../main/agents/replay/replays.ts"),
  ]);
  const kept = await readTestFile(text);
  return { name: kept.name, expect: kept.expect, compared: await judgeRecorded(kept) };
}

async function live(context: CliContext, file: string, { agent, without }: ReplayOptions): Promise<Judged> {
  let judged: Judged | undefined;
  await withClient(async (_context, client) => {
    judged = await client.replays.judge({ agentId: agent ?? "", file, without }, { signal: context.signal });
    return 0;
  })(context);
  if (!judged) throw new Error("a replay without a judgement");
  return judged;
}

function told({ output }: CliContext, { name, expect, compared }: Judged): number {
  const rows = failedRows(compared, expect);
  const { paint } = output;
  output.result({ name, same: rows.length === 0, expect, differences: rows }, () => {
    if (rows.length === 0) return `${paint.good("✓")} “${name}” is as it was.`;
    const lines = rows.flatMap(differenceLines).map((line) => `  ${line}`);
    return [`${paint.bad("✗")} “${name}” is not as it was.`, ...lines].join("\n");
  });
  return rows.length === 0 ? 0 : 1;
}

/** Most bytes that are read. */
const mostBytes = 8 * 1024 * 1024;

/** @throws PatchbayError REPLAY_FILE_INVALID */
async function textOf(path: string): Promise<string> {
  const invalid = (message: string) => new PatchbayError("REPLAY_FILE_INVALID", message);
  const unreadable = () => {
    throw invalid(`There is no file ${basename(path)} that can be read.`);
  };
  // Asked before it is opened: opening a pipe would wait for somebody to write.
  const before = await stat(path).catch(unreadable);
  if (!before.isFile()) throw invalid(`${basename(path)} is no file.`);
  const handle = await open(path, "r").catch(unreadable);
  try {
    const about = await handle.stat();
    if (about.size > mostBytes) throw invalid("The file is larger than 8 MiB.");
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

function collect(value: string, values: string[]): string[] {
  return [...values, value];
}
