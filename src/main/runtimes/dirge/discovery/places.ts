import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** Where dirge looks for plugins. All are absolute; none needs to be there. */
export interface DirgePlaces {
  /** Its own folder: `config.json` and the folder `plugins` stand inside. */
  home: string;
  /** The project that the working directory belongs to: plugins stand in `.dirge/plugins` inside. */
  project: string;
}

/** @param cwd the working directory that dirge would have */
export async function dirgePlaces(env: NodeJS.ProcessEnv, cwd: string): Promise<DirgePlaces> {
  return { home: resolve(cwd, homeOf(env)), project: await projectOf(env, cwd) };
}

function homeOf({ DIRGE_CONFIG_DIR, XDG_CONFIG_HOME, HOME }: NodeJS.ProcessEnv): string {
  if (DIRGE_CONFIG_DIR) return DIRGE_CONFIG_DIR;
  if (XDG_CONFIG_HOME && isAbsolute(XDG_CONFIG_HOME)) return join(XDG_CONFIG_HOME, "dirge");
  return join(HOME || homedir(), ".config", "dirge");
}

/** The folder with the repository that the working directory is in; that directory itself where there is none. */
async function projectOf({ DIRGE_PROJECT_ROOT }: NodeJS.ProcessEnv, cwd: string): Promise<string> {
  if (DIRGE_PROJECT_ROOT) return resolve(cwd, DIRGE_PROJECT_ROOT);
  for (let folder = resolve(cwd); folder !== dirname(folder); folder = dirname(folder))
    if ((await stat(join(folder, ".git")).catch(() => null)) !== null) return folder;
  return resolve(cwd);
}
