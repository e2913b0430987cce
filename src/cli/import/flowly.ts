import { resolve } from "node:path";
import type { Command } from "commander";
import { type FoundPlugin, type Problem, toProblem } from "../../contract/index.ts";
import { foundByFlowly } from "../../main/runtimes/flowly/found.ts";
import { type Perform, withClient } from "../command.ts";
import type { CliContext, Client } from "../context.ts";
import { foundLines } from "./found.ts";
import { type Agreed, agreeing, install, lineOf, type Taken } from "./take.ts";

type Found = Omit<FoundPlugin, "runtime" | "installed">;

interface FlowlyOptions extends Agreed {
  from?: string;
  agent?: string;
  bundled?: boolean;
}

/** A plugin that was installed, or is left as it is. `switchedOn`: for the agent that was named. */
interface Imported extends Taken {
  switchedOn: boolean;
}

/** `patchbay import flowly`. */
export function addFlowlyImport(parent: Command, perform: Perform): void {
  const command = parent
    .command("flowly")
    .description(
      "read the plugins and settings of a Flowly installation and install what is switched on there",
    )
    .option("--from <dir>", "Flowly's folder (default: $FLOWLY_HOME, or ~/.flowly)")
    .option("--agent <id>", "switch the installed plugins on for this agent, too")
    .option("--bundled", "also those that come with Flowly itself")
    .action((options: FlowlyOptions) =>
      perform(
        withClient(async (context, client) => {
          const { from, agent } = options;
          const env = { ...context.env, ...(from && { FLOWLY_HOME: resolve(context.cwd, from) }) };
          const { plugins, places, problem } = await foundByFlowly(env, context.cwd);
          if (!options.yes) return list(context, { plugins, places, problem });
          const agentId = agent === undefined ? null : (await client.agents.get({ agentId: agent })).id;
          if (problem !== null) context.output.note(problem);
          const chosen = plugins.filter((one) => isTaken(one, options));
          const results: Imported[] = [];
          for (const one of chosen) results.push(await take(context, client, one, agentId, options));
          const left = plugins
            .filter((one) => !chosen.includes(one))
            .map(({ name, status }) => ({ name, status }));
          context.output.result({ places, plugins: results, left }, () =>
            [
              ...results.map((one) => `${lineOf(one)}${onWords(one, agentId)}`),
              ...left.map(({ name, status }) => `○ ${name}: ${leftWords[status]}`),
            ].join("\n"),
          );
          return results.every(({ installed, problem }) => installed && problem === null) ? 0 : 1;
        }),
      ),
    );
  for (const [flag, words] of agreeing) command.option(flag, words);
}

/** What is switched on in Flowly. A replaced one, and one that Flowly cannot load, are not what the person uses there. */
function isTaken({ status, place }: Found, { bundled = false }: FlowlyOptions): boolean {
  return status === "enabled" && (bundled || place !== "bundled");
}

interface Listing {
  plugins: readonly Found[];
  places: readonly string[];
  problem: string | null;
}

function list({ output }: CliContext, { plugins, places, problem }: Listing): 0 {
  output.result({ places, plugins, problem }, () =>
    [
      ...(plugins.length === 0
        ? [`Flowly has no plugins in ${places.join(", ")}.`]
        : plugins.flatMap((one) => foundLines({ ...one, runtime: "flowly", installed: null }, output.paint))),
      ...(problem === null ? [] : [output.paint.warn(`▲ ${problem}`)]),
      ...(plugins.length === 0
        ? []
        : [
            "Install those that are switched on with --yes, and switch them on for an agent with --agent. Nothing of Flowly is changed.",
          ]),
    ].join("\n"),
  );
  return 0;
}

/** Installs one plugin from Flowly's folder, and switches it on. One that fails stops no other. */
async function take(
  context: CliContext,
  client: Client,
  { name, spec }: Found,
  agentId: string | null,
  options: FlowlyOptions,
): Promise<Imported> {
  const there = (await client.plugins.list()).find(({ source }) => source.spec === spec);
  const taken: Taken = there
    ? { name, spec, installed: true, problem: null, key: there.manifestKey }
    : await install(context, client, { name, spec }, options);
  const off = { ...taken, switchedOn: false };
  if (!taken.installed || taken.key === undefined || agentId === null) return off;
  const problem = await switchOn(client, agentId, taken.key);
  return problem === null ? { ...taken, switchedOn: true } : { ...off, problem };
}

/** Why it is switched on and does not run; null when it does, or starts when it is used. */
async function switchOn(client: Client, agentId: string, key: string): Promise<Problem | null> {
  try {
    const { instance, lastError } = await client.agentPlugins.set({ agentId, key, enabled: true });
    if (instance.state !== "failed" && instance.state !== "quarantined") return null;
    return lastError ?? instance.reason;
  } catch (error) {
    return toProblem(error);
  }
}

function onWords({ installed, switchedOn, problem }: Imported, agentId: string | null): string {
  if (!installed || agentId === null) return "";
  if (switchedOn) return `, switched on for ${agentId}`;
  return `, but not running for ${agentId}: ${[problem?.message, problem?.help].filter(Boolean).join(" ")}`;
}

const leftWords: Record<FoundPlugin["status"], string> = {
  enabled: "comes with Flowly; take it with --bundled",
  disabled: "switched off in Flowly, not installed",
  available: "not switched on in Flowly, not installed",
  error: "broken, not installed",
  unsupported: "of a kind that neither Flowly nor Patchbay loads",
  overridden: "replaced by another in Flowly, not installed",
};
