import type { Asks } from "../../contract/asks.ts";

type Said =
  | "networkAny"
  | "networkHosts"
  | "networkNone"
  | "networkUnsaid"
  | "filesAll"
  | "filesWorkspace"
  | "filesNone"
  | "filesUnsaid"
  | "subprocess"
  | "subprocessNone"
  | "subprocessUnsaid";

export interface PermissionLine {
  kind: "network" | "files" | "subprocess" | "grants";
  /** A key of the catalogue: what the plugin claims, or, where it is held to that, what holds. */
  text: `permission.${"claims" | "holds"}.${Said}` | "permission.grants";
  /** What is asked for by name: addresses, or grants of the plugin system. */
  names?: string;
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
  return [{ kind: "grants", text: "permission.grants", names: asks.grants.join(", "), asks: true }];
}
