import { useMemo } from "react";
import { type KeyPlan, keyPlan, type PluginKeys } from "../../../contract/keys/key-plan.ts";
import { useMirror } from "../../store/mirror.ts";
import { isMac } from "./key-words.ts";

const none = {};
const noPlugins: readonly PluginKeys[] = [];

/** What plugins of the agent bring, in the order of their keys. */
export function usePluginKeys(_agentId: string): readonly PluginKeys[] {
  return noPlugins;
}

/** What every key does for this agent. */
export function useKeyPlan(agentId: string): KeyPlan {
  const plugins = usePluginKeys(agentId);
  const own = useMirror((state) => state.settings?.keys ?? none);
  return useMemo(() => keyPlan(plugins, own, isMac), [plugins, own]);
}
