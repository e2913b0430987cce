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
  at: string[];
  model: string;
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
    .option(
      "--at <key@version>",
      "ask a plugin at a version that is kept, with --live (repeatable)",
      collect,
      [],
    )
    .option("--model <name>", "ask a model: own, or one of the agent's provider, with --live", "recorded")
    .action((file: string, options: ReplayOptions) => {
      const isLive = options.live === true;
      if (isLive && !options.agent) return usageError(replay, "--live needs --agent");
      const needs = needsLive(options);
      if (!isLive && needs !== null) return usageError(replay, `${needs} needs --live`);
      const versions = versionsIn(options.at);
      if (!versions) return usageError(replay, "--at expects a plugin and a version, such as weather@1.2.0");
      return perform(async (context) => {
        try {
          const text = await textOf(resolve(context.cwd, file));
          return told(
            context,
            await (isLive ? live(context, text, { ...options, versions }) : recorded(text)),
          );
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

/** The first option that says what the plugins are asked for; null: there is none. */
function needsLive({ agent, without, at, model }: ReplayOptions): string | null {
  if (agent) return "--agent";
  if (without.length > 0) return "--without";
  if (at.length > 0) return "--at";
  return model === "recorded" ? null : "--model";
}

async function live(
  context: CliContext,
  file: string,
  { agent = "", without, versions, model }: ReplayOptions & { versions: Record<string, string> },
): Promise<Judged> {
  let judged: Judged | undefined;
  await withClient(async (_context, client) => {
    const { signal } = context;
    judged = await client.replays.judge({ agentId: agent, file, without, versions, model }, { signal });
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

/** The versions by the keys of their plugins; null where one is none. */
function versionsIn(pairs: readonly string[]): Record<string, string> | null {
  const found = pairs.map((pair) => /^([^@]+)@(.+)$/.exec(pair)?.slice(1));
  return found.includes(undefined) ? null : Object.fromEntries(found as [string, string][]);
}
