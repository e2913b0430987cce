import { useMemo } from "react";
import { useShallow } from "zustand/react/shallow";
import type { Contributions } from "../../../contract/agent-plugin.ts";
import { type KeyPlan, keyPlan, type PluginKeys } from "../../../contract/keys/key-plan.ts";
import { type Mirror, useMirror } from "../../store/mirror.ts";
import { isMac } from "./key-words.ts";

const none = {};

/** What every key does for this agent. */
export function useKeyPlan(agentId: string): KeyPlan {
  // Plugins and their offers in turn: a list of what is in the mirror, which stays the same while nothing of it changes.
  const offers = useMirror(useShallow((state) => offersOf(state, agentId)));
  const own = useMirror((state) => state.settings?.keys ?? none);
  return useMemo(() => keyPlan(pluginKeys(offers), own, isMac), [offers, own]);
}

function offersOf({ agentPlugins }: Mirror, agentId: string): (string | Contributions)[] {
  const offers: [string, Contributions][] = [];
  for (const { agentId: of, pluginKey, instance } of agentPlugins.values()) {
    const said = instance.contributions;
    if (of === agentId && said && (said.shortcuts?.length || said.keyBindings?.length))
      offers.push([pluginKey, said]);
  }
  return offers.sort(([left], [right]) => (left < right ? -1 : 1)).flat();
}

function pluginKeys(offers: readonly (string | Contributions)[]): PluginKeys[] {
  const found: PluginKeys[] = [];
  for (const offer of offers) {
    const last = found.at(-1);
    if (typeof offer === "string") found.push({ plugin: offer, shortcuts: [], keyBindings: [] });
    else if (last) {
      const { shortcuts = [], keyBindings = [] } = offer;
      found.splice(-1, 1, { ...last, shortcuts, keyBindings });
    }
  }
  return found;
}
