import { readdir, readFile } from "node:fs/promises";

/** Command line and environment of a process and of everything below it. Linux alone. */
export async function environmentsBelow(root: number): Promise<string[]> {
  const texts = [...(await treeOf(root))].map(async (pid) => [
    await readProc(pid, "cmdline"),
    await readProc(pid, "environ"),
  ]);
  return (await Promise.all(texts)).flat();
}

/** The command lines of all processes of this machine, their words separated by NUL. Linux alone. */
export async function linesOfProcesses(): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  return Promise.all(pids.map((pid) => readProc(Number(pid), "cmdline")));
}

/** The watcher of a running Patchbay (`platform/walls/traces`), by the name that it takes; undefined when there is none. */
export async function watcherOf(core: number): Promise<number | undefined> {
  for (const pid of await treeOf(core))
    if ((await readProc(pid, "cmdline")).startsWith("patchbay-watcher")) return pid;
  return undefined;
}

/** A process and everything below it. */
async function treeOf(root: number): Promise<Set<number>> {
  const below = new Set([root]);
  const parents = await parentsOfAll();
  for (let size = 0; size !== below.size; ) {
    size = below.size;
    for (const [pid, parent] of parents) if (below.has(parent)) below.add(pid);
  }
  return below;
}

async function parentsOfAll(): Promise<Map<number, number>> {
  const parents = new Map<number, number>();
  for (const name of await readdir("/proc").catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readProc(Number(name), "stat");
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
  }
  return parents;
}

/** Empty for a process that has ended meanwhile. */
async function readProc(pid: number, file: string): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
}

/**
 * The id by which this machine knows a process behind a wall.
 *
 * @param root a process above it, as this machine knows it
 * @param inner its own idea of its id; behind a wall that counts from 1
 */
export async function outerPid(root: number, inner: number): Promise<number> {
  for (const pid of await treeOf(root)) {
    const ids = /^NSpid:\s+(.*)$/m.exec(await readProc(pid, "status"))?.[1]?.split(/\s+/) ?? [];
    if (Number(ids.at(-1)) === inner) return pid;
  }
  throw new Error(`No process below ${root} calls itself ${inner}.`);
}
