import type { FoundPlugin } from "../../../contract/found/found.ts";

/** What to do with a server whose name another plugin has. */
export type Clash = "skip" | "replace" | "rename";

/** Who has the name of a server already, what can be done, and the name that is free for it. */
export interface Taken {
  by: string;
  /** What is brought in the same list is not replaced by its neighbour. */
  ways: readonly Clash[];
  other: string;
}

interface Chosen {
  isTicked(server: FoundPlugin): boolean;
  isStarted(spec: string): boolean;
  /** Whether an installed plugin has the key. */
  isInstalled(key: string): boolean;
  clashOf(spec: string): Clash;
}

/** Which servers of a list are brought, and whose names are taken: by plugins, or by servers before them in the list. */
export function namesOf(
  servers: readonly FoundPlugin[],
  { isTicked, isStarted, isInstalled, clashOf }: Chosen,
): { ticked: ReadonlySet<string>; taken: ReadonlyMap<string, Taken> } {
  const ticked = new Set<string>();
  const taken = new Map<string, Taken>();
  const claimed = new Map<string, string>();
  for (const one of servers) {
    const { spec, name, server, status, installed } = one;
    if (!server || status === "unsupported" || installed !== null) continue;
    const twin = claimed.get(server.key);
    const by = twin ?? server.takenBy;
    const other = freeKey(server.key, (key) => isInstalled(key) || claimed.has(key));
    if (by !== null)
      taken.set(spec, {
        by,
        ways: twin === undefined ? ["skip", "replace", "rename"] : ["skip", "rename"],
        other,
      });
    const clash = twin !== undefined && clashOf(spec) === "replace" ? "skip" : clashOf(spec);
    const isMeant = isTicked(one) && (by === null || clash !== "skip");
    if (isMeant && !isStarted(spec)) ticked.add(spec);
    if (isMeant || isStarted(spec)) claimed.set(by !== null && clash === "rename" ? other : server.key, name);
  }
  return { ticked, taken };
}

/** The name with the first number behind it that nobody has. */
function freeKey(key: string, isTaken: (key: string) => boolean): string {
  for (let count = 2; ; count++) {
    const other = `${key.slice(0, 60)}-${count}`;
    if (!isTaken(other)) return other;
  }
}
