import type { FoundPlugin, Problem } from "../../contract/index.ts";
import { toProblem } from "../../contract/index.ts";
import type { FoundElsewhere } from "../../main/runtimes/found-or-listed.ts";
import type { CliContext, Client } from "../context.ts";
import { foundLines } from "./found.ts";
import { type Agreed, install, lineOf, type Taken } from "./take.ts";

type Found = FoundElsewhere["plugins"][number];

/** A plugin that was installed, or is left as it is. `switchedOn`: for the agent that was named. */
interface Imported extends Taken {
  switchedOn: boolean;
}

interface Importing {
  runtime: FoundPlugin["runtime"];
  /** The system's name, for sentences. */
  system: string;
  found: FoundElsewhere;
  options: Agreed & { agent?: string };
  /** Whether it is what the person uses there. */
  isTaken(one: Found): boolean;
  /** The settings that it has for an agent; absent: none. */
  settingsOf?(one: Found): Record<string, unknown> | undefined;
  /** Why one of this status is left. */
  left: Record<FoundPlugin["status"], string>;
}

/**
 * Lists what another installation has, or with `yes` installs what is used there and switches it on for the agent that is named. Nothing
 * of the other installation is changed.
 */
export async function takeFound(context: CliContext, client: Client, importing: Importing): Promise<0 | 1> {
  const { found, options, isTaken, left: leftWords } = importing;
  if (!options.yes) return list(context, importing);
  const { agent } = options;
  const agentId = agent === undefined ? null : (await client.agents.get({ agentId: agent })).id;
  if (found.problem !== null) context.output.note(found.problem);
  const chosen = found.plugins.filter((one) => isTaken(one));
  const results: Imported[] = [];
  for (const one of chosen) results.push(await take(context, client, one, agentId, importing));
  const left = found.plugins
    .filter((one) => !chosen.includes(one))
    .map(({ name, status }) => ({ name, status }));
  context.output.result({ places: found.places, plugins: results, left }, () =>
    [
      ...results.map((one) => `${lineOf(one)}${onWords(one, agentId)}`),
      ...left.map(({ name, status }) => `○ ${name}: ${leftWords[status]}`),
    ].join("\n"),
  );
  return results.every(({ installed, problem }) => installed && problem === null) ? 0 : 1;
}

function list({ output }: CliContext, { runtime, system, found }: Importing): 0 {
  const { plugins, places, problem } = found;
  output.result({ places, plugins, problem }, () =>
    [
      ...(plugins.length === 0
        ? [`${system} has no plugins in ${places.join(", ")}.`]
        : plugins.flatMap((one) => foundLines({ ...one, runtime, installed: null }, output.paint))),
      ...(problem === null ? [] : [output.paint.warn(`▲ ${problem}`)]),
      ...(plugins.length === 0
        ? []
        : [
            `Install those that are switched on with --yes, and switch them on for an agent with --agent. Nothing of ${system} is changed.`,
          ]),
    ].join("\n"),
  );
  return 0;
}

/** Installs one plugin from where it stands, and switches it on. One that fails stops no other. */
async function take(
  context: CliContext,
  client: Client,
  one: Found,
  agentId: string | null,
  { options, settingsOf }: Importing,
): Promise<Imported> {
  const { name, spec } = one;
  const there = (await client.plugins.list()).find(({ source }) => source.spec === spec);
  const taken: Taken = there
    ? { name, spec, installed: true, problem: null, key: there.manifestKey }
    : await install(context, client, { name, spec }, options);
  const off = { ...taken, switchedOn: false };
  if (!taken.installed || taken.key === undefined || agentId === null) return off;
  const problem = await switchOn(client, agentId, taken.key, settingsOf?.(one));
  return problem === null ? { ...taken, switchedOn: true } : { ...off, problem };
}

/** Why it is switched on and does not run; null when it does, or starts when it is used. */
async function switchOn(
  client: Client,
  agentId: string,
  key: string,
  config: Record<string, unknown> | undefined,
): Promise<Problem | null> {
  try {
    const set = { agentId, key, enabled: true, ...(config && { config }) };
    const { instance, lastError } = await client.agentPlugins.set(set);
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
