import type { PluginAbout, PluginSource, Trust, Vouched } from "../../contract/index.ts";

/** Whose a package is and where it comes from, as rows of a label and a value. */
export function sourceRows(
  source: PluginSource,
  { publisher, trust }: { publisher: string | undefined; trust: Trust },
): [label: string, value: string][] {
  const { kind, spec, resolved, registry, integrity, treeHash, vouched, signatureUnchecked } = source;
  return [
    ["Publisher", publisherWords(vouched?.publisher, publisher, trust)],
    ["Trust", trust],
    [
      "Source",
      [`${kind}: ${resolved ?? spec}`, ...(registry === undefined ? [] : [`from ${registry}`])].join(" "),
    ],
    ["Integrity", integrity ?? treeHash ?? unchecked[kind === "link" ? "link" : "other"]],
    ...(signatureUnchecked ? ([["Signature", notChecked]] as [string, string][]) : []),
    ...(vouched ? vouchedRows(vouched) : []),
  ];
}

/** The pages outside that its author names, as rows of a label and an address. */
export function pageRows({
  homepage,
  about = {},
}: {
  homepage?: string | undefined;
  about?: Omit<PluginAbout, "screenshots"> | undefined;
}): [label: string, value: string][] {
  const { documentation, support, repository, privacyPolicies = [] } = about;
  const pages = {
    "Home page": homepage,
    Documentation: documentation,
    Support: support,
    "Its code": repository,
  };
  return [
    ...Object.entries(pages).flatMap(([label, page]): [string, string][] => (page ? [[label, page]] : [])),
    ...privacyPolicies.map((page): [string, string] => ["Privacy policy", page]),
  ];
}

const notChecked =
  "not checked: the bundle is signed, but Patchbay does not check such signatures, so it proves nothing";

const unchecked = {
  link: "not checked (a linked folder: whoever can write there decides what runs)",
  other: "none recorded by its source",
};

function publisherWords(vouched: string | undefined, said: string | undefined, trust: Trust): string {
  if (vouched !== undefined) return `${vouched} (verified by the registry)`;
  if (said === undefined) return "unknown";
  return trust === "built-in" ? said : `${said} (not verified: the package says so itself)`;
}

const signatures: Record<Vouched["signature"], string> = {
  verified: "verified: the registry vouches for this version",
  missing: "missing, although this registry signs its packages",
  no_keys: "none: this registry signs nothing",
  unchecked: "could not be checked: the registry's keys were not to be had",
};

function vouchedRows({ signature, provenance, withoutIntegrity, advisories }: Vouched): [string, string][] {
  const { status, repository } = provenance;
  const built = {
    verified: repository === undefined ? "could not be checked" : `${repository} (verified)`,
    missing: "unknown: the package brings no proof of its source",
    unchecked: "could not be checked",
  };
  const weaknesses =
    advisories === null
      ? "could not be checked: the registry does not answer that question"
      : advisories
          .map(({ severity, packageName, range, title }) => `${severity}: ${packageName} ${range}, ${title}`)
          .join("; ") || "none that the registry knows of";
  return [
    ["Signature", signatures[signature]],
    ["Built from", built[status]],
    ...(withoutIntegrity.length > 0
      ? ([["Without a checksum", withoutIntegrity.join(", ")]] as [string, string][])
      : []),
    ["Known weaknesses", weaknesses],
  ];
}
