import { type Asks, holdsItself } from "../../contract/asks.ts";
import { type Grants, grantsOf } from "../../contract/grants.ts";
import type { Plugin } from "../../contract/plugin.ts";
import { hostSettingOf } from "../../contract/shown/host-setting.ts";

type Said =
  | "networkAny"
  | "networkHosts"
  | "networkNone"
  | "networkUnsaid"
  | "filesAll"
  | "filesWorkspace"
  | "filesRead"
  | "filesNone"
  | "filesUnsaid"
  | "subprocess"
  | "subprocessNone"
  | "subprocessUnsaid";

/** What was granted, where that is what holds. */
type Given = "networkGranted" | "networkAsked" | "filesFolders" | "filesMore" | "programsNamed";

export interface PermissionLine {
  kind: "network" | "files" | "subprocess" | "grants";
  /** A key of the catalogue: what the plugin claims, or, where it is held to that, what holds. */
  text: `permission.${"claims" | "holds"}.${Said}` | `permission.holds.${Given}` | "permission.grants";
  /** What is asked for by name: addresses, or grants of the plugin system. */
  names?: string;
  /** Grants of the plugin system one by one, as that names them. */
  grants?: readonly string[];
  /** Megabytes that it may keep in a folder of its own, where that is limited. */
  keepsMb?: number;
  /** True when the plugin asks for it, or nothing prevents it; false when it does without. */
  asks: boolean;
}

/**
 * What a plugin asks for, one line for each kind. Kinds that it does not declare get a line that says so. Where nothing
 * holds the plugin to what it declares, the lines are worded as its claims; where its system prevents everything else,
 * as facts.
 */
export function permissionLines(asks: Asks): PermissionLine[] {
  return [network(asks), files(asks), programs(asks), ...grants(asks)];
}

type Held = Pick<Plugin, "runtime" | "declaration" | "consent" | "granted">;

/**
 * What an installed plugin may reach for one agent: behind walls what was granted, as facts; where its own system holds it,
 * what it declares, as facts; and where nothing holds it now, what it declares, as its claims. What held when it was
 * installed says nothing.
 *
 * @param granted what the person granted for this agent; absent: what they agreed to at the installation
 * @param walled whether walls stand on this machine now
 * @param limitsPrograms whether those limit which programs are started
 */
export function pluginLines(
  plugin: Held,
  granted: Grants | undefined,
  walled: boolean,
  limitsPrograms = true,
): PermissionLine[] {
  const { consent } = plugin;
  if (holdsItself(plugin)) {
    // It sees the workspace where it asks for that, unless the person took it away.
    const isTaken = granted?.files.workspace === "none" && consent.files === "read";
    return permissionLines({ ...consent, enforced: true, ...(isTaken && { files: "none" }) });
  }
  if (!walled) return permissionLines({ ...consent, enforced: false });
  const { network, files, programs: started } = granted ?? plugin.granted ?? grantsOf(consent);
  // Node's own permissions hold native plugins that may start none. Others start what they like where the walls allow it.
  const isHeld = limitsPrograms || plugin.runtime === "native";
  const third = isHeld ? starts(started, limitsPrograms) : programs({ ...consent, enforced: false });
  const namesHosts = hostSettingOf(plugin.declaration.configSchema) !== null;
  return [reach(network, namesHosts), access(files), third, ...grants(consent)];
}

function held(
  kind: PermissionLine["kind"],
  said: Said | Given,
  asks: boolean,
  names: readonly string[] = [],
): PermissionLine {
  const text = `permission.holds.${said}` as PermissionLine["text"];
  return { kind, text, asks, ...(names.length > 0 && { names: names.join(", ") }) };
}

/** @param namesHosts whether the settings of the plugin have a list of hosts, which counts as granted */
function reach({ reach: far, hosts }: Grants["network"], namesHosts: boolean): PermissionLine {
  switch (far) {
    case "none":
      return held("network", "networkNone", false);
    case "any":
      return held("network", "networkAny", true);
    case "hosts":
      return hosts.length > 0
        ? held("network", "networkGranted", true, hosts)
        : held("network", namesHosts ? "networkAsked" : "networkUnsaid", false);
  }
}

function access({ workspace, folders }: Grants["files"]): PermissionLine {
  const paths = folders.map(({ path }) => path);
  if (folders.some(({ path, access: may }) => path === "/" && may === "write"))
    return held("files", "filesAll", true);
  if (paths.length > 0)
    return held("files", workspace === "none" ? "filesFolders" : "filesMore", true, paths);
  switch (workspace) {
    case "none":
      return held("files", "filesNone", false);
    case "read":
      return held("files", "filesRead", true);
    case "write":
      return held("files", "filesWorkspace", true);
  }
}

function starts({ reach: far, names }: Grants["programs"], isLimited: boolean): PermissionLine {
  if (far === "named" && !isLimited) return held("subprocess", "subprocess", true);
  switch (far) {
    case "none":
      return held("subprocess", "subprocessNone", false);
    case "named":
      return names.length > 0
        ? held("subprocess", "programsNamed", true, names)
        : held("subprocess", "subprocessNone", false);
    case "any":
      return held("subprocess", "subprocess", true);
  }
}

function line(
  asks: Asks,
  kind: PermissionLine["kind"],
  said: Said,
  wants: boolean,
  names?: string[],
): PermissionLine {
  const text = `permission.${asks.enforced ? "holds" : "claims"}.${said}` as const;
  return { kind, text, asks: wants, ...(names && { names: names.join(", ") }) };
}

function network(asks: Asks): PermissionLine {
  const { hosts, enforced } = asks;
  if (hosts === null) return line(asks, "network", "networkUnsaid", !enforced);
  if (hosts === "any") return line(asks, "network", "networkAny", true);
  if (hosts.length === 0) return line(asks, "network", "networkNone", false);
  return line(asks, "network", "networkHosts", true, hosts);
}

function files(asks: Asks): PermissionLine {
  switch (asks.files) {
    case "all":
      return line(asks, "files", "filesAll", true);
    case "read":
      return line(asks, "files", "filesRead", true);
    case "workspace":
      return line(asks, "files", "filesWorkspace", true);
    case "none":
      return line(asks, "files", "filesNone", false);
    case null:
      return line(asks, "files", "filesUnsaid", !asks.enforced);
  }
}

function programs(asks: Asks): PermissionLine {
  switch (asks.programs) {
    case true:
      return line(asks, "subprocess", "subprocess", true);
    case false:
      return line(asks, "subprocess", "subprocessNone", false);
    case null:
      return line(asks, "subprocess", "subprocessUnsaid", !asks.enforced);
  }
}

function grants(asks: Asks): PermissionLine[] {
  if (asks.grants.length === 0) return [];
  const { keepsMb } = asks;
  const limit = keepsMb === undefined ? {} : { keepsMb };
  return [{ kind: "grants", text: "permission.grants", grants: asks.grants, ...limit, asks: true }];
}
