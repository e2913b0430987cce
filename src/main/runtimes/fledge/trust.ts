import type { SourceKind, Trust } from "../../../contract/index.ts";
import type { Inspection, Risk } from "../runtime.ts";
import { detailsOf } from "./details.ts";

const teamOwners = ["0xgaspar", "0xleif", "kyntrin", "tofu-ux"];

/**
 * fledge's level of trust, computed from the source of a plugin. It says who the plugin comes from, not what it may do.
 * Null for sources that have no owner.
 *
 * @param team further owners that count as the person's own team, whatever their case
 */
export function fledgeTrust(
  source: { kind: SourceKind; spec: string; resolved?: string },
  team: readonly string[],
): Trust | null {
  if (source.kind !== "git") return null;
  const owner = githubOwner(source.resolved ?? source.spec);
  if (owner === null) return "unverified";
  if (owner === "CorvidLabs" || owner === "corvidlabs") return "official";
  const known = [...teamOwners, ...team.map((name) => name.toLowerCase())];
  return known.includes(owner.toLowerCase()) ? "team" : "unverified";
}

/**
 * The owner in an address of github.com; null for other hosts, and for an address in a form that could hide another
 * owner.
 */
function githubOwner(address: string): string | null {
  const path = /^(?:https:\/\/github\.com\/|git@github\.com:)([^?#]*)/.exec(address)?.[1];
  const segments = path?.split("/").filter((segment) => segment !== "") ?? [];
  if (segments.length !== 2) return null;
  let decoded: string[];
  try {
    decoded = segments.map(decodeURIComponent);
  } catch {
    return null;
  }
  if (decoded.some((segment) => segment === "." || segment === ".." || /[/\\]/.test(segment))) return null;
  return segments[0] ?? null;
}

/** fledge refuses unknown plugins that ask for programs or the network; here the person may take that risk. */
export function fledgeRisk(inspection: Inspection, trust: Trust): Risk | null {
  const grants = detailsOf(inspection.declaration).grants;
  if (trust !== "unverified" || !(grants.exec || grants.network)) return null;
  const wants: Risk["wants"] = [
    ...(grants.exec ? (["programs"] as const) : []),
    ...(grants.network ? (["network"] as const) : []),
  ];
  const asked = wants.map((want) => (want === "programs" ? "leave to start programs" : "the network"));
  return {
    sentence: `Nobody known vouches for ${inspection.displayName}, and it asks for ${asked.join(" and ")}. fledge refuses such plugins.`,
    wants,
  };
}
