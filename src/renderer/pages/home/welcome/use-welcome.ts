import { useEffect } from "react";
import { create } from "zustand";
import { rpc } from "../../../base/client/rpc.ts";
import { useMirror } from "../../../store/mirror.ts";

/** Whether the welcome has begun in this window: then it stays until it is closed, whatever is installed meanwhile. */
const useBegun = create<{ begun: boolean }>()(() => ({ begun: false }));

/** Whether to show the welcome of the first start: not once it was closed, and not to people who have plugins. */
export function useWelcome(): boolean {
  const closed = useMirror((state) => state.settings?.welcomeClosed ?? true);
  const isNew = useMirror((state) => state.plugins.size === 0 && state.agentPlugins.size === 0);
  const begun = useBegun((state) => state.begun);
  const shown = !closed && (begun || isNew);
  useEffect(() => {
    if (shown) useBegun.setState({ begun: true });
  }, [shown]);
  return shown;
}

/** Closes the welcome for good. */
export async function closeWelcome(): Promise<void> {
  const settings = await rpc.app.updateSettings({ welcomeClosed: true });
  useMirror.setState({ settings });
  useBegun.setState({ begun: false });
}
