import type { TFunction } from "i18next";
import type { PermissionLine } from "./permission-lines.ts";

/** The grants of fledge by the words that the core has for them; other systems name their own. */
const known = {
  store: "permission.grant.store",
  metadata: "permission.grant.metadata",
  network: "permission.grant.network",
  "network (which WebAssembly plugins do not have)": "permission.grant.networkless",
  "files of the project": "permission.grant.project",
  "files of its own folder": "permission.grant.folder",
} as const;

/** A line of what a plugin asks for, or what holds of it, as a sentence of the screen's language. */
export function permissionWords({ text, names = "", grants, keepsMb }: PermissionLine, t: TFunction): string {
  if (grants === undefined) return t(text, { names });
  const named = grants.map((grant) => {
    if (grant === "files of its own folder" && keepsMb !== undefined)
      return t("permission.grant.kept", { megabytes: keepsMb });
    return isKnown(grant) ? t(known[grant]) : grant;
  });
  return t(text, { names: named.join(", ") });
}

function isKnown(grant: string): grant is keyof typeof known {
  return Object.hasOwn(known, grant);
}
