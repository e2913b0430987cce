import http from "node:http";
import { join } from "node:path";

/** Environment variable that makes Node obey the variables of proxies. */
export const useProxyVariable = "NODE_USE_ENV_PROXY";

/** Whether this Node can be told while it runs, and its `fetch` finds its way where ours looks for it. */
const canBeLate = "setGlobalProxyFromEnv" in http && process.versions.undici?.startsWith("7.") === true;

/** Environment variables with the folder in which Node keeps what it compiled: its own one, and the one of the script. */
const [cacheVariable, ownCacheVariable] = ["NODE_COMPILE_CACHE", "PATCHBAY_COMPILE_CACHE"] as const;

/** The script as a file. */
export const firstFile = { name: "first.cjs", content: `(${first.toString()})(require);\n` };

interface Program {
  file: string;
  env: Record<string, string>;
}

/** What is added to the command of a walled Node. */
export interface FirstScript {
  args: string[];
  needs: string[];
  env: Record<string, string>;
}

/**
 * A script that a walled Node of ours runs before its program, so that it obeys its proxy late; null for other programs,
 * which have to be told by `NODE_USE_ENV_PROXY`. A Node that is told by that loads all of its HTTP before anything else, which
 * doubles the time of its start. With this it does so when the program first reaches for what leads to the network.
 *
 * @param folder where {@link firstFile} lies; one of this wall alone, since who can write to it decides what runs
 */
export function firstScript({ file, env }: Program, folder: string): FirstScript | null {
  if (file !== process.execPath || !canBeLate) return null;
  const script = join(folder, firstFile.name);
  const { [cacheVariable]: cache, ...rest } = env;
  // The cache is opened after the script, which has another path each time and would be kept each time.
  const opened = cache === undefined ? rest : { ...rest, [ownCacheVariable]: cache };
  return { args: ["--require", script], needs: [script], env: opened };
}

/** Runs in the walled process: nothing of this file is there but itself. */
function first(load: NodeJS.Require): void {
  const proxies = Object.fromEntries(Object.entries(process.env).filter(([name]) => /_proxy$/i.test(name)));
  // What it starts may be another Node.
  process.env.NODE_USE_ENV_PROXY = "1";

  const builtin = process.getBuiltinModule;
  let isSet = false;
  const set = () => {
    if (isSet) return;
    isSet = true;
    (builtin("node:http") as unknown as { setGlobalProxyFromEnv(env: object): void }).setGlobalProxyFromEnv(
      proxies,
    );
  };

  const { registerHooks, enableCompileCache } = load("node:module") as typeof import("node:module");
  const cache = process.env.PATCHBAY_COMPILE_CACHE;
  delete process.env.PATCHBAY_COMPILE_CACHE;
  if (cache !== undefined) enableCompileCache(cache);

  const leadsOut = /^(?:node:)?(?:http|https|http2|net|tls)$/;
  registerHooks({
    resolve(name, context, next) {
      if (!isSet && leadsOut.test(name)) set();
      return next(name, context);
    },
  });
  process.getBuiltinModule = ((name: string) => {
    if (leadsOut.test(name)) set();
    return builtin(name);
  }) as typeof builtin;

  // What `fetch`, `WebSocket` and `EventSource` send goes through this, also those of the library from npm.
  const key = Symbol.for("undici.globalDispatcher.1");
  const all = globalThis as unknown as Record<symbol, { dispatch(...of: unknown[]): unknown }>;
  Object.defineProperty(all, key, {
    configurable: true,
    writable: true,
    value: {
      dispatch(...of: unknown[]) {
        set();
        return all[key]?.dispatch(...of);
      },
    },
  });
}
