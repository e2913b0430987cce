import { resolve } from "node:path";
import type { Command } from "commander";
import { PatchbayError, toProblem } from "../../contract/index.ts";
import {
  type FledgeRecord,
  fledgeHome,
  isForeign,
  readFledgeRegistry,
} from "../../main/runtimes/fledge/fledge-home.ts";
import { type Perform, withClient } from "../command.ts";
import type { CliContext, Client } from "../context.ts";
import { type Agreed, agreeing, install, lineOf, type Taken } from "./take.ts";

interface FledgeOptions extends Agreed {
  from?: string;
}

/** `patchbay import fledge`. */
export function addFledgeImport(parent: Command, perform: Perform): void {
  const command = parent
    .command("fledge")
    .description("read the plugins.toml of a fledge installation and install its plugins")
    .option("--from <dir>", "fledge's folder (default: where fledge keeps it on this system)")
    .action((options: FledgeOptions) =>
      perform(
        withClient(async (context, client) => {
          const home = options.from ? resolve(context.cwd, options.from) : fledgeHome(context.env);
          const records = readFledgeRegistry(home);
          if (!options.yes) return list(context, home, records);
          const results: Taken[] = [];
          for (const record of records) results.push(await take(context, client, home, record, options));
          context.output.result({ home, plugins: results }, () => results.map(lineOf).join("\n"));
          return results.every(({ installed }) => installed) ? 0 : 1;
        }),
      ),
    );
  for (const [flag, words] of agreeing) command.option(flag, words);
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
  options: Agreed,
): Promise<Taken> {
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
