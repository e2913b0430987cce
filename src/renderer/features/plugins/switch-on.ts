import { rpc } from "../../base/client/rpc.ts";
import { needsSetupFirst } from "../../model/finished-setup.ts";
import { putRow, rowId, useMirror } from "../../store/mirror.ts";
import { openWizard } from "../../store/wizard-panel.ts";

/** Switches a plugin on for an agent. One that needs to be set up first leads into its setup, which switches it on. */
export async function switchOn(agentId: string, key: string): Promise<void> {
  const { plugins, agentPlugins } = useMirror.getState();
  const plugin = plugins.get(key) ?? null;
  if (needsSetupFirst(plugin, agentPlugins.get(rowId(agentId, key)) ?? null))
    return void openWizard(agentId, key);
  const view = await rpc.agentPlugins.set({ agentId, key, enabled: true });
  putRow(view);
  const { state, reason } = view.instance;
  const missing = reason?.code === "NEEDS_SETUP" || reason?.code === "MISSING_SECRET";
  if (plugin && state === "needs_setup" && missing) void openWizard(agentId, key);
}
