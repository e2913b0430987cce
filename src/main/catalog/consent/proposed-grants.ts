import { type Asks, type Grants, grantsOf } from "../../../contract/index.ts";

/**
 * What a plugin is granted when the person agrees to what it asks for. What they did not grant to the installed version
 * is not proposed again.
 */
export function proposedGrants(
  asks: Asks,
  installed: { consent: Asks; granted?: Grants | undefined } | undefined,
): Grants {
  const asked = grantsOf(asks);
  if (!installed?.granted) return asked;
  const before = grantsOf(installed.consent);
  const kept = installed.granted;
  const denied = new Set(before.network.hosts.filter((host) => !kept.network.hosts.includes(host)));
  return {
    network: {
      reach: sameUnlessDenied(asked.network.reach, before.network.reach, kept.network.reach),
      hosts: asked.network.hosts.filter((host) => !denied.has(host)),
      refused: kept.network.refused,
    },
    files: {
      workspace: sameUnlessDenied(asked.files.workspace, before.files.workspace, kept.files.workspace),
      folders:
        asked.files.folders.length === before.files.folders.length ? kept.files.folders : asked.files.folders,
    },
    programs: asked.programs.reach === before.programs.reach ? kept.programs : asked.programs,
  };
}

/** What is asked for, unless the same was asked for before and the person decided otherwise. */
function sameUnlessDenied<Reach>(asked: Reach, before: Reach, kept: Reach): Reach {
  return asked === before ? kept : asked;
}
