import { homedir } from "node:os";
import { join, resolve } from "node:path";

/**
 * The folder that holds everything of Patchbay: `PATCHBAY_HOME`, else the platform's folder for application data. The same
 * for desktop, browser and command line.
 */
export function defaultHome(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  if (env.PATCHBAY_HOME) return resolve(env.PATCHBAY_HOME);
  switch (platform) {
    case "darwin":
      return join(homedir(), "Library", "Application Support", "Patchbay");
    case "win32":
      return join(env.APPDATA ?? join(homedir(), "AppData", "Roaming"), "Patchbay");
    default:
      return join(env.XDG_DATA_HOME ?? join(homedir(), ".local", "share"), "patchbay");
  }
}
