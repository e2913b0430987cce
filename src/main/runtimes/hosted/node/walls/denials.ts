import { subscribe } from "node:diagnostics_channel";
import { askDoor, doorPath } from "./ask-door.ts";
import { reportFurther } from "./further-attempts.ts";

/** Most attempts that are reported, so that a loop of them is no flood. */
const MOST = 200;

/** Which wall each of Node's permissions is part of. */
const walls: Record<string, "files" | "programs" | "network"> = {
  fs: "files",
  child: "programs",
  worker: "programs",
  addon: "programs",
  wasi: "programs",
  inspector: "programs",
};

/** What is being told. */
const under = new Set<Promise<unknown>>();

/** Resolves when everything that was refused so far has been told, or after 250 ms. */
export async function denialsTold(): Promise<void> {
  if (under.size === 0) return;
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const limit = setTimeout(resolve, 250);
  await Promise.race([Promise.all(under), late]);
  clearTimeout(limit);
}

/** Tells the core what was refused to plugin code. */
export type TellRefused = (wall: "files" | "programs" | "network" | "signals", target: string) => void;

/**
 * Tells the core what Node's permissions refused to plugin code, each thing once. Nothing rests on it: it is for the log.
 * @returns tells of what else was refused in this process
 */
export function reportDenials(): TellRefused {
  if (doorPath === undefined) return () => {};
  const told = new Set<string>();
  const tell: TellRefused = (wall, target) => {
    const line = `${wall} ${target}`;
    if (told.has(line) || told.size >= MOST) return;
    told.add(line);
    const telling = askDoor({ tried: { wall, target: target.slice(0, 1_000) } }).catch(() => {});
    under.add(telling);
    void telling.finally(() => under.delete(telling));
  };
  for (const [name, wall] of Object.entries(walls)) {
    subscribe(`node:permission-model:${name}`, (message) => {
      const { permission, resource } = message as { permission: string; resource?: string };
      if (!isOwnDoing(resource)) tell(wall, resource || permission);
    });
  }
  reportFurther(tell);
  return tell;
}

/** Node looks by itself for a package.json in every folder above a module. */
function isOwnDoing(resource: string | undefined): boolean {
  return resource?.endsWith("/package.json") === true || resource?.endsWith("/node_modules") === true;
}
