import { readdir, readFile } from "node:fs/promises";

/** Command line and environment of a process and of everything below it. Linux alone. */
export async function environmentsBelow(root: number): Promise<string[]> {
  const below = new Set([root]);
  const parents = await parentsOfAll();
  for (let size = 0; size !== below.size; ) {
    size = below.size;
    for (const [pid, parent] of parents) if (below.has(parent)) below.add(pid);
  }
  const texts = [...below].map(async (pid) => [
    await readProc(pid, "cmdline"),
    await readProc(pid, "environ"),
  ]);
  return (await Promise.all(texts)).flat();
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
