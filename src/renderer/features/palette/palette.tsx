import { panels, usePanels } from "../../store/panels.ts";
import { useKeyActions } from "../keys/public.ts";
import { PaletteDialog } from "./palette-dialog.tsx";

/** Opens with its key, wherever the person is; at once, so that what is typed next goes into it. */
export function Palette({ agentId }: { agentId: string }) {
  const open = usePanels((state) => state.palette);
  useKeyActions({ palette: () => panels.openPalette(!usePanels.getState().palette) });
  return open && <PaletteDialog agentId={agentId} onClose={() => panels.openPalette(false)} />;
}
