import type {
  Asks,
  Capabilities,
  Declaration,
  Growth,
  GrowthKind,
  Plugin,
  PluginSource,
  SecretKey,
} from "../../../contract/index.ts";
import type { Inspection } from "../../runtimes/runtime.ts";

/** What a plugin offers and asks for, of one version or as one way of reading it tells. */
export type Offer = Pick<Inspection, "capabilities" | "consent" | "declaration">;

/** What a new version offers and asks for beyond the old one, and whether it is from another source. */
export function whatGrew(installed: Plugin, now: Inspection, source: PluginSource): Growth[] {
  return [...offeredBeyond(installed, now), ...movedSource(installed.source, source)];
}

/** What `after` offers and asks for beyond `before`. */
export function offeredBeyond(before: Offer, after: Offer): Growth[] {
  return [
    ...grownCapabilities(before.capabilities, after.capabilities),
    ...grownDeclaration(before.declaration, after.declaration),
    ...grownAsks(before.consent, after.consent),
  ];
}

function movedSource(before: PluginSource, source: PluginSource): Growth[] {
  if (before.kind !== source.kind) return [{ kind: "sourceKind", name: source.kind, detail: before.kind }];
  if (source.kind === "endpoint" && before.spec !== source.spec) {
    return [{ kind: "address", name: source.spec, detail: before.spec }];
  }
  if (source.kind === "git" && repositoryOf(before) !== repositoryOf(source)) {
    return [{ kind: "repository", name: repositoryOf(source), detail: repositoryOf(before) }];
  }
  if (source.kind === "npm" && before.registry !== source.registry) {
    return [{ kind: "registry", name: String(source.registry), detail: String(before.registry) }];
  }
  return [];
}

/** The repository's address with the plugin's folder in it, without the commit, which differs for each version. */
function repositoryOf(source: PluginSource): string {
  const [address = "", fragment = ""] = (source.resolved ?? source.spec).split("#");
  const [, folder] = /^[^:]*:(?!:)(.+)$/.exec(fragment) ?? [];
  return `${address.replace(/\.git$/, "")}${folder === undefined ? "" : `/${folder}`}`;
}

function grownCapabilities(before: Capabilities, after: Capabilities): Growth[] {
  const grown: Growth[] = [];
  if (after.tools && !before.tools) grown.push({ kind: "tools" });
  else if (after.tools?.namespace !== before.tools?.namespace && after.tools) {
    grown.push({
      kind: "namespace",
      ...(after.tools.namespace !== undefined && { name: `${after.tools.namespace}__…` }),
      ...(before.tools?.namespace !== undefined && { detail: `${before.tools.namespace}__…` }),
    });
  } else if (before.tools?.names && after.tools && !after.tools.names) {
    grown.push({ kind: "toolsUnnamed" });
  }
  if (after.channel && !before.channel) grown.push({ kind: "channel" });
  return [
    ...grown,
    ...added("tool", before.tools?.names, before.tools?.names && after.tools?.names),
    ...added("hook", before.hooks?.events, after.hooks?.events),
    ...added("command", before.commands?.names, after.commands?.names),
    ...added("skill", before.skills?.names, after.skills?.names),
    ...added("provider", before.providers?.names, after.providers?.names),
    ...added("shortcut", before.shortcuts?.names, after.shortcuts?.names),
  ];
}

function added(
  kind: GrowthKind,
  before: readonly string[] | undefined,
  after: readonly string[] = [],
): Growth[] {
  return after.filter((name) => !before?.includes(name)).map((name) => ({ kind, name }));
}

function grownDeclaration(before: Declaration, after: Declaration): Growth[] {
  const keysOf = ({ secretKeys }: Declaration) => secretKeys.map(({ key }) => key);
  return [
    ...added("secret", keysOf(before), keysOf(after)),
    ...before.secretKeys.flatMap((old) => {
      const now = after.secretKeys.find(({ key }) => key === old.key);
      return sentFurther(old, now);
    }),
    ...when("setup", after.hasSetup === true && !before.hasSetup),
    ...when(
      "requiredHooks",
      after.requiredHooks.some((event) => !before.requiredHooks.includes(event)),
    ),
  ];
}

/** Where the value of a secret comes to now and did not come before: the plugin itself, or further hosts. */
function sentFurther({ key, sentOnlyTo: before }: SecretKey, after: SecretKey | undefined): Growth[] {
  if (!before) return [];
  // One that is not declared any more can still be referred to by the settings.
  if (!after?.sentOnlyTo) return [{ kind: "secretItself", name: key }];
  return after.sentOnlyTo
    .filter((host) => !before.includes(host))
    .map((host) => ({ kind: "secretTo", name: key, detail: host }));
}

function when(kind: GrowthKind, grown: boolean): Growth[] {
  return grown ? [{ kind }] : [];
}

/**
 * What a new version asks for beyond the old one. An undeclared plugin may do anything, so a version that no longer
 * declares asks for more.
 */
function grownAsks(before: Asks, after: Asks): Growth[] {
  const isNew = ({ name, command }: Asks["scripts"][number]) =>
    !before.scripts.some((old) => old.name === name && old.command === command);
  return [
    ...(before.declared ? grownReach(before, after) : []),
    ...added("leave", before.grants, after.grants),
    ...when("unenforced", before.enforced && !after.enforced),
    ...after.scripts
      .filter(isNew)
      .map(({ name, command }): Growth => ({ kind: "script", name, detail: command })),
    ...movedStart(before.starts?.command, after.starts?.command),
  ];
}

/** A version that stands in a command line is another one each time, and no news. */
function movedStart(before: string | undefined, now: string | undefined): Growth[] {
  const plain = (command: string) => command.replace(/@sha256:[0-9a-f]+|(?:[@:]|==)v?\d[\w.!+-]*/g, "");
  if (before === undefined || now === undefined || plain(before) === plain(now)) return [];
  return [{ kind: "start", name: now, detail: before }];
}

function grownReach(before: Asks, after: Asks): Growth[] {
  if (!after.declared) return when("undeclared", !after.enforced);
  const reach = ["none", "read", "workspace", "all"];
  const moreFiles = reach.indexOf(after.files ?? "none") > reach.indexOf(before.files ?? "none");
  return [
    ...grownHosts(before.hosts, after.hosts),
    ...when(grownFiles(after.files), moreFiles),
    ...when("programs", after.programs === true && !before.programs),
    ...unsaid(before, after),
  ];
}

function grownFiles(files: Asks["files"]): "allFiles" | "workspace" | "workspaceRead" {
  if (files === "all") return "allFiles";
  return files === "read" ? "workspaceRead" : "workspace";
}

/** What was declared and is left open now. That is no more than before where everything undeclared is prevented. */
function unsaid(before: Asks, after: Asks): Growth[] {
  if (after.enforced) return [];
  const limitedFiles = before.files !== null && before.files !== "all";
  return [
    ...when("hostsUnsaid", Array.isArray(before.hosts) && after.hosts === null),
    ...when("filesUnsaid", limitedFiles && after.files === null),
    ...when("programsUnsaid", before.programs === false && after.programs === null),
  ];
}

function grownHosts(before: Asks["hosts"], after: Asks["hosts"]): Growth[] {
  if (before === "any" || after === null) return [];
  if (after === "any") return [{ kind: "anyHost" }];
  return added("host", before ?? undefined, after);
}
