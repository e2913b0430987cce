import { hostEnvironment } from "../../platform/host-environment.ts";

/**
 * The environment of a plugin's program: an allow-list of the app's own variables, the search path, the plugin's
 * folder, and the variables that the person set for it.
 */
export function programEnvironment(
  path: string,
  pluginDir: string,
  extra: Record<string, string>,
): Record<string, string> {
  return {
    ...hostEnvironment(),
    ...(process.env.USER && { USER: process.env.USER }),
    ...(process.env.XDG_CONFIG_HOME && { XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME }),
    PATH: path,
    // Compiled modules would be run in the place of the sources that were checked, so there is no room for them.
    PYTHONDONTWRITEBYTECODE: "1",
    ...extra,
    FLEDGE_PLUGIN_DIR: pluginDir,
  };
}

/** The variables that the person set for a plugin, in its settings. */
export function ownVariables({ env }: Record<string, unknown>): Record<string, string> {
  if (typeof env !== "object" || env === null) return {};
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
