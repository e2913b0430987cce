import { useEffect } from "react";
import { panels, usePanels } from "../../store/panels.ts";
import { PaletteDialog } from "./palette-dialog.tsx";

/** Opens with Ctrl+K, or Cmd+K, wherever the person is; at once, so that what is typed next goes into it. */
export function Palette({ agentId }: { agentId: string }) {
  const open = usePanels((state) => state.palette);
  useEffect(() => {
    const toggle = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      if (event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      panels.openPalette(!usePanels.getState().palette);
    };
    window.addEventListener("keydown", toggle);
    return () => window.removeEventListener("keydown", toggle);
  }, []);
  return open && <PaletteDialog agentId={agentId} onClose={() => panels.openPalette(false)} />;
}
