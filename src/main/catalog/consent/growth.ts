import type {
  Asks,
  Capabilities,
  Declaration,
  Plugin,
  PluginSource,
  SecretKey,
} from "../../../contract/index.ts";
import type { Inspection } from "../../runtimes/runtime.ts";

/** What a plugin offers and asks for, of one version or as one way of reading it tells. */
export type Offer = Pick<Inspection, "capabilities" | "consent" | "declaration">;

/** Sentences about what a new version offers and asks for beyond the old one, and about another source. */
export function whatGrew(installed: Plugin, now: Inspection, source: PluginSource): string[] {
  return [...offeredBeyond(installed, now), ...movedSource(installed.source, source)];
}

/** Sentences about what `after` offers and asks for beyond `before`. */
export function offeredBeyond(before: Offer, after: Offer): string[] {
  return [
    ...grownCapabilities(before.capabilities, after.capabilities),
    ...grownDeclaration(before.declaration, after.declaration),
    ...grownAsks(before.consent, after.consent),
  ];
}

function movedSource(before: PluginSource, source: PluginSource): string[] {
  if (before.kind !== source.kind) {
    return [
      `It comes from another kind of source: ${sourceWords[source.kind]}, before ${sourceWords[before.kind]}.`,
    ];
  }
  if (source.kind === "endpoint" && before.spec !== source.spec) {
    return [`It is at another address: ${source.spec}, before ${before.spec}.`];
  }
  if (source.kind === "git" && repositoryOf(before) !== repositoryOf(source)) {
    return [`It comes from another repository: ${repositoryOf(source)}, before ${repositoryOf(before)}.`];
  }
  if (source.kind === "npm" && before.registry !== source.registry) {
    return [`It comes from another registry: ${source.registry}, before ${before.registry}.`];
  }
  return [];
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
  else if (after.tools?.namespace !== before.tools?.namespace && after.tools) {
    changes.push(
      `Its tools now have other names: ${namesOf(after.tools.namespace)}, before ${namesOf(before.tools?.namespace)}.`,
    );
  } else if (before.tools?.names && after.tools && !after.tools.names) {
    changes.push("It no longer says which tools it offers.");
  }
  if (after.channel && !before.channel) changes.push("It now is a chat channel.");
  const lists = [
    ["offers the tool", before.tools?.names, before.tools?.names && after.tools?.names],
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

function namesOf(namespace: string | undefined): string {
  return namespace === undefined ? "any" : `${namespace}__…`;
}

function grownDeclaration(before: Declaration, after: Declaration): string[] {
  const known = new Set(before.secretKeys.map(({ key }) => key));
  return [
    ...after.secretKeys
      .filter(({ key }) => !known.has(key))
      .map(({ key }) => `It now wants the secret ${key}.`),
    ...before.secretKeys.flatMap((old) =>
      sentFurther(
        old,
        after.secretKeys.find(({ key }) => key === old.key),
      ),
    ),
    ...(after.hasSetup && !before.hasSetup ? ["It now brings a setup of its own."] : []),
    ...(after.requiredHooks.some((event) => !before.requiredHooks.includes(event))
      ? ["While it does not run, what it would check is now refused."]
      : []),
  ];
}

/** Where the value of a secret comes to now and did not come before: the plugin itself, or further hosts. */
function sentFurther({ key, sentOnlyTo: before }: SecretKey, after: SecretKey | undefined): string[] {
  if (!before) return [];
  // One that is not declared any more can still be referred to by the settings.
  if (!after?.sentOnlyTo) return [`It now gets the secret ${key} itself, which Patchbay put in before.`];
  return after.sentOnlyTo
    .filter((host) => !before.includes(host))
    .map((host) => `The secret ${key} is now also sent to ${host}.`);
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
  if (!after.declared) return after.enforced ? [] : ["It no longer says what it needs permission for."];
  const changes = grownHosts(before.hosts, after.hosts);
  const reach = ["none", "workspace", "all"];
  if (reach.indexOf(after.files ?? "none") > reach.indexOf(before.files ?? "none")) {
    changes.push(
      after.files === "all" ? "It now wants all files." : "It now wants the files of the workspace.",
    );
  }
  if (after.programs && !before.programs) changes.push("It now wants to start other programs.");
  return [...changes, ...unsaid(before, after)];
}

/** What was declared and is left open now. That is no more than before where everything undeclared is prevented. */
function unsaid(before: Asks, after: Asks): string[] {
  if (after.enforced) return [];
  const limited = {
    hosts: Array.isArray(before.hosts),
    files: before.files === "none" || before.files === "workspace",
  };
  return [
    ...(limited.hosts && after.hosts === null ? ["It no longer says what it reaches on the network."] : []),
    ...(limited.files && after.files === null ? ["It no longer says which files it touches."] : []),
    ...(before.programs === false && after.programs === null
      ? ["It no longer says whether it starts other programs."]
      : []),
  ];
}

function grownHosts(before: Asks["hosts"], after: Asks["hosts"]): string[] {
  if (before === "any" || after === null) return [];
  if (after === "any") return ["It now wants to reach any address on the network."];
  return after.filter((host) => !before?.includes(host)).map((host) => `It now wants to reach ${host}.`);
}
