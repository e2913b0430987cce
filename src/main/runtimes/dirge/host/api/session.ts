import type { Value } from "@patchbay/janet";
import type { TreeRequest } from "@patchbay/plugin-sdk";
import type { Binder } from "./api.ts";
import { textAt, wordAt } from "./values.ts";

/** Functions that change the tree of the conversation, when the call is done. */
export function bindSession(api: Binder): void {
  const bind = (usage: string, doc: string, requestOf: (args: readonly Value[]) => TreeRequest | null) =>
    api.bind(usage, doc, (args, { call }) => {
      const request = requestOf(args);
      if (request !== null) call.effects.push({ kind: "session", request });
      return null;
    });
  bind("(harness/set-label id label)", "Names an entry; a label of nil takes the name away.", (args) => {
    const id = textAt(args, 0);
    const label = textAt(args, 1);
    if (id === undefined) return null;
    if (label === undefined && (args[1] ?? null) !== null) return null;
    return { op: "label", id, label: label ?? null };
  });
  bind("(harness/fork id &opt position)", "Begins a branch :before an entry or :at it.", (args) => {
    const id = textAt(args, 0);
    return id === undefined ? null : { op: "fork", id, position: wordAt(args, 1) === "at" ? "at" : "before" };
  });
  bind("(harness/navigate-tree id)", "Goes to an entry.", (args) => {
    const id = textAt(args, 0);
    return id === undefined ? null : { op: "navigate", id };
  });
  bind("(harness/new-session &opt parent)", "Begins a new conversation.", (args) => {
    const parent = textAt(args, 0);
    return { op: "new", ...(parent !== undefined && { parent }) };
  });
  bind("(harness/switch-session prefix)", "Shows the conversation whose id begins so.", (args) => {
    const prefix = textAt(args, 0);
    return prefix === undefined ? null : { op: "switch", prefix };
  });
}
