import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { byName, ENDING, idOf, sourcesIn } from "./files.ts";
import type { DirgeSettings } from "./lists.ts";
import type { DirgePlaces } from "./places.ts";

export type DirgeStatus = "enabled" | "disabled" | "error" | "overridden";

/** A plugin that stands in one of dirge's places, and what dirge would do with it. */
export interface FoundDirge {
  id: string;
  place: "user" | "project";
  /** A file or a folder. */
  path: string;
  status: DirgeStatus;
  /** dirge's own words about it; null when it would be loaded. */
  theirs: string | null;
  /** The same as a sentence for a person. */
  reason: string | null;
  /** The path of the plugin that stands in its place, for one that is `overridden`. */
  lostTo?: string;
  settings: DirgeSettings;
}

/** Most entries of one folder that are looked at. */
const MOST = 10_000;

/**
 * All plugins of both places, in the order in which they load: the person's own before the project's, each by name. Nothing of them
 * runs. One of the project takes the place of the person's own of the same name.
 */
export async function discoverDirge(
  { home, project }: DirgePlaces,
  settingsOf: (id: string) => DirgeSettings,
): Promise<FoundDirge[]> {
  const own = await entriesOf(join(home, "plugins"));
  const ofProject = await entriesOf(join(project, ".dirge", "plugins"));
  const winners = new Map(ofProject.map((path) => [idOf(path), path]));
  const judged: FoundDirge[] = [];
  for (const path of own) {
    const lostTo = winners.get(idOf(path));
    const found = await judge(path, "user", settingsOf);
    judged.push(lostTo === undefined || lostTo === path ? found : overridden(found, lostTo));
  }
  for (const path of ofProject) judged.push(await judge(path, "project", settingsOf));
  return judged;
}

/** The files and folders of a place that are plugins, by name. */
async function entriesOf(place: string): Promise<string[]> {
  const names = (await readdir(place).catch(() => [])).slice(0, MOST);
  const found: string[] = [];
  for (const name of names.sort(byName)) {
    if (name.startsWith(".")) continue;
    const there = await stat(join(place, name)).catch(() => null);
    if (there?.isDirectory() || (there?.isFile() && name.endsWith(ENDING))) found.push(join(place, name));
  }
  return found;
}

async function judge(
  path: string,
  place: FoundDirge["place"],
  settingsOf: (id: string) => DirgeSettings,
): Promise<FoundDirge> {
  const id = idOf(path);
  const settings = settingsOf(id);
  const base = { id, place, path, settings, theirs: null, reason: null };
  if (!path.endsWith(ENDING) && (await sourcesIn(path)).length === 0)
    return {
      ...base,
      status: "error",
      theirs: `plugin dir ${path} contains no .janet files`,
      reason: "Its folder holds no file that ends in .janet.",
    };
  return { ...base, status: settings.enabled ? "enabled" : "disabled" };
}

function overridden(found: FoundDirge, lostTo: string): FoundDirge {
  return {
    ...found,
    status: "overridden",
    theirs: `overridden by .dirge/plugins/${found.id}`,
    reason: "The project's plugin of the same name takes its place.",
    lostTo,
  };
}
