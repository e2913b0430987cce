import type { AgentPluginView, Capabilities, InstanceState, Plugin } from "../../contract/index.ts";
import { waitsForVault } from "../../contract/shown/waits-for-vault.ts";
import type { Paint } from "./output.ts";

/** A state in the words that the screens use, with a sign before it, so that it can be told without colour. */
export function stateText(
  row: Pick<AgentPluginView, "instance" | "enabled" | "plugin">,
  paint: Paint,
): string {
  const { state, startsOnUse, notResponding } = row.instance;
  const { enabled, plugin } = row;
  if (enabled && plugin?.loadProblem && state !== "running") return paint.bad("✗ Failed to start");
  const missing = enabled && plugin && (state === "stopped" || state === "running") && notRun(plugin);
  if (missing) return `${paint.warn("▲ Has a problem")} (${missing})`;
  if (state === "stopped" && row.enabled && row.plugin && startsOnUse)
    return `${paint.good("◉ Running")} (ready, starts when a tool is called)`;
  const [shape, word, colour] = waitsForVault(row.instance) ? locked : states[state];
  const waits = state === "stopped" && row.enabled && row.plugin;
  const note = notResponding ? " (not responding)" : waits ? " (starts with the app)" : "";
  return `${paint[colour](`${shape} ${word}`)}${note}`;
}

const states: Record<InstanceState, [shape: string, word: string, colour: keyof Paint]> = {
  stopped: ["○", "Off", "dim"],
  starting: ["◐", "Starting", "warn"],
  running: ["●", "Running", "good"],
  needs_setup: ["▲", "Needs setup", "warn"],
  degraded: ["▲", "Has a problem", "warn"],
  failed: ["✗", "Failed to start", "bad"],
  quarantined: ["✗", "Stopped after repeated crashes", "bad"],
  stopping: ["◐", "Stopping", "dim"],
};

const locked = ["▲", "Waits for the vault", "warn"] as const;

/** Which scripts of a plugin did not run, and how to let them; undefined when none is missing. */
export function notRun({
  manifestKey,
  skippedScripts = [],
}: Pick<Plugin, "manifestKey" | "skippedScripts">): string | undefined {
  if (skippedScripts.length === 0) return undefined;
  return `scripts not allowed: ${skippedScripts.join(", ")}; let them run with \`patchbay plugin update ${manifestKey} --allow-scripts\``;
}

/** `Tools 4 · Channel · Hooks 2` */
export function capabilityText(capabilities: Capabilities): string {
  const count = (list: unknown[]) => (list.length > 0 ? ` ${list.length}` : "");
  const { tools, channel, hooks, commands, skills, providers, shortcuts } = capabilities;
  return [
    tools && `Tools${tools.count === undefined ? "" : ` ${tools.count}`}`,
    channel && "Channel",
    hooks && `Hooks${count(hooks.events)}`,
    commands && `Commands${count(commands.names)}`,
    skills && `Skills${count(skills.names)}`,
    providers && `Models${count(providers.names)}`,
    shortcuts && `Shortcuts${count(shortcuts.names)}`,
  ]
    .filter((part) => typeof part === "string")
    .join(" · ");
}

export function nameAndVersion(plugin: Pick<Plugin, "manifestKey" | "packageVersion">): string {
  return `${plugin.manifestKey} ${plugin.packageVersion}`;
}
