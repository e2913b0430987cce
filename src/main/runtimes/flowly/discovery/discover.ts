import { join } from "node:path";
import type { FlowlyManifest } from "../manifest/read-manifest.ts";
import type { FlowlyPlaces } from "./places.ts";
import { type Candidate, type Place, scan } from "./scan.ts";

export type FlowlyStatus = "enabled" | "disabled" | "available" | "error" | "unsupported" | "overridden";

/** A plugin that stands in one of Flowly's places, and what Flowly would do with it. */
export interface FoundFlowly {
  /** `kelp`, or `image_gen/openai` for one of a category. Of a broken manifest: the folder's name. */
  key: string;
  dirName: string;
  place: Place;
  dir: string;
  /** Null when it is broken or missing. */
  manifest: FlowlyManifest | null;
  status: FlowlyStatus;
  /** Flowly's own words about it: the reason in its list, or its log's text. Null when it would be loaded. */
  theirs: string | null;
  /** The same as a sentence for a person. */
  reason: string | null;
  /** The folder of the plugin that stands in its place, for one that is `overridden`. */
  lostTo?: string;
}

export interface FlowlyLists {
  enabled: ReadonlySet<string>;
  disabled: ReadonlySet<string>;
}

/**
 * All plugins of the three places in the order in which Flowly loads them; nothing of them runs. One that replaces
 * another of its key stands in the other's slot, followed by what it replaced. One that is not enabled replaces nothing.
 */
export async function discoverFlowly(places: FlowlyPlaces, lists: FlowlyLists): Promise<FoundFlowly[]> {
  const roots: [Place, string | null][] = [
    ["bundled", places.bundled],
    ["user", join(places.home, "plugins")],
    ["project", places.project === null ? null : join(places.project, ".flowly", "plugins")],
  ];
  const slots = new Map<string, Candidate[]>();
  const budget = { left: MOST_FOLDERS };
  for (const [place, root] of roots) {
    if (root === null) continue;
    for (const candidate of await scan(root, place, budget)) {
      const slot = candidate.manifest === null ? `broken ${candidate.dir}` : `key ${candidate.key}`;
      slots.set(slot, [...(slots.get(slot) ?? []), candidate]);
    }
  }
  return [...slots.values()].flatMap((candidates) => judged(candidates, lists));
}

const MOST_FOLDERS = 10_000;

/** What becomes of the plugins of one key, the winner first. `candidates` come in the order of the places. */
function judged(candidates: readonly Candidate[], lists: FlowlyLists): FoundFlowly[] {
  const winner = candidates.findLast((each) => isListed(each, lists)) ?? candidates.at(-1);
  if (!winner) return [];
  const below = candidates.filter((each) => each !== winner).toReversed();
  return [
    { ...plain(winner), ...filtered(winner, lists) },
    ...below.map((each): FoundFlowly => {
      const own = filtered(each, lists);
      const stronger = candidates.indexOf(each) > candidates.indexOf(winner);
      if (stronger) return { ...plain(each), ...own };
      return {
        ...plain(each),
        status: "overridden",
        theirs: null,
        reason: `Another plugin of the same name, ${PLACES[winner.place]}, takes its place.`,
        lostTo: winner.dir,
      };
    }),
  ];
}

const PLACES: Readonly<Record<Place, string>> = {
  bundled: "which comes with Flowly",
  user: "in Flowly's folder of plugins",
  project: "in the project's folder",
};

function plain({
  key,
  dirName,
  place,
  dir,
  manifest,
}: Candidate): Omit<FoundFlowly, "status" | "theirs" | "reason"> {
  return { key, dirName, place, dir, manifest };
}

/** Whether its name stands in the list of enabled plugins; what comes with Flowly needs no entry. */
function isListed({ place, key, manifest }: Candidate, { enabled }: FlowlyLists): boolean {
  return place === "bundled" || enabled.has(key) || (manifest !== null && enabled.has(manifest.name));
}

/** Flowly's three filters, in its order. */
function filtered(
  candidate: Candidate,
  lists: FlowlyLists,
): Pick<FoundFlowly, "status" | "theirs" | "reason"> {
  const { key, manifest, fault } = candidate;
  if (manifest === null)
    return { status: "error", theirs: fault?.theirs ?? null, reason: fault?.sentence ?? null };
  if (lists.disabled.has(key) || lists.disabled.has(manifest.name))
    return { status: "disabled", theirs: "disabled in config", reason: "It is switched off in Flowly." };
  if (manifest.kind === "exclusive")
    return {
      status: "unsupported",
      theirs: "kind=exclusive not supported yet",
      reason: 'It is of the kind "exclusive", which Flowly does not support yet.',
    };
  if (!isListed(candidate, lists))
    return {
      status: "available",
      theirs: `not in plugins.enabled (run \`flowly plugins enable ${key}\`)`,
      reason: "It is not switched on in Flowly.",
    };
  return { status: "enabled", theirs: null, reason: null };
}
