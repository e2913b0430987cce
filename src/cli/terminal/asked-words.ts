import { type Asks, type Insight, type RiskLevel, riskLevelOf } from "../../contract/index.ts";

/** What a plugin names of itself before anything of it runs: what goes through it, its commands, and the programs of its hooks. */
export function askedRows({ commands = [], hooks = [], insights }: Asks): [label: string, value: string][] {
  return [
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
