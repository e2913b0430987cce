import { resolve } from "node:path";
import type { Command } from "commander";
import { PatchbayError, type Problem, toProblem } from "../../contract/index.ts";
import {
  type FledgeRecord,
  fledgeHome,
  isForeign,
  readFledgeRegistry,
} from "../../main/runtimes/fledge/fledge-home.ts";
import { type Perform, withClient } from "../command.ts";
import type { CliContext, Client } from "../context.ts";

interface ImportOptions {
  from?: string;
  yes?: boolean;
  allowScripts?: boolean;
  acceptRisk?: boolean;
}

interface Imported {
  name: string;
  spec: string;
  installed: boolean;
  problem: Problem | null;
  skippedScripts?: string[];
}

/** Taking over what another tool has installed: `patchbay import fledge`. */
export function addImportCommands(program: Command, perform: Perform): void {
  const command = program.command("import").description("install what another tool has installed");

  command
    .command("fledge")
    .description("read the plugins.toml of a fledge installation and install its plugins")
    .option("--from <dir>", "fledge's folder (default: where fledge keeps it on this system)")
    .option("--yes", "agree to what the plugins ask for; without it they are only listed")
    .option("--allow-scripts", "run the plugins' own build and installation scripts")
    .option("--accept-risk", "also those that nobody known vouches for, knowingly")
    .action((options: ImportOptions) =>
      perform(
        withClient(async (context, client) => {
          const home = options.from ? resolve(context.cwd, options.from) : fledgeHome(context.env);
          const records = readFledgeRegistry(home);
          if (!options.yes) return list(context, home, records);
          const results: Imported[] = [];
          for (const record of records) results.push(await take(context, client, home, record, options));
          context.output.result({ home, plugins: results }, () => results.map(lineOf).join("\n"));
          return results.every(({ installed }) => installed) ? 0 : 1;
        }),
      ),
    );
}

function list({ output }: CliContext, home: string, records: FledgeRecord[]): 0 {
  output.result({ home, plugins: records }, () =>
    records.length === 0
      ? `fledge has no plugins in ${home}.`
      : [
          ...records.map(
            ({ name, version, spec, files }) =>
              `${name} ${version}  ${spec}${files === null ? "" : `  (files in ${files})`}`,
          ),
          "Install them with --yes. Their builds and scripts run only with --allow-scripts; those that nobody known vouches for need --accept-risk, too.",
        ].join("\n"),
  );
  return 0;
}

/**
 * Takes over one plugin, from fledge's own copy of its files where there is one. That may hold links of a build that lead
 * out of it; then it is fetched from where fledge had it. A plugin that fails does not stop the others.
 */
async function take(
  context: CliContext,
  client: Client,
  home: string,
  record: FledgeRecord,
  options: ImportOptions,
): Promise<Imported> {
  const { name, spec, files } = record;
  if (files === null) return install(context, client, { name, spec }, options);
  try {
    if (!options.acceptRisk && (await isForeign(home, record))) throw foreign(name, spec);
  } catch (error) {
    return { name, spec, installed: false, problem: toProblem(error) };
  }
  const taken = await install(context, client, { name, spec: files }, options);
  if (taken.problem?.code !== "UNSAFE_PACKAGE") return { ...taken, spec };
  return install(context, client, { name, spec }, options);
}

function foreign(name: string, spec: string): PatchbayError {
  return new PatchbayError(
    "TRUST_REFUSED",
    `Nobody known vouches for ${name} (${spec}), and it asks to start programs or for the network.`,
    { help: "Take that risk knowingly with --accept-risk." },
  );
}

async function install(
  context: CliContext,
  client: Client,
  { name, spec }: Pick<FledgeRecord, "name" | "spec">,
  options: ImportOptions,
): Promise<Imported> {
  context.output.note(`${name} from ${spec} …`);
  const job = await client.jobs.install({
    spec,
    yes: true,
    allowScripts: options.allowScripts ?? false,
    acceptRisk: options.acceptRisk ?? false,
  });
  const cancel = () => void client.jobs.cancel({ id: job.id }).catch(() => {});
  context.signal.addEventListener("abort", cancel, { once: true });
  try {
    for await (const state of await client.jobs.watch({ id: job.id })) {
      if (state.endedAt === null) continue;
      const { status, problem, skippedScripts } = state;
      return { name, spec, installed: status === "done", problem, ...(skippedScripts && { skippedScripts }) };
    }
  } finally {
    context.signal.removeEventListener("abort", cancel);
  }
  throw new PatchbayError("ABORTED", "The installation was stopped.");
}

function lineOf({ name, installed, problem, skippedScripts = [] }: Imported): string {
  if (!installed)
    return `✗ ${name}: ${[problem?.message ?? "not installed", problem?.help].filter(Boolean).join(" ")}`;
  if (skippedScripts.length === 0) return `✓ ${name}`;
  return `▲ ${name}: installed, but not made ready; its scripts run with --allow-scripts: ${skippedScripts.join(", ")}`;
}
