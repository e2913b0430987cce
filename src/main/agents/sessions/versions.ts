import type { RowOfVersions, SessionTree, Versions } from "../../../contract/index.ts";

type Node = ReturnType<SessionTree["nodes"]>[number];
type Message = Node & { entry: Extract<Node["entry"], { type: "user" }> };

/**
 * The versions of the person's messages that stand in a conversation now, and of the answers to them. Two messages are versions of one when
 * they follow the same thing that was said; with the same words and files it is their answers that differ.
 */
export function versionsOf(tree: SessionTree): Versions[] {
  const nodes = tree.nodes();
  const places = new Map(nodes.map(({ entry }, index) => [entry.id, index]));
  const leaves = newestLeaves(nodes, places);
  const rows = new Map<string, Message[]>();
  for (const node of nodes) {
    if (!isMessage(node)) continue;
    const place = follows(node, nodes, places);
    rows.set(place, [...(rows.get(place) ?? []), node]);
  }
  const rowOf = (shown: readonly Message[], current: Message): RowOfVersions | null => {
    if (shown.length < 2) return null;
    const ids = shown.map(({ entry }) => nodes[leaves[places.get(entry.id) ?? 0] ?? 0]?.entry.id ?? entry.id);
    return { at: shown.indexOf(current), leaves: ids };
  };
  return [...rows.values()].flatMap((row) => {
    const current = row.find(({ onPath }) => onPath);
    if (!current || row.length < 2) return [];
    const same = row.filter((one) => wordsOf(one) === wordsOf(current));
    // One of each wording stands for all its answers: the one that is shown, or the newest.
    const wordings = new Map<string, Message>();
    for (const one of row) {
      const known = wordings.get(wordsOf(one));
      if (known !== current) wordings.set(wordsOf(one), one);
    }
    const { turnId } = current.entry;
    return [{ turnId, messages: rowOf([...wordings.values()], current), answers: rowOf(same, current) }];
  });
}

function isMessage(node: Node): node is Message {
  return node.entry.type === "user" && node.entry.by === undefined;
}

function wordsOf({ entry: { text, attachments = [] } }: Message): string {
  return JSON.stringify([text, ...attachments.map(({ file }) => file)]);
}

/** Id of what was said before a message; what plugins left in between does not count. Empty at the beginning. */
function follows({ parent }: Node, nodes: readonly Node[], places: ReadonlyMap<string, number>): string {
  let before = parent;
  while (before !== null) {
    const node: Node | undefined = nodes[places.get(before) ?? -1];
    if (node?.entry.type !== "plugin") return before;
    before = node.parent;
  }
  return "";
}

/** For each node the place of the newest one that comes after it, itself where nothing does. */
function newestLeaves(nodes: readonly Node[], places: ReadonlyMap<string, number>): number[] {
  const leaves = nodes.map((_, index) => index);
  for (let index = nodes.length - 1; index >= 0; index -= 1) {
    const parent = places.get(nodes[index]?.parent ?? "");
    if (parent !== undefined) leaves[parent] = Math.max(leaves[parent] ?? 0, leaves[index] ?? 0);
  }
  return leaves;
}
