import { join } from "node:path";
import type { FoundElsewhere } from "../runtime.ts";
import { discoverFlowly, type FlowlyLists, type FoundFlowly } from "./discovery/discover.ts";
import { flowlyLists } from "./discovery/lists.ts";
import { type FlowlyPlaces, flowlyPlaces } from "./discovery/places.ts";
import { said } from "./manifest/manifest-fields.ts";

/**
 * What an installation of Flowly has; nothing of it runs or is changed.
 * @param env says where it is: FLOWLY_HOME, HOME, PATH
 * @param cwd the folder whose plugins count as the project's, where the person opened that
 */
export async function foundByFlowly(env: NodeJS.ProcessEnv, cwd: string): Promise<FoundElsewhere> {
  const places = await flowlyPlaces(env, cwd);
  const { problem, ...lists } = await flowlyLists(places.home);
  const found = await discoverFlowly(places, lists);
  return { plugins: found.map((each) => described(each, lists)), places: foldersOf(places), problem };
}

function described(found: FoundFlowly, lists: FlowlyLists): FoundElsewhere["plugins"][number] {
  const { key, dirName, place, dir, manifest, status, theirs, reason, lostTo } = found;
  return {
    key,
    name: manifest?.name ?? dirName,
    version: said(manifest?.version),
    description: said(manifest?.description),
    place,
    dir,
    spec: dir,
    status,
    theirs,
    reason,
    ...(lostTo !== undefined && { lostTo }),
    enabledThere: isOn(found, lists),
  };
}

/** Whether the lists switch it on; what comes with Flowly is on unless it was switched off. */
function isOn({ key, dirName, place, manifest }: FoundFlowly, { enabled, disabled }: FlowlyLists): boolean {
  const names = [key, manifest?.name ?? dirName];
  if (names.some((name) => disabled.has(name))) return false;
  return place === "bundled" || names.some((name) => enabled.has(name));
}

function foldersOf({ bundled, home, project }: FlowlyPlaces): string[] {
  return [
    ...(bundled === null ? [] : [bundled]),
    join(home, "plugins"),
    ...(project === null ? [] : [join(project, ".flowly", "plugins")]),
  ];
}
