import { SessionTree, type TreeEntry } from "../../../../contract/conversation/session-tree.ts";
import type { SessionEntry } from "../../../../contract/turn.ts";

/** A place in the tree that is shown. */
export interface TreeRow {
  id: string;
  kind: "user" | "assistant" | "tools" | "command" | "compaction" | "other";
  /** In the words of whoever said it; of a call the names of the tools. */
  text: string;
  at: string;
  label: string | null;
  /** It is part of the conversation as it stands now. */
  onPath: boolean;
  /** The next entry comes after this one. */
  isEnd: boolean;
  /** How many turnings away from the conversation as it stands now. */
  depth: number;
}

/**
 * The tree of a conversation as lines from top to bottom. Where it was left and went on elsewhere, the branches that were left stand
 * first, one step further in; the one that goes on stands below them.
 */
export function treeRows(entries: readonly SessionEntry[]): TreeRow[] {
  const tree = new SessionTree(entries);
  const nodes = tree.nodes();
  const byId = new Map(nodes.map((node) => [node.entry.id, node]));
  const children = Map.groupBy(nodes, ({ parent }) => parent);
  const rows: TreeRow[] = [];
  /** Branches that wait to be drawn, the next one last; a list and not calls, because a conversation can be long. */
  const open: { id: string | null; depth: number }[] = [{ id: null, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const node = next.id === null ? undefined : byId.get(next.id);
    if (node) {
      const shown = shownOf(node.entry);
      if (shown) {
        const { label, onPath } = node;
        rows.push({
          id: node.entry.id,
          ...shown,
          at: node.entry.at,
          label,
          onPath,
          isEnd: false,
          depth: next.depth,
        });
      }
    }
    const after = children.get(next.id) ?? [];
    const goesOn = after.find(({ onPath }) => onPath) ?? after.at(-1);
    const { depth } = next;
    if (goesOn) open.push({ id: goesOn.entry.id, depth });
    for (const left of after.toReversed())
      if (left !== goesOn) open.push({ id: left.entry.id, depth: depth + 1 });
  }
  const end = rows.findLast(({ onPath }) => onPath);
  if (end) end.isEnd = true;
  return rows;
}

function shownOf(entry: TreeEntry): Pick<TreeRow, "kind" | "text"> | null {
  switch (entry.type) {
    case "user":
    case "heard":
    case "steer":
      return { kind: "user", text: entry.text };
    case "assistant":
      if (entry.text) return { kind: "assistant", text: entry.text };
      return { kind: "tools", text: entry.toolCalls.map(({ name }) => name.replace("__", ".")).join(", ") };
    case "command":
      return { kind: "command", text: entry.text };
    case "compaction":
      return { kind: "compaction", text: entry.summary };
    case "sent":
      return { kind: "other", text: entry.text };
    // A result belongs to its call, an answer is what a channel sent of it, and what plugins left is not part of what was said.
    case "tool_result":
    case "answer":
    case "plugin":
      return null;
  }
}
