import { lazy, Suspense, useEffect, useState } from "react";

const PaletteDialog = lazy(async () => ({ default: (await import("./palette-dialog.tsx")).PaletteDialog }));

/** Opens with Ctrl+K, or Cmd+K, wherever the person is. */
export function Palette({ agentId }: { agentId: string }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const toggle = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      if (event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    window.addEventListener("keydown", toggle);
    return () => window.removeEventListener("keydown", toggle);
  }, []);
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      <PaletteDialog agentId={agentId} onClose={() => setOpen(false)} />
    </Suspense>
  );
}
