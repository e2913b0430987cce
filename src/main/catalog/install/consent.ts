import type { Asks, Capabilities, Consent, Plugin, PluginSource, Trust } from "../../../contract/index.ts";
import type { Inspection } from "../../runtimes/runtime.ts";

export interface ConsentFacts {
  inspection: Inspection;
  enforcement: string;
  trust: Trust;
  /** A reason against installing it, which the person may accept; null when there is none. */
  risk?: string | null;
  source: PluginSource;
  publisher: string | undefined;
  hasScripts: boolean;
  installed: Plugin | undefined;
}

/** Makes the question of consent: what the plugin asks for, and for an update what is new. */
export function consentFor(facts: ConsentFacts): Consent {
  const { inspection, installed } = facts;
  const publisher = facts.publisher ?? inspection.declaration.publisher;
  return {
    packageName: inspection.packageName,
    packageVersion: inspection.packageVersion,
    manifestKey: inspection.manifestKey,
    displayName: inspection.displayName,
    description: inspection.description,
    runtime: inspection.runtime,
    trust: facts.trust,
    ...(publisher && { publisher }),
    source: facts.source,
    capabilities: inspection.capabilities,
    asks: inspection.consent,
    hasScripts: facts.hasScripts,
    ...(facts.risk && { risk: facts.risk }),
    enforcement: facts.enforcement,
    warnings: inspection.warnings,
    changes: installed ? whatGrew(installed, facts) : [],
    ...(installed && { replaces: installed.packageVersion }),
  };
}

/**
 * Whether the person must be asked: always for a first installation; for an update only when it asks for more than
 * before or comes from another source.
 */
export function needsConsent(consent: Consent): boolean {
  return consent.replaces === undefined || consent.changes.length > 0;
}

function whatGrew(installed: Plugin, facts: ConsentFacts): string[] {
  const { inspection, source } = facts;
  const changes = [
    ...grownCapabilities(installed.capabilities, inspection.capabilities),
    ...grownAsks(installed.consent, inspection.consent),
  ];
  if (installed.source.kind !== source.kind) {
    changes.push(
      `It comes from another kind of source: ${sourceWords[source.kind]}, before ${sourceWords[installed.source.kind]}.`,
    );
  } else if (source.kind === "endpoint" && installed.source.spec !== source.spec) {
    changes.push(`It is at another address: ${source.spec}, before ${installed.source.spec}.`);
  } else if (source.kind === "git" && repositoryOf(installed.source) !== repositoryOf(source)) {
    changes.push(
      `It comes from another repository: ${repositoryOf(source)}, before ${repositoryOf(installed.source)}.`,
    );
  } else if (source.kind === "npm" && installed.source.registry !== source.registry) {
    changes.push(`It comes from another registry: ${source.registry}, before ${installed.source.registry}.`);
  }
  return changes;
}

/** The repository's address without the commit, which differs for each version. */
function repositoryOf(source: PluginSource): string {
  return (source.resolved ?? source.spec).replace(/#.*$/, "").replace(/\.git$/, "");
}

const sourceWords: Record<PluginSource["kind"], string> = {
  npm: "a package registry",
  tarball: "a package file",
  folder: "a copied folder",
  link: "a linked folder",
  git: "a git repository",
  builtin: "Patchbay itself",
  endpoint: "an address",
};

function grownCapabilities(before: Capabilities, after: Capabilities): string[] {
  const changes: string[] = [];
  if (after.tools && !before.tools) changes.push("It now offers tools.");
  if (after.channel && !before.channel) changes.push("It now is a chat channel.");
  const lists = [
    ["hooks into", before.hooks?.events, after.hooks?.events],
    ["adds the command", before.commands?.names, after.commands?.names],
    ["adds the skill", before.skills?.names, after.skills?.names],
    ["adds the model provider", before.providers?.names, after.providers?.names],
    ["adds the shortcut", before.shortcuts?.names, after.shortcuts?.names],
  ] as const;
  for (const [verb, old, now] of lists) {
    for (const name of now ?? []) if (!old?.includes(name)) changes.push(`It now ${verb} ${name}.`);
  }
  return changes;
}

/**
 * Sentences about what a new version asks for beyond the old one. An undeclared plugin may do anything, so a version
 * that no longer declares asks for more.
 */
function grownAsks(before: Asks, after: Asks): string[] {
  return [
    ...(before.declared ? grownReach(before, after) : []),
    ...after.grants
      .filter((name) => !before.grants.includes(name))
      .map((name) => `It now wants leave for: ${name}.`),
    ...(before.enforced && !after.enforced ? ["Nothing holds it to what it declares any more."] : []),
    ...after.scripts
      .filter(
        ({ name, command }) => !before.scripts.some((old) => old.name === name && old.command === command),
      )
      .map(({ name, command }) => `It now runs at installation: ${command} (${name}).`),
  ];
}

function grownReach(before: Asks, after: Asks): string[] {
  if (!after.declared) return ["It no longer says what it needs permission for."];
  const changes = grownHosts(before.hosts, after.hosts);
  const reach = ["none", "workspace", "all"];
  if (reach.indexOf(after.files ?? "none") > reach.indexOf(before.files ?? "none")) {
    changes.push(
      after.files === "all" ? "It now wants all files." : "It now wants the files of the workspace.",
    );
  }
  if (after.programs && !before.programs) changes.push("It now wants to start other programs.");
  return changes;
}

function grownHosts(before: Asks["hosts"], after: Asks["hosts"]): string[] {
  if (before === "any" || after === null) return [];
  if (after === "any") return ["It now wants to reach any address on the network."];
  return after.filter((host) => !before?.includes(host)).map((host) => `It now wants to reach ${host}.`);
}
