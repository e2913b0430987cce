import type { CommandRisk, Starts } from "../../contract/found/starts.ts";
import { type Asks, type Insight, type RiskLevel, riskLevelOf } from "../../contract/index.ts";

/** What a plugin names of itself before anything of it runs: what goes through it, its commands, and the programs of its hooks. */
export function askedRows({
  commands = [],
  hooks = [],
  folders = [],
  insights,
  starts,
}: Asks): [label: string, value: string][] {
  return [
    ...(starts ? startRows(starts) : []),
    ...folders.map((folder): [string, string] => [
      "Folder",
      `${folder}, where it was started before; granted by \`patchbay plugin permissions\` with --folder ${folder}:rw`,
    ]),
    ...(insights ? insightRows(insights) : []),
    ...commands.map(({ name, description, dangerous }): [string, string] => [
      "Command",
      `${name}${dangerous ? " (dangerous)" : ""}${description === "" ? "" : `  ${description}`}`,
    ]),
    ...hooks.map(({ name, command, runs }): [string, string] => [
      "Hook",
      `${name}: ${command}${runs ? "" : " (never runs here)"}`,
    ]),
  ];
}

/** How it is started or where it is reached, whole, and what of it to look at twice. */
function startRows(starts: Starts): [label: string, value: string][] {
  const { way, command, given, risks, openSecrets, missing, newest } = starts;
  const twice = [
    ...risks.map((risk) => riskWords[risk]),
    ...(newest ? ["It names no exact version: at each start it takes whatever is newest."] : []),
    ...(openSecrets.length > 0 ? [`Secrets in its command line: ${openSecrets.join(", ")}.`] : []),
    ...(missing
      ? [`It needs ${missing.program}, which was not found in: ${missing.folders.join(", ")}`]
      : []),
  ];
  return [
    [way === "address" ? "Reached at" : "Started by", command],
    ...(given.length > 0
      ? [[way === "address" ? "Headers" : "Variables", given.join(", ")] as [string, string]]
      : []),
    ...twice.map((words): [string, string] => ["Look twice", words]),
  ];
}

const riskWords: Record<CommandRisk, string> = {
  administrator: "It runs as the administrator of this computer.",
  removes: "It removes files.",
  loads: "It runs what it loads from the network.",
  mounts: "It hands a container your home folder or the whole disk.",
  privileged: "It gives a container all rights over this computer.",
};

function insightRows(insights: readonly Insight[]): [label: string, value: string][] {
  const lines = insights.map((insight) => insightWords[insight]);
  return [["Goes through it", [levelWords[riskLevelOf(insights)], ...lines].join("; ")]];
}

const levelWords: Record<RiskLevel, string> = {
  high: "high risk",
  medium: "elevated access",
  low: "low risk: the calls of its own tools and commands alone",
};

const insightWords: Record<Insight, string> = {
  prompts: "reads every prompt and answer",
  results: "reads and can replace what every tool answers",
  calls: "sees every call of a tool, and can change or refuse it",
  messages: "sees every message before the agent does, and can change or drop it",
  builtins: "has tools called like the agent's own",
};
