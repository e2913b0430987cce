import type { Asks, Consent, FirstLook } from "../../contract/index.ts";
import { askedRows } from "./asked-words.ts";
import { pageRows, sourceRows } from "./source-words.ts";
import { capabilityText } from "./words.ts";

/** What is known of a package that only its code can describe. */
export function describeFirstLook(look: FirstLook): string {
  return [
    "",
    `${look.packageName} ${look.packageVersion} does not say in its files what it is.`,
    ...sourceLines(look),
    look.walled
      ? "  Patchbay has to start it, walled in, to see what it is: with no network, no files but its own, no programs."
      : "  Patchbay has to start it to see what it is. Nothing walls it in on this machine: it can do meanwhile what you can.",
    "  Its own scripts do not run for that. You are asked again before it is installed.",
  ].join("\n");
}

function sourceLines({
  source,
  publisher,
  trust,
}: Pick<Consent, "source" | "publisher" | "trust">): string[] {
  return sourceRows(source, { publisher, trust }).map(([label, value]) => `  ${label}: ${value}`);
}

/** What the code of a package offers beyond what was shown of it. */
export function describeMore(consent: Consent): string {
  return [
    "",
    `${consent.displayName} offers more than it says of itself:`,
    ...consent.changes.map((change) => `  More: ${change}`),
  ].join("\n");
}

/** Everything to know before agreeing to an installation. An update says first what it replaces, and what is new. */
export function describeConsent(consent: Consent): string {
  const { grants, scripts } = consent.asks;
  return [
    "",
    `${consent.displayName} ${consent.packageVersion} (${consent.packageName})`,
    consent.replaces !== undefined && `  ${replacedWords(consent, consent.replaces)}`,
    `  ${consent.description}`,
    ...sourceLines(consent),
    ...pageRows(consent).map(([label, value]) => `  ${label}: ${value}`),
    `  It can: ${capabilityText(consent.capabilities)}`,
    ...reachLines(consent.asks).map((line) => `  ${line}`),
    grants.length > 0 && `  It also asks for: ${grants.join(", ")}`,
    ...askedRows(consent.asks).map(([label, value]) => `  ${label}: ${value}`),
    ...consent.secrets.map((secret) => `  Secret: ${secretWords(secret, consent.asks.enforced)}`),
    consent.inheritance && `  ${leftBehind(consent.inheritance)}`,
    consent.hasScripts &&
      "  It wants to run scripts at installation; they run only if you allow it (--allow-scripts).",
    ...scripts.map(({ name, command }) => `    ${name}: ${command}`),
    consent.risk && `  Risk: ${consent.risk}`,
    ...consent.changes.map((change) => `  New: ${change}`),
    ...consent.warnings.map((warning) => `  Note: ${warning}`),
    `  ${consent.enforcement}`,
  ]
    .filter((line) => typeof line === "string")
    .join("\n");
}

function replacedWords(consent: Consent, replaces: string): string {
  if (consent.takesPlaceOf) {
    const { displayName, packageName } = consent.takesPlaceOf;
    return `It takes the place of another plugin: ${displayName} ${replaces} (${packageName}).`;
  }
  const words = `${consent.packageVersion} replaces ${replaces}`;
  return consent.changes.length === 0 ? `${words}; it asks for nothing more.` : `${words}; it asks for more:`;
}

function leftBehind({ packageName, settings, rules, secrets }: NonNullable<Consent["inheritance"]>): string {
  const left = [
    settings > 0 && `settings for ${settings} ${settings === 1 ? "agent" : "agents"}`,
    rules > 0 && `${rules} ${rules === 1 ? "rule" : "rules"} or answers “always”`,
    secrets.length > 0 && `secrets (${secrets.join(", ")})`,
  ].filter((part) => typeof part === "string");
  return `Another package, ${packageName}, had this key and left ${left.join(", ")}. This one gets nothing of it, unless you say so.`;
}

function secretWords(
  { key, label, optional, alsoNamedBy, sentOnlyTo }: Consent["secrets"][number],
  enforced: boolean,
): string {
  const named = label === key ? key : `${label} (${key})`;
  const others = alsoNamedBy.length > 0 ? `, which ${alsoNamedBy.join(" and ")} also names` : "";
  const way = sentOnlyTo ? whoGetsIt(sentOnlyTo.join(", "), enforced) : "";
  return `${named}${optional ? ", if you give it one" : ""}${others}${way}`;
}

function whoGetsIt(hosts: string, enforced: boolean): string {
  return enforced
    ? `. Patchbay puts it in on the way to ${hosts}; the plugin never sees it`
    : `. It is meant for ${hosts} alone, but nothing walls plugins in here: the plugin gets it itself`;
}

/** What a plugin reaches: in its own words where nothing holds it to them, as facts where something does. */
export function reachLines(asks: Asks): string[] {
  return asks.enforced ? held(asks) : claimed(asks);
}

function claimed({ hosts, files, programs }: Asks): string[] {
  const network =
    hosts === null
      ? "It does not say what it reaches on the network."
      : hosts === "any"
        ? "It says that it reaches any address on the network."
        : hosts.length === 0
          ? "It says that it does not use the network."
          : `It says that it reaches: ${hosts.join(", ")}`;
  const folders = {
    none: "It says that it does not touch files.",
    read: "It says that it reads files in the workspace and changes nothing.",
    workspace: "It says that it reads and writes files in the workspace.",
    all: "It says that it reads and writes files anywhere.",
  };
  return [
    network,
    files === null ? "It does not say which files it touches." : folders[files],
    programs === null
      ? "It does not say whether it starts other programs."
      : `It says that it starts ${programs ? "other programs" : "no other programs"}.`,
  ];
}

function held({ hosts, files, programs }: Asks): string[] {
  const network =
    hosts === null
      ? "It names no hosts; you are asked about each one that it wants to reach."
      : hosts === "any"
        ? "It can reach every host on the internet; you are asked about this computer and your local network."
        : hosts.length === 0
          ? "It cannot reach the network."
          : `It can reach these hosts, and you are asked about any other: ${hosts.join(", ")}`;
  const folders = {
    none: "It cannot reach your files.",
    read: "It can read files in the workspace, and change nothing.",
    workspace: "It can read and write files in the workspace, and nowhere else.",
    all: "It can read and write files anywhere but in Patchbay's own folder.",
  };
  return [network, folders[files ?? "none"], `It ${programs ? "can" : "cannot"} start other programs.`];
}
