import { writeFileSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import type { Command } from "../walled.ts";

/** Environment variable that makes Node obey the variables of proxies. */
export const useProxyVariable = "NODE_USE_ENV_PROXY";

/** Whether this Node can be told while it runs, and its `fetch` finds its way where ours looks for it. */
const canBeLate = "setGlobalProxyFromEnv" in http && process.versions.undici?.startsWith("7.") === true;

/**
 * What a walled Node of ours is started with so that it obeys its proxy late; null for other programs, which have to be told
 * by `NODE_USE_ENV_PROXY`. A Node that is told by that loads all of its HTTP before anything else, which doubles the time of
 * its start. With this it does so when the program first reaches for what leads to the network.
 *
 * @param folder one of this wall alone, since who can write to it decides what runs
 */
export function lateProxy({ file }: Command, folder: string): { args: string[]; needs: string[] } | null {
  if (file !== process.execPath || !canBeLate) return null;
  const script = join(folder, "late-proxy.cjs");
  writeFileSync(script, `(${late.toString()})(require);\n`, { mode: 0o600 });
  return { args: ["--require", script], needs: [script] };
}

/** Runs in the walled process: nothing of this file is there but itself. */
function late(load: NodeJS.Require): void {
  const variable = "NODE_USE_ENV_PROXY";
  const { isMainThread } = load("node:worker_threads") as typeof import("node:worker_threads");
  // What the program forked has obeyed it already; its workers do not.
  if (isMainThread && process.env[variable] !== undefined) return;
  const proxies = Object.fromEntries(Object.entries(process.env).filter(([name]) => /_proxy$/i.test(name)));
  // What it starts may be another Node.
  process.env[variable] = "1";

  const builtin = process.getBuiltinModule;
  let isSet = false;
  const set = () => {
    if (isSet) return;
    isSet = true;
    (builtin("node:http") as unknown as { setGlobalProxyFromEnv(env: object): void }).setGlobalProxyFromEnv(
      proxies,
    );
  };

  const leadsOut = /^(?:node:)?(?:http|https|http2|net|tls)$/;
  const { registerHooks } = load("node:module") as typeof import("node:module");
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
