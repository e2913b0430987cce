import type { SessionEntry } from "../turn.ts";

/** An entry that is part of what was said and done, and to which a conversation can go back. */
export type TreeEntry = Extract<SessionEntry, { id: string }> & { type: Exclude<SessionEntry["type"], Bare> };
type Bare = "session" | "branch" | "label" | "pin" | "turn_end" | "title" | "about" | "closed";

/** A node of a conversation's tree. */
export interface TreeNode {
  entry: TreeEntry;
  /** Id of the entry that it follows; null at the beginning. */
  parent: string | null;
  /** The name that somebody gave it. */
  label: string | null;
  /** It is part of the conversation as it stands now. */
  onPath: boolean;
}

const bare = new Set<SessionEntry["type"]>([
  "session",
  "branch",
  "label",
  "pin",
  "turn_end",
  "title",
  "about",
  "closed",
]);

export function isTreeEntry(entry: SessionEntry): entry is TreeEntry {
  return !bare.has(entry.type);
}

/**
 * Reads a conversation's lines as a tree. A line follows the line before it, except after a `branch`: what comes then follows the entry
 * that the branch names. Nothing is ever taken out of the file; branches that were left stay in the tree.
 */
export class SessionTree {
  private readonly all: SessionEntry[] = [];
  /** Index of the line that each line follows; -1 at the beginning. */
  private readonly parents: number[] = [];
  private readonly indexOfId = new Map<string, number>();
  private readonly labels = new Map<string, string>();
  private leaf = -1;
  private lines: SessionEntry[] = [];

  constructor(entries: Iterable<SessionEntry> = []) {
    for (const entry of entries) this.add(entry);
  }

  add(entry: SessionEntry): void {
    const index = this.all.length;
    this.all.push(entry);
    this.parents.push(this.leaf);
    this.leaf = index;
    if (isTreeEntry(entry)) this.indexOfId.set(entry.id, index);
    if (entry.type === "label") {
      if (entry.label === null) this.labels.delete(entry.target);
      else this.labels.set(entry.target, entry.label);
    }
    if (entry.type !== "branch") this.lines.push(entry);
    else {
      this.leaf =
        entry.to === null ? -1 : this.endOf(this.indexOfId.get(entry.to) ?? this.parents[index] ?? -1);
      this.lines = this.walk(this.leaf);
    }
  }

  /** The lines of the conversation as it stands now, in order. */
  get path(): readonly SessionEntry[] {
    return this.lines;
  }

  /** Id of the entry that the next one will follow; null at the beginning. */
  get end(): string | null {
    return this.lines.findLast(isTreeEntry)?.id ?? null;
  }

  has(id: string): boolean {
    return this.indexOfId.has(id);
  }

  entry(id: string): TreeEntry | undefined {
    const found = this.all[this.indexOfId.get(id) ?? -1];
    return found && isTreeEntry(found) ? found : undefined;
  }

  /** Id of the entry before this one; null at the beginning. */
  before(id: string): string | null {
    return this.ancestor(this.parents[this.indexOfId.get(id) ?? -1] ?? -1);
  }

  /** Every entry, in the order in which they were written. */
  nodes(): TreeNode[] {
    const onPath = new Set(this.lines);
    return this.all.flatMap((entry, index) =>
      isTreeEntry(entry)
        ? [
            {
              entry,
              parent: this.ancestor(this.parents[index] ?? -1),
              label: this.labels.get(entry.id) ?? null,
              onPath: onPath.has(entry),
            },
          ]
        : [],
    );
  }

  /** A turn that ended with this entry is not open again when the conversation goes back to it. */
  private endOf(index: number): number {
    const entry = this.all[index];
    if (!entry || !("turnId" in entry)) return index;
    const next = this.parents.indexOf(index);
    const after = this.all[next];
    return after?.type === "turn_end" && after.turnId === entry.turnId ? next : index;
  }

  private ancestor(from: number): string | null {
    for (let index = from; index >= 0; index = this.parents[index] ?? -1) {
      const entry = this.all[index];
      if (entry && isTreeEntry(entry)) return entry.id;
    }
    return null;
  }

  private walk(leaf: number): SessionEntry[] {
    const path: SessionEntry[] = [];
    for (let index = leaf; index >= 0; index = this.parents[index] ?? -1) {
      const entry = this.all[index];
      if (entry && entry.type !== "branch") path.push(entry);
    }
    return path.reverse();
  }
}

/** The lines of a conversation as it stands now. */
export function pathOf(entries: readonly SessionEntry[]): readonly SessionEntry[] {
  return entries.some((entry) => entry.type === "branch") ? new SessionTree(entries).path : entries;
}
