import { join } from "node:path";
import type { FoundElsewhere } from "../runtime.ts";
import { discoverDirge, type FoundDirge } from "./discovery/discover.ts";
import { dirgeLists } from "./discovery/lists.ts";
import { dirgePlaces } from "./discovery/places.ts";

/**
 * What an installation of dirge has; nothing of it runs or is changed.
 * @param env says where it is: DIRGE_CONFIG_DIR, XDG_CONFIG_HOME, HOME, DIRGE_PROJECT_ROOT
 * @param cwd the folder whose project counts as the one that the person works in
 */
export async function foundByDirge(env: NodeJS.ProcessEnv, cwd: string): Promise<FoundElsewhere> {
  const places = await dirgePlaces(env, cwd);
  const lists = await dirgeLists(places.home);
  const found = await discoverDirge(places, lists.of);
  return {
    plugins: found.map(described),
    places: [join(places.home, "plugins"), join(places.project, ".dirge", "plugins")],
    problem: lists.problem,
  };
}

function described(found: FoundDirge): FoundElsewhere["plugins"][number] {
  const { id, place, path, status, theirs, reason, lostTo, settings } = found;
  return {
    key: id,
    name: id,
    version: "",
    description: "",
    place,
    dir: path,
    spec: path,
    status,
    theirs,
    reason,
    ...(lostTo !== undefined && { lostTo }),
    enabledThere: settings.enabled,
  };
}
