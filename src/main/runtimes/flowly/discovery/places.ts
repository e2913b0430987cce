import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";

/** Where Flowly looks for plugins. All are absolute; none needs to be there. */
export interface FlowlyPlaces {
  /** The plugins that come with an installed Flowly; null when none is installed. */
  bundled: string | null;
  /** FLOWLY_HOME: plugins stand in `plugins` inside. */
  home: string;
  /** The working directory, while the person opened it: plugins stand in `.flowly/plugins` inside. */
  project: string | null;
}

const OPEN = new Set(["1", "true", "yes", "on"]);

/** @param cwd the working directory that Flowly would have */
export async function flowlyPlaces(env: NodeJS.ProcessEnv, cwd: string): Promise<FlowlyPlaces> {
  const home = env.FLOWLY_HOME || join(env.HOME || homedir(), ".flowly");
  const open = OPEN.has((env.FLOWLY_ENABLE_PROJECT_PLUGINS ?? "").toLowerCase());
  return {
    bundled: await bundledPlugins(env),
    home: resolve(cwd, home),
    project: open ? resolve(cwd) : null,
  };
}

/** `flowly/plugins_bundled` of the installation whose command stands on the PATH. */
async function bundledPlugins(env: NodeJS.ProcessEnv): Promise<string | null> {
  for (const folder of (env.PATH ?? "").split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    for (const name of process.platform === "win32" ? ["flowly.exe", "flowly.cmd"] : ["flowly"]) {
      const command = await realpath(join(folder, name)).catch(() => null);
      if (command === null) continue;
      for (const top of new Set([dirname(dirname(command)), await interpreterTop(command)])) {
        const found = top === null ? null : await inInstallation(top);
        if (found !== null) return found;
      }
    }
  }
  return null;
}

/** The folder above the `bin` of the interpreter that a script names in its first line. */
async function interpreterTop(command: string): Promise<string | null> {
  const text = await readFile(command, "latin1").catch(() => "");
  const interpreter = /^#!\s*(\/[^\n]*?)\s*$/m.exec(text.slice(0, 500))?.[1];
  return interpreter === undefined ? null : dirname(dirname(interpreter));
}

async function inInstallation(top: string): Promise<string | null> {
  const libs = await readdir(join(top, "lib")).catch(() => []);
  const versions = libs.filter((name) => /^python3/.test(name)).map((name) => join(top, "lib", name));
  for (const lib of [...versions, join(top, "Lib")]) {
    const folder = join(lib, "site-packages", "flowly", "plugins_bundled");
    if ((await stat(folder).catch(() => null))?.isDirectory()) return folder;
  }
  return null;
}
