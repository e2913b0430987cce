import type { Permissions } from "../../../../contract/index.ts";
import type { Fact } from "../../manifest-fact.ts";
import type { ManifestProblems } from "../../manifest-problems.ts";
import type { ManifestReader } from "./manifest-reader.ts";

/** The permissions that the manifest declares, which are shown for consent; null when it declares none. */
export function readPermissions(manifest: ManifestReader, problems: ManifestProblems): Permissions | null {
  const declared = manifest.optionalObject("permissions");
  if (!declared) return null;
  const network = readNetwork(declared, problems);
  const files = readFiles(declared, problems);
  const subprocess = declared.optionalFlag("subprocess");
  return {
    ...(network !== undefined && { network }),
    ...(files !== undefined && { files }),
    ...(subprocess !== undefined && { subprocess }),
  };
}

function readNetwork(declared: ManifestReader, problems: ManifestProblems): Permissions["network"] {
  const fact = declared.field("network");
  if (fact.kind === "absent") return undefined;
  // Authors may write `false` for "no network"; in the contract that is an empty list.
  if (fact.kind === "flag") return fact.value ? true : [];
  const hosts = fact.kind === "list" ? fact.items.map(textOf) : [undefined];
  if (hosts.every((host) => host !== undefined)) return hosts;
  problems.expected(declared.at("network"), "a list of host names, or true for any", fact);
  return undefined;
}

function readFiles(declared: ManifestReader, problems: ManifestProblems): Permissions["files"] {
  const fact = declared.field("files");
  if (fact.kind === "absent") return undefined;
  const value = textOf(fact);
  if (value === "none" || value === "workspace" || value === "all") return value;
  problems.expected(declared.at("files"), 'one of "none", "workspace" and "all"', fact);
  return undefined;
}

function textOf(fact: Fact): string | undefined {
  return fact.kind === "text" && fact.value !== "" ? fact.value : undefined;
}
