import type { Asks } from "../../contract/asks.ts";

export interface PermissionLine {
  kind: "network" | "files" | "subprocess" | "grants";
  /** A key of the catalogue. */
  text:
    | "permission.networkAny"
    | "permission.networkHosts"
    | "permission.networkNone"
    | "permission.networkUnsaid"
    | "permission.filesAll"
    | "permission.filesWorkspace"
    | "permission.filesNone"
    | "permission.filesUnsaid"
    | "permission.subprocess"
    | "permission.subprocessNone"
    | "permission.subprocessUnsaid"
    | "permission.grants";
  /** What is asked for by name: addresses, or grants of the plugin system. */
  names?: string;
  /** True when the plugin asks for it; false when it says that it does without. */
  asks: boolean;
}

/** What a plugin asks for, one line for each kind. Kinds that it does not declare get a line that says so. */
export function permissionLines(asks: Asks): PermissionLine[] {
  return [network(asks), files(asks), programs(asks), ...grants(asks)];
}

function network({ hosts }: Asks): PermissionLine {
  if (hosts === null) return { kind: "network", text: "permission.networkUnsaid", asks: true };
  if (hosts === "any") return { kind: "network", text: "permission.networkAny", asks: true };
  if (hosts.length === 0) return { kind: "network", text: "permission.networkNone", asks: false };
  return { kind: "network", text: "permission.networkHosts", names: hosts.join(", "), asks: true };
}

function files(asks: Asks): PermissionLine {
  switch (asks.files) {
    case "all":
      return { kind: "files", text: "permission.filesAll", asks: true };
    case "workspace":
      return { kind: "files", text: "permission.filesWorkspace", asks: true };
    case "none":
      return { kind: "files", text: "permission.filesNone", asks: false };
    case null:
      return { kind: "files", text: "permission.filesUnsaid", asks: true };
  }
}

function programs(asks: Asks): PermissionLine {
  switch (asks.programs) {
    case true:
      return { kind: "subprocess", text: "permission.subprocess", asks: true };
    case false:
      return { kind: "subprocess", text: "permission.subprocessNone", asks: false };
    case null:
      return { kind: "subprocess", text: "permission.subprocessUnsaid", asks: true };
  }
}

function grants(asks: Asks): PermissionLine[] {
  if (asks.grants.length === 0) return [];
  return [{ kind: "grants", text: "permission.grants", names: asks.grants.join(", "), asks: true }];
}
