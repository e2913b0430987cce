import type { Effect } from "../../../../contract/effects/effects.ts";
import type { ToolTrace } from "../../../../contract/turn.ts";

/** What the conversation does not show by itself. */
type Kind = Exclude<Effect["kind"], "notify" | "entry" | "customMessage">;

/** What the tool and the hooks on its call asked for, by plugin, each kind once. */
export function asksIn(
  trace: Pick<ToolTrace, "owner" | "effects" | "hooks">,
): { owner: string; kinds: Kind[] }[] {
  const found = new Map<string, Set<Kind>>();
  const note = (owner: string | null, effects: readonly Effect[] = []) => {
    for (const { kind } of effects) {
      if (owner === null || kind === "notify" || kind === "entry" || kind === "customMessage") continue;
      const kinds = found.get(owner) ?? new Set();
      found.set(owner, kinds.add(kind));
    }
  };
  note(trace.owner, trace.effects);
  for (const hook of trace.hooks) note(hook.owner, hook.effects);
  return Array.from(found, ([owner, kinds]) => ({ owner, kinds: [...kinds] }));
}
