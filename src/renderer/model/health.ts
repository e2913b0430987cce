import type { Problem } from "../../contract/errors.ts";
import type { PluginView } from "../../contract/plugin.ts";
import { type Lack, lackOf } from "../../contract/shown/of-use.ts";
import { waitsForVault } from "../../contract/shown/waits-for-vault.ts";
import { reportsConnection } from "./connection.ts";
import { hasWizard, needsSetupFirst } from "./finished-setup.ts";
import type { Row } from "./rows.ts";

/** The health of a plugin: finer than the instance states. The cable draws it. */
export type Health =
  | "off"
  | "gone"
  | "starting"
  | "running"
  | "asleep"
  | "needs_setup"
  | "locked"
  | "degraded"
  | "not_responding"
  | "failed"
  | "quarantined"
  | "stopping";

export function healthOf(row: Row): Health {
  const health = instanceHealth(row);
  if (tones[health] === "ok" && lackIn(row)) return "needs_setup";
  // What was not made ready is not said to run well, whatever its process says.
  return tones[health] === "ok" && isNotBuilt(row.plugin) ? "degraded" : health;
}

function instanceHealth(row: Row): Health {
  const instance = row.view?.instance;
  if (!row.plugin) return "gone";
  if (!instance) return "off";
  if (instance.notResponding) return "not_responding";
  // The plugin ran and crashed, and is restarted by itself in a moment.
  if (instance.state === "failed" && instance.nextRestartAt !== null) return "degraded";
  if (waitsForVault(instance)) return "locked";
  if (instance.state !== "stopped") return instance.state;
  return row.view?.enabled && instance.startsOnUse ? "asleep" : "off";
}

/** What a plugin that is switched on lacks before it can do anything. */
export function lackIn({ plugin, view }: Row): Lack | null {
  return plugin && view?.enabled ? lackOf(plugin, view) : null;
}

/** Whether scripts of it did not run that make it ready, because they were not allowed. */
export function isNotBuilt(plugin: Pick<PluginView, "skippedScripts"> | null): boolean {
  return (plugin?.skippedScripts?.length ?? 0) > 0;
}

export type Tone = "ok" | "warn" | "bad" | "off" | "busy";

export const tones: Record<Health, Tone> = {
  off: "off",
  gone: "off",
  starting: "busy",
  running: "ok",
  asleep: "ok",
  needs_setup: "warn",
  locked: "warn",
  degraded: "warn",
  not_responding: "warn",
  failed: "bad",
  quarantined: "bad",
  stopping: "busy",
};

export type StateGroup = "running" | "needs" | "off";

/** The filter that a plugin falls under. */
export function groupOf(health: Health): StateGroup {
  switch (health) {
    case "running":
    case "asleep":
    case "starting":
      return "running";
    case "needs_setup":
    case "locked":
    case "degraded":
    case "not_responding":
    case "failed":
    case "quarantined":
      return "needs";
    case "off":
    case "gone":
    case "stopping":
      return "off";
  }
}

/** What a setup has led to, read from the plugin itself. `waits`: it runs, and says what is not as it should be yet. */
export type SetupOutcome = "works" | "waits" | "starts" | "fails";

export function setupOutcome(row: Row): SetupOutcome {
  const health = healthOf(row);
  const tone = tones[health];
  if (tone === "ok") return isConnecting(row) ? "starts" : "works";
  if (tone === "busy") return "starts";
  // One that crashed and is about to be started again does not run; one that reports a problem does.
  return health === "degraded" && row.view?.instance.state === "degraded" ? "waits" : "fails";
}

/** A channel runs before it is connected. */
function isConnecting({ view }: Row): boolean {
  const state = view?.runtimeState ?? null;
  return reportsConnection(state) && state?.status === "connecting";
}

/** Why the plugin is not simply running or off, if there is a reason to show. */
export function currentProblem(row: Row): Problem | null {
  const health = instanceHealth(row);
  const view = row.view;
  if (row.plugin?.loadProblem) return row.plugin.loadProblem;
  if (!view || health === "gone") return null;
  if (view.instance.reason) return view.instance.reason;
  if (groupOf(health) === "needs") return view.lastError;
  // Switched on but not running: the last error says why.
  if (health === "off" && view.enabled) return view.lastError;
  return null;
}

/** The button to show for a problem, or for the next thing to do. */
export type NextStep =
  | "setup"
  | "signInAgain"
  | "continueSetup"
  | "settings"
  | "restart"
  | "activity"
  | "reinstall"
  | "build"
  | "packages"
  | "python"
  | "unlock"
  | null;

export function nextStep(
  problem: Problem | null,
  health: Health,
  plugin: PluginView | null = null,
): NextStep {
  const setUp = hasWizard(plugin) ? "setup" : "settings";
  if (!problem && isNotBuilt(plugin)) return "build";
  if (!problem) return health === "needs_setup" ? setUp : null;
  switch (problem.code) {
    case "CREDENTIALS_REFUSED":
      return hasWizard(plugin) ? "signInAgain" : "settings";
    case "MISSING_SECRET":
    case "NEEDS_SETUP":
      return setUp;
    case "SECRET_NOT_GIVEN":
      return null;
    case "CONFIG_REFUSED":
    case "CONFIG_INVALID":
      return "settings";
    case "PLUGIN_FILES_CHANGED":
    case "MANIFEST_CHANGED":
    case "INTEGRITY_MISMATCH":
      return "reinstall";
    case "PLUGIN_REPORTED":
    case "NOT_RESPONDING":
      return "activity";
    case "HELD_OFF":
    case "WALLS_MISSING":
      return null;
    case "MODULE_MISSING":
      return "packages";
    case "PYTHON_MISSING":
    case "PYTHON_TOO_OLD":
      return "python";
    case "VAULT_CLOSED":
      return "unlock";
    default:
      return health === "needs_setup" ? setUp : "restart";
  }
}

/** What to press on a plugin's card: about its setup first, then about its problem. */
export function cardStep(row: Row, setupIsOpen: boolean): NextStep {
  if (setupIsOpen) return "continueSetup";
  const health = healthOf(row);
  if (health === "off" && !row.view?.enabled && needsSetupFirst(row.plugin, row.view)) return "setup";
  return nextStep(currentProblem(row), health, row.plugin);
}
