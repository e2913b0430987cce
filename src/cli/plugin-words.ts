import {
  type Advice,
  type AgentPluginView,
  type Capabilities,
  growthInWords,
  type PluginView,
  type Problem,
} from "../contract/index.ts";
import type { CliContext } from "./context.ts";
import { askedRows } from "./terminal/asked-words.ts";
import { reachLines } from "./terminal/consent-words.ts";
import { table } from "./terminal/output.ts";
import { settingsText } from "./terminal/settings-words.ts";
import { pageRows, sourceRows } from "./terminal/source-words.ts";
import { capabilityText, nameAndVersion, notRun, stateText } from "./terminal/words.ts";

/** Everything about an installed plugin, as rows of a label and a value. */
export function describePlugin(plugin: PluginView): string {
  const left = notRun(plugin);
  return table([
    ["Plugin", `${plugin.displayName} (${nameAndVersion(plugin)})`],
    ["", plugin.description],
    ["Package", `${plugin.packageName}@${plugin.packageVersion}`],
    ...(plugin.advice ? [adviceRow(plugin.advice)] : []),
    ["Runtime", plugin.runtime],
    ["Can", capabilityText(plugin.capabilities)],
    ...offerRows(plugin.capabilities),
    ...askedRows(plugin.consent),
    ...asksRows(plugin),
    ...sourceRows(plugin.source, { publisher: plugin.declaration.publisher, trust: plugin.trust }),
    ...pageRows(plugin.declaration),
    ["Installed", plugin.source.installedAt],
    ["Used by", plugin.enabledFor.join(", ") || "no agent"],
    ["Kept", plugin.previous.map((version) => version.packageVersion).join(", ") || "no older version"],
    ...(plugin.loadProblem ? [["Problem", plugin.loadProblem.message]] : []),
    ...(left ? [["Not run", left]] : []),
    ...plugin.grown.map((one) => ["Not agreed", growthInWords(one)]),
    ...plugin.warnings.map((warning) => ["Note", warning]),
  ]);
}

/** What its source says against it. */
function adviceRow({ status, message }: Advice): [label: string, value: string] {
  const said = message === undefined ? "" : `: ${/[.!?]$/.test(message) ? message : `${message}.`}`;
  switch (status) {
    case "deprecated":
      return ["Deprecated", `Its publisher advises against it${said || "."}`];
    case "withdrawn":
      return ["Withdrawn", `It was withdrawn from the registry${said || "."} Remove it unless you know why.`];
  }
}

export function describeRow(row: AgentPluginView, paint: CliContext["output"]["paint"]): string {
  const { instance } = row;
  const problem = row.plugin?.loadProblem ?? instance.reason ?? row.lastError;
  const live = Object.entries(row.runtimeState ?? {})
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key}: ${shown(value)}`);
  return table([
    [
      "Plugin",
      row.plugin
        ? `${row.plugin.displayName} (${nameAndVersion(row.plugin)})`
        : `${row.pluginKey} (not in catalogue)`,
    ],
    ["Agent", row.agentId],
    ["Switched on", row.enabled ? "yes" : "no"],
    ["State", stateText(row, paint)],
    ...(row.plugin ? [["Can", capabilityText(row.plugin.capabilities)], ...asksRows(row.plugin)] : []),
    ...(problem
      ? [["Problem", problem.message], ...(saysMore(problem) ? [["", problem.help ?? ""]] : [])]
      : []),
    ...live.map((line, index) => [index === 0 ? "Live" : "", line]),
    ...(instance.contributions?.tools ?? []).map((tool, index) => [
      index === 0 ? "Tools" : "",
      `${tool.title}  ${tool.description}`,
    ]),
    ...(instance.contributions?.hooks.length
      ? [["Hooks", instance.contributions.hooks.map((hook) => hook.event).join(", ")]]
      : []),
    ...(instance.contributions?.commands.length
      ? [["Commands", instance.contributions.commands.map((command) => `/${command.name}`).join(", ")]]
      : []),
    ...(instance.contributions?.channel ? [["Channel", instance.contributions.channel.name]] : []),
    ...(instance.contributions?.leftOut ?? []).map((sentence) => ["Left out", sentence]),
    ...(instance.contributions?.notes ?? []).map((sentence) => ["Note", sentence]),
    ...Object.entries(row.secretsSet).map(([key, set], index) => [
      index === 0 ? "Secrets" : "",
      `${key}: ${set ? "stored" : "not set"}`,
    ]),
    ["Settings", settingsText(row.config)],
  ]);
}

function shown(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value);
  return Object.entries(value)
    .map(([key, part]) => `${key} ${JSON.stringify(part)}`)
    .join(", ");
}

/** What it offers by name, as far as it says so before it runs. */
function offerRows({ tools, hooks, commands, skills, providers, shortcuts }: Capabilities): string[][] {
  const lists: [label: string, names: readonly string[] | undefined][] = [
    ["Tools", tools?.names],
    ["Hooks", hooks?.events],
    ["Commands", commands?.names.map((name) => `/${name}`)],
    ["Skills", skills?.names],
    ["Models", providers?.names],
    ["Shortcuts", shortcuts?.names],
  ];
  return lists.flatMap(([label, names = []]) => (names.length > 0 ? [[label, names.join(", ")]] : []));
}

/** What it asked for and what of its scripts it brings, as rows of a label and a value. */
function asksRows({ consent, scriptsAllowed }: Pick<PluginView, "consent" | "scriptsAllowed">): string[][] {
  const { grants, scripts } = consent;
  return [
    ...reachLines(consent).map((line, index) => [index === 0 ? "Reaches" : "", line]),
    ...(grants.length > 0 ? [["Asks for", grants.join(", ")]] : []),
    ...scripts.map(({ name, command }, index) => [
      index === 0 ? `Scripts (${scriptsAllowed ? "allowed" : "not allowed"})` : "",
      `${name}: ${command}`,
    ]),
  ];
}

function saysMore({ message, help }: Problem): boolean {
  return help !== undefined && help !== "" && !message.includes(help);
}
