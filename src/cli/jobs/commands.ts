import type { Command } from "commander";
import { type Job, PatchbayError } from "../../contract/index.ts";
import { readUntil } from "../../main/base/read-until.ts";
import { type Perform, usageError, withClient } from "../command.ts";
import type { CliContext, Client, ExitCode } from "../context.ts";
import { table } from "../terminal/output.ts";
import { newLines } from "./new-lines.ts";

const given =
  "its id, the beginning of that, or a plugin key for its newest job (default: the newest of all)";

/** `patchbay job list | show | logs`: installations, updates and roll-backs, and what was said meanwhile. */
export function addJobCommands(program: Command, perform: Perform): void {
  const job = program.command("job").description("installations and updates, and what was said meanwhile");

  job
    .command("list")
    .description("every installation, update and roll-back that is kept, the newest first")
    .action(() =>
      perform(
        withClient(async ({ output }, client) => {
          const jobs = newestFirst(await client.jobs.list());
          output.result(jobs, () =>
            jobs.length === 0
              ? "Nothing was installed yet."
              : table(
                  jobs.map((one) => [
                    output.paint.bold(one.id.slice(0, 8)),
                    one.createdAt,
                    one.kind,
                    statusText(one),
                    one.pluginKey ?? one.spec,
                    one.pluginVersion ?? "",
                  ]),
                ),
          );
        }),
      ),
    );

  job
    .command("show")
    .argument("[job]", given)
    .description("one of them: its phases, its end and why it failed")
    .action((name: string | undefined) =>
      perform(
        withClient(async ({ output }, client) => {
          const found = await findJob(client, name);
          output.result(found, () => describeJob(found));
        }),
      ),
    );

  const logs = job
    .command("logs")
    .argument("[job]", given)
    .description("what was said while it ran: output of builds and scripts, warnings, refusals")
    .option("--follow", "go on as it runs, to its end")
    .action((name: string | undefined, options: { follow?: boolean }, command: Command) => {
      if (options.follow && command.optsWithGlobals<{ json?: boolean }>().json)
        usageError(logs, "--follow prints as it goes; it cannot be combined with --json");
      return perform(
        withClient(async (context, client) => {
          const found = await findJob(client, name);
          if (options.follow) return followLog(context, client, found);
          context.output.result(found.log, () => found.log.map(lineOf).join("\n"));
          return 0;
        }),
      );
    });
}

function newestFirst(jobs: readonly Job[]): Job[] {
  return jobs.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
}

/** @throws PatchbayError JOB_NOT_FOUND, or BAD_INPUT when several begin like that */
async function findJob(client: Client, name: string | undefined): Promise<Job> {
  const jobs = newestFirst(await client.jobs.list());
  const [newest] = jobs;
  if (name === undefined) {
    if (newest) return newest;
    throw new PatchbayError("JOB_NOT_FOUND", "Nothing was installed yet.", {
      help: "Install a plugin with `patchbay plugin install <name>`.",
    });
  }
  const ofPlugin = jobs.find(({ id, pluginKey }) => id === name || pluginKey === name);
  if (ofPlugin) return ofPlugin;
  const [found, ...others] = jobs.filter(({ id }) => id.startsWith(name));
  if (found && others.length === 0) return found;
  if (found)
    throw new PatchbayError("BAD_INPUT", `${others.length + 1} jobs begin with “${name}”.`, {
      help: "Give more of the id.",
    });
  throw new PatchbayError("JOB_NOT_FOUND", `There is no job “${name}”, and none of a plugin of that key.`, {
    help: "Choose one from `patchbay job list`.",
  });
}

async function followLog({ output, signal }: CliContext, client: Client, job: Job): Promise<ExitCode> {
  let shown: Job["log"] = [];
  let last = job;
  for await (const current of readUntil(await client.jobs.watch({ id: job.id }, { signal }), signal)) {
    for (const line of newLines(shown, current.log)) output.line(lineOf(line));
    shown = current.log;
    last = current;
  }
  return last.status === "done" ? 0 : 1;
}

function lineOf({ at, text }: Job["log"][number]): string {
  return `${at}  ${text}`;
}

function statusText({ status, phase, upToDate }: Job): string {
  if (status === "running") return `running (${phase})`;
  if (status === "waiting") return "waits for an answer";
  return upToDate ? "was up to date" : status;
}

function describeJob(job: Job): string {
  const { problem, skippedScripts = [] } = job;
  return table([
    ["Job", job.id],
    ["Does", `${job.kind} ${job.spec}`],
    ["Plugin", [job.pluginKey ?? "not known", job.pluginVersion].filter(Boolean).join(" ")],
    ["Begun", job.createdAt],
    ["Ended", job.endedAt ?? "not yet"],
    ["Status", statusText(job)],
    ...(problem ? [["Problem", problem.message]] : []),
    ...(skippedScripts.length > 0 ? [["Not run", `${skippedScripts.join(", ")} (not allowed)`]] : []),
    ...job.phases.map(({ phase, status, ms }, index) => [
      index === 0 ? "Phases" : "",
      `${phase}: ${status}${ms === null ? "" : ` (${Math.round(ms)} ms)`}`,
    ]),
    ["Log", `${job.log.length} lines: patchbay job logs ${job.id.slice(0, 8)}`],
  ]);
}
