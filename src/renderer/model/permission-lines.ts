import type { Permissions } from "../../contract/plugin.ts";

export interface PermissionLine {
  kind: "network" | "files" | "subprocess";
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
    | "permission.subprocessUnsaid";
  hosts?: string;
  /** It asks for something, rather than doing without. */
  asks: boolean;
}

/** What a plugin asks for, one line a kind; what it does not declare is said too. */
export function permissionLines(permissions: Permissions | null): PermissionLine[] {
  return [network(permissions), files(permissions), subprocess(permissions)];
}

function network(permissions: Permissions | null): PermissionLine {
  const wanted = permissions?.network;
  if (wanted === undefined) return { kind: "network", text: "permission.networkUnsaid", asks: true };
  if (wanted === true) return { kind: "network", text: "permission.networkAny", asks: true };
  if (wanted.length === 0) return { kind: "network", text: "permission.networkNone", asks: false };
  return { kind: "network", text: "permission.networkHosts", hosts: wanted.join(", "), asks: true };
}

function files(permissions: Permissions | null): PermissionLine {
  switch (permissions?.files) {
    case "all":
      return { kind: "files", text: "permission.filesAll", asks: true };
    case "workspace":
      return { kind: "files", text: "permission.filesWorkspace", asks: true };
    case "none":
      return { kind: "files", text: "permission.filesNone", asks: false };
    default:
      return { kind: "files", text: "permission.filesUnsaid", asks: true };
  }
}

function subprocess(permissions: Permissions | null): PermissionLine {
  switch (permissions?.subprocess) {
    case true:
      return { kind: "subprocess", text: "permission.subprocess", asks: true };
    case false:
      return { kind: "subprocess", text: "permission.subprocessNone", asks: false };
    default:
      return { kind: "subprocess", text: "permission.subprocessUnsaid", asks: true };
  }
}
