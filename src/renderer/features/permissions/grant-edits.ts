import type { Grants } from "../../../contract/grants.ts";
import type { GrantStep } from "../../../contract/permissions/compared.ts";

type Network = Grants["network"];

export function withNetwork(grants: Grants, network: Partial<Network>): Grants {
  return { ...grants, network: { ...grants.network, ...network } };
}

export function withFiles(grants: Grants, files: Partial<Grants["files"]>): Grants {
  return { ...grants, files: { ...grants.files, ...files } };
}

export function withPrograms(grants: Grants, programs: Partial<Grants["programs"]>): Grants {
  return { ...grants, programs: { ...grants.programs, ...programs } };
}

/** @param may whether it may ask the agent's model */
export function withModel({ model: _before, ...others }: Grants, may: boolean): Grants {
  return may ? { ...others, model: true } : others;
}

export function withFolder(grants: Grants, path: string, access: "read" | "write" | null): Grants {
  const others = grants.files.folders.filter((folder) => folder.path !== path);
  const at = grants.files.folders.findIndex((folder) => folder.path === path);
  if (access === null) return withFiles(grants, { folders: others });
  return withFiles(grants, { folders: others.toSpliced(at < 0 ? others.length : at, 0, { path, access }) });
}

/** Allowed from now on, also where nothing was reached before. */
export function allowHost(grants: Grants, host: string): Grants {
  const { network } = grants;
  return withNetwork(grants, {
    reach: network.reach === "none" ? "hosts" : network.reach,
    hosts: [...new Set([...network.hosts, host])],
    refused: network.refused.filter((each) => each !== host),
  });
}

/** Grants with one thing more: a step that something asked for would need. */
export function withStep(grants: Grants, step: GrantStep): Grants {
  switch (step.of) {
    case "host":
      return allowHost(grants, step.name);
    case "reach":
      return withNetwork(grants, { reach: step.reach });
    case "refusal":
      return withNetwork(grants, { refused: grants.network.refused.filter((each) => each !== step.name) });
    case "workspace":
      return withFiles(grants, { workspace: step.access });
    case "folder":
      return withFolder(grants, step.path, step.access);
    case "program":
      return withPrograms(grants, { reach: "named", names: [...grants.programs.names, step.name] });
    case "programs":
      return withPrograms(grants, { reach: step.reach });
    case "model":
      return withModel(grants, true);
  }
}

/**
 * The host that a refused attempt was about, as it is granted: names without their port, which people do not know;
 * addresses and this computer with it, because other programs answer at other ports.
 */
export function hostOfAttempt(target: string): string {
  const [, host = target, port] = /^(.*):(\d{1,5})$/.exec(target) ?? [];
  const isAddress = /^[\d.]+$/.test(host) || host.includes(":");
  if (!isAddress && host !== "localhost") return host;
  const name = host.includes(":") ? `[${host.replace(/^\[|\]$/g, "")}]` : host;
  return port === undefined ? name : `${name}:${port}`;
}

/** Whether a text can stand in a list of hosts. */
export function isHostRule(text: string): boolean {
  return /^(\*\.)?([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(:\d{1,5})?$/.test(text) && text.length <= 260;
}
